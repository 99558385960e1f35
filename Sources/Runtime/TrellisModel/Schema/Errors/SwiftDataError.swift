public import Foundation

/// What can go wrong with containers, contexts and fetches.
///
/// Two errors are equal when they are of one kind, so a `catch` names the kind and then reads what
/// this one knows:
///
///     do { try context.save() }
///     catch let error as SwiftDataError where error == .modelValidationFailure {
///       for violation in error.details { print(violation) }
///     }
///
/// ``details``, ``conflicts``, ``explanation`` and the members about stores are not in SwiftData.
public struct SwiftDataError: Error, Sendable {
  private let kind: String
  /// What is wrong when nothing more is known.
  private let message: String
  /// What is wrong with which model; filled for ``modelValidationFailure``.
  public private(set) var details: [Violation] = []
  /// What others have saved meanwhile; filled for ``saveConflict``.
  public private(set) var conflicts: [Conflict] = []
  /// The names of the configurations whose stores have saved; filled for ``partialSave``.
  public private(set) var savedConfigurations: [String] = []
  /// The error that kept the other stores from saving, for ``partialSave``, or the one that the `encode(to:)` of a value
  /// threw, for ``modelValidationFailure``.
  public private(set) var underlyingError: (any Error)?
  /// What happened in this case and the way out; nil when the kind says it all.
  public private(set) var explanation: String?
  /// The file concerned.
  public private(set) var path: String?
  /// Why a store cannot be opened, for those errors that say so. Not in SwiftData.
  public package(set) var storeProblem: StoreProblem?

  private init(_ kind: String, _ message: String) {
    self.kind = kind
    self.message = message
  }

  private func with(_ change: (inout SwiftDataError) -> Void) -> SwiftDataError {
    var error = self
    change(&error)
    return error
  }

  /// The same error, with what happened in this case.
  package func explained(_ explanation: String, path: String? = nil) -> SwiftDataError {
    with {
      $0.explanation = explanation
      $0.path = path ?? $0.path
    }
  }

  /// The same error, with every violation found and the error that explains them.
  package func listing(_ details: [Violation], causedBy cause: (any Error)? = nil) -> SwiftDataError {
    with {
      $0.details = details
      $0.underlyingError = cause
    }
  }

  /// The same error, with every conflict found.
  package func listing(_ conflicts: [Conflict]) -> SwiftDataError { with { $0.conflicts = conflicts } }

  /// The same error, with the stores that have saved and what kept others from it.
  package func listing(_ savedConfigurations: [String], _ cause: any Error) -> SwiftDataError {
    with {
      $0.savedConfigurations = savedConfigurations
      $0.underlyingError = cause
    }.explained(
      "saved to \(savedConfigurations.map { "'\($0)'" }.joined(separator: ", ")) and not to the other stores: "
        + "\(cause); what was not saved is still pending, so save again when its cause is gone, or roll back")
  }

  // MARK: Fetching

  /// Pending changes that are not allowed: ``ModelContext/enumerate(_:batchSize:allowEscapingMutations:block:)``
  /// throws it. Departing from SwiftData, fetches in batches include pending changes.
  public static let includePendingChangesWithBatchSize = SwiftDataError(
    "includePendingChangesWithBatchSize",
    "a fetch in buffers cannot include pending changes: save first, or set "
      + "'includePendingChanges' to false")
  /// Identifiers cannot be sorted by the values of changes that are not saved.
  ///
  /// Thrown by no store and context of this library: they can.
  public static let sortingPendingChangesWithIdentifiers = SwiftDataError(
    "sortingPendingChangesWithIdentifiers",
    "identifiers cannot be sorted while changes are pending: save first, or set "
      + "'includePendingChanges' to false")
  /// A key path does not lead to a stored property.
  public static let unsupportedKeyPath = SwiftDataError(
    "unsupportedKeyPath", "the key path does not lead to a stored property of the model")
  /// A predicate cannot be evaluated.
  public static let unsupportedPredicate = SwiftDataError("unsupportedPredicate", "the predicate cannot be evaluated")
  /// A sort descriptor cannot be applied.
  public static let unsupportedSortDescriptor = SwiftDataError(
    "unsupportedSortDescriptor", "the sort descriptor cannot be applied")

  // MARK: Configurations

  /// A configuration's name cannot be part of a file name.
  public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
    "configurationFileNameContainsInvalidCharacters",
    "the configuration's name cannot be part of a file name: leave out '/' and control characters")
  /// A configuration's name is too long for a file name.
  public static let configurationFileNameTooLong = SwiftDataError(
    "configurationFileNameTooLong",
    "the configuration's name is too long for a file name: keep it below "
      + "\(CompanionFile.longestStoreName) bytes, '.store' included")
  /// A configuration has models the container does not have.
  public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
    "configurationSchemaNotFoundInContainerSchema",
    "the configuration has models the container does not have: add them to the container")
  /// Two configurations of a container are for the same store, or keep the same model.
  public static let duplicateConfiguration = SwiftDataError(
    "duplicateConfiguration", "two configurations of the container are for the same store")

  // MARK: Containers and contexts

  /// A store cannot be opened.
  public static let loadIssueModelContainer = SwiftDataError("loadIssueModelContainer", "the store cannot be opened")
  /// Models break a rule of the schema; nothing was written and ``details`` lists them all.
  public static let modelValidationFailure = SwiftDataError(
    "modelValidationFailure", "models break rules of the schema; nothing was saved")
  /// A relationship or attribute could not be read and was empty for the program, so values computed from it may
  /// be wrong. Nothing was written; ``details`` names each model, property and cause. Read the properties again,
  /// which clears the failure, or roll back. Not in SwiftData.
  public static let failedRead = SwiftDataError(
    "failedRead", "the store failed to read what the program has used; nothing was saved")
  /// Another context or process has saved properties that this context has assigned, and its policy is
  /// ``ConflictPolicy/fail``; nothing was written, the changes are pending and ``conflicts`` lists the values.
  ///
  /// `rollback()`, fetch again, repeat the changes and save. To save them as they are, set
  /// ``ModelContext/conflictPolicy`` to ``ConflictPolicy/overwrite`` first. Not in SwiftData.
  public static let saveConflict = SwiftDataError(
    "saveConflict",
    "others have saved values that this context has changed since it read them; nothing was saved: "
      + "roll back, fetch again and repeat the changes, or save them under the policy 'overwrite'")
  /// One of several stores could not commit after others had; ``savedConfigurations`` lists those.
  ///
  /// All stores of a container write and check what they are to save before one commits, so only the commit
  /// itself can be left to fail, or a second store of your own. What was not saved stays pending. Not in
  /// SwiftData.
  public static let partialSave = SwiftDataError("partialSave", "some stores have saved and others have not")
  /// A model has no context.
  public static let missingModelContext = SwiftDataError(
    "missingModelContext", "the model has no context: insert it into one first")
  /// Two threads use one context at the same time. Not in SwiftData.
  public static let contextInUse = SwiftDataError(
    "contextInUse",
    "another thread is using this context: a context belongs to one task or actor, so give each "
      + "its own, made from the container")

  /// A custom store has answered with something that cannot be: a snapshot of another class than its
  /// identifier says, an identifier of another store, one identifier for two models. What the answer
  /// was about is as it was in the context. Not in SwiftData.
  public static let invalidStoreAnswer = SwiftDataError(
    "invalidStoreAnswer", "a custom store has answered with something that cannot be")

  // MARK: Migration

  /// The store was written by a newer version of the schema.
  public static let backwardMigration = SwiftDataError(
    "backwardMigration", "the store was written by a newer version of the schema: update the program")
  /// A schema or an entity that is not known.
  public static let unknownSchema = SwiftDataError("unknownSchema", "the schema is not known")
  /// The store's schema is neither the current one nor one of the migration plan.
  public static let unknownDataStoreSchema = SwiftDataError(
    "unknownDataStoreSchema",
    "the store's schema is neither the current one nor one of the migration plan: add its "
      + "version to the plan")

  // MARK: History

  /// The history after the token was deleted.
  public static let historyTokenExpired = SwiftDataError(
    "historyTokenExpired", "the history after the token was deleted: start again without a token")
  /// The request for history asks for something no store can answer.
  public static let invalidTransactionFetchRequest = SwiftDataError(
    "invalidTransactionFetchRequest", "no store can answer this request for history")
}

extension SwiftDataError: Hashable {
  /// Errors of one kind are equal, whatever they explain.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.kind == rhs.kind }

  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// Lets a `catch` name a kind: `catch SwiftDataError.historyTokenExpired`.
  public static func ~= (lhs: SwiftDataError, rhs: any Error) -> Bool {
    (rhs as? SwiftDataError) == lhs
  }
}

// MARK: Messages

extension SwiftDataError: LocalizedError, CustomStringConvertible {
  /// The kind, what happened and the way out, then one line per violation.
  public var description: String {
    var text = "\(kind): \(explanation ?? message)"
    if let path { text += " (\(path))" }
    for violation in details { text += "\n  \(violation)" }
    for conflict in conflicts { text += "\n  \(conflict)" }
    return text
  }

  public var errorDescription: String? { description }
}

// MARK: Violations

extension SwiftDataError {
  /// One way in which one model breaks a rule of the schema.
  ///
  /// Not in SwiftData.
  public struct Violation: Sendable, Hashable {
    /// The kinds of rule.
    public enum Rule: String, Sendable {
      /// A value that is needed is missing.
      case required
      /// A relationship has fewer models than it needs.
      case minimumModelCount
      /// A relationship has more models than it may have.
      case maximumModelCount
      /// A model that is to be deleted is still referred to by a `deny` relationship.
      case deny
      /// Another model has the same values of a constraint that fails.
      case unique
      /// Another context or process has deleted the model, and this context has unsaved changes of it.
      ///
      ///     } catch let error as SwiftDataError where error.details.contains(where: { $0.rule == .deletedElsewhere }) {
      ///       for lost in error.details where lost.rule == .deletedElsewhere {
      ///         context.delete(context.model(for: lost.model))
      ///       }
      ///     }
      case deletedElsewhere
      /// The store failed to read the property; see ``SwiftDataError/failedRead``.
      case unreadable
      /// The property's value cannot be encoded; ``SwiftDataError/underlyingError`` is the cause.
      case unencodable
      /// Any other rule.
      case other
    }

    /// The model that breaks the rule.
    public let model: PersistentIdentifier
    /// The properties concerned, in the order of the rule.
    public let properties: [String]
    /// The rule that is broken.
    public let rule: Rule
    /// What is wrong, for people.
    public let reason: String
    /// The other models concerned: those that block a deletion, or the one with the same values.
    public let others: [PersistentIdentifier]

    /// A violation, as a store of your own reports it.
    public init(
      model: PersistentIdentifier, properties: [String], rule: Rule = .other, reason: String,
      others: [PersistentIdentifier] = []
    ) {
      self.model = model
      self.properties = properties
      self.rule = rule
      self.reason = reason
      self.others = others
    }

    /// The property concerned: the first one of a compound rule.
    public var property: String? { properties.first }
  }
}

extension SwiftDataError.Violation: CustomStringConvertible {
  /// `Trip/17 livingAccommodation: needs a value`
  public var description: String {
    var text = "\(model)"
    if !properties.isEmpty { text += " " + properties.joined(separator: ", ") }
    text += ": \(reason)"
    if !others.isEmpty { text += " (\(others.map(\.description).joined(separator: ", ")))" }
    return text
  }
}

extension SwiftDataError.Violation {
  /// Another context or process has deleted the row of a model that was to be changed.
  package static func deletedElsewhere(_ model: PersistentIdentifier) -> Self {
    Self(
      model: model, properties: [], rule: .deletedElsewhere,
      reason: "was deleted by someone else before this change was saved; delete it here too, "
        + "roll back, or insert a copy of it and delete this one")
  }
}
