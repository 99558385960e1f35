public import Foundation

/// An error from a container, context or fetch.
///
/// Two errors are equal if they have the same kind. A `catch` clause tests the kind and then reads the details:
///
/// ```swift
/// do {
///   try context.save()
/// } catch SwiftDataError.saveConflict {
///   context.rollback()  // and repeat the changes
/// } catch let error as SwiftDataError where error == .modelValidationFailure {
///   for violation in error.details { print(violation) }
/// }
/// ```
///
/// ``details``, ``conflicts``, ``explanation`` and the members about stores are not in SwiftData.
public struct SwiftDataError: Error, Sendable {
  private let kind: String
  /// The message if there is no explanation.
  private let message: String
  /// The violations by model, for ``modelValidationFailure``.
  public private(set) var details: [Violation] = []
  /// The concurrently saved values, for ``saveConflict``.
  public private(set) var conflicts: [Conflict] = []
  /// The names of the configurations whose stores have saved, for ``partialSave``.
  public private(set) var savedConfigurations: [String] = []
  /// For ``partialSave``, the error that kept the remaining stores from saving. For ``modelValidationFailure``, the
  /// error thrown by a value's `encode(to:)`.
  public private(set) var underlyingError: (any Error)?
  /// A specific description with a suggested solution; nil if the kind is sufficient.
  public private(set) var explanation: String?
  /// The affected file path; nil if the error does not concern a file.
  public private(set) var path: String?
  /// The reason why a store cannot be opened; nil for other errors. Not in SwiftData.
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

  /// Returns the error with a specific description.
  package func explained(_ explanation: String, path: String? = nil) -> SwiftDataError {
    with {
      $0.explanation = explanation
      $0.path = path ?? $0.path
    }
  }

  /// Returns the error with all violations and the underlying error.
  package func listing(_ details: [Violation], causedBy cause: (any Error)? = nil) -> SwiftDataError {
    with {
      $0.details = details
      $0.underlyingError = cause
    }
  }

  /// Returns the error with all conflicts.
  package func listing(_ conflicts: [Conflict]) -> SwiftDataError { with { $0.conflicts = conflicts } }

  /// Returns the error with the stores that have saved and the error that kept the remaining stores from saving.
  package func listing(_ savedConfigurations: [String], _ cause: any Error) -> SwiftDataError {
    with {
      $0.savedConfigurations = savedConfigurations
      $0.underlyingError = cause
    }.explained(
      "saved to \(savedConfigurations.map { "'\($0)'" }.joined(separator: ", ")) but not to the other stores: "
        + "\(cause); the unsaved changes are still pending: remove the cause and save again, or roll back")
  }

  // MARK: Fetching

  /// Pending changes are not allowed. Thrown by ``ModelContext/enumerate(_:batchSize:allowEscapingMutations:block:)``.
  /// In contrast to SwiftData, fetches in batches include pending changes.
  public static let includePendingChangesWithBatchSize = SwiftDataError(
    "includePendingChangesWithBatchSize",
    "'enumerate' cannot run while the context has pending changes: save first, or pass "
      + "'allowEscapingMutations: true'")
  /// Identifiers cannot be sorted by unsaved values.
  ///
  /// This library never throws this error, because stores and contexts support such sorting.
  public static let sortingPendingChangesWithIdentifiers = SwiftDataError(
    "sortingPendingChangesWithIdentifiers",
    "identifiers cannot be sorted while changes are pending: save first, or set "
      + "'includePendingChanges' to false")
  /// A key path does not refer to a stored property, or to a property that the operation supports. For example,
  /// prefetching requires relationships, and groups require attributes with plain types.
  public static let unsupportedKeyPath = SwiftDataError(
    "unsupportedKeyPath", "the key path does not refer to a stored property of the model")
  /// A predicate cannot be evaluated: for example, a computation overflows or divides by zero, a range has a lower
  /// bound above the upper bound, or the expressions are nested too deeply. ``explanation`` contains the cause.
  public static let unsupportedPredicate = SwiftDataError("unsupportedPredicate", "the predicate cannot be evaluated")
  /// A sort descriptor cannot be applied, for example if groups are sorted by a value that differs within a group.
  public static let unsupportedSortDescriptor = SwiftDataError(
    "unsupportedSortDescriptor", "the sort descriptor cannot be applied")

  // MARK: Configurations

  /// A configuration's name cannot be used in a file name.
  public static let configurationFileNameContainsInvalidCharacters = SwiftDataError(
    "configurationFileNameContainsInvalidCharacters",
    "the configuration's name cannot be part of a file name: leave out '/' and control characters")
  /// A configuration's name is too long for a file name.
  public static let configurationFileNameTooLong = SwiftDataError(
    "configurationFileNameTooLong",
    "the configuration's name is too long for a file name: keep it below "
      + "\(CompanionFile.longestStoreName) bytes, '.store' included")
  /// A configuration has models that are not in the container, or a container's model is in no configuration.
  public static let configurationSchemaNotFoundInContainerSchema = SwiftDataError(
    "configurationSchemaNotFoundInContainerSchema",
    "the configuration contains models that are not in the container: add them to the container")
  /// Two configurations in a container use the same store or contain the same model.
  public static let duplicateConfiguration = SwiftDataError(
    "duplicateConfiguration", "two configurations in the container use the same store")

  // MARK: Containers and contexts

  /// A store cannot be opened; ``storeProblem`` contains the reason. Also thrown by a save to a store that does not
  /// allow saving.
  ///
  /// ```swift
  /// do {
  ///   let container = try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url))
  /// } catch let error as SwiftDataError where error == .loadIssueModelContainer {
  ///   print(error)  // loadIssueModelContainer: the file is not a database (/home/kari/trips.store)
  /// }
  /// ```
  public static let loadIssueModelContainer = SwiftDataError("loadIssueModelContainer", "the store cannot be opened")
  /// Models violate schema rules. Nothing was written; ``details`` lists all violations.
  public static let modelValidationFailure = SwiftDataError(
    "modelValidationFailure", "models violate schema rules; nothing was saved")
  /// A relationship or attribute could not be read and appeared empty, so values computed from it may be wrong. Nothing
  /// was written; ``details`` lists each model, property and cause. Read the properties again, which clears the
  /// failure, or roll back. Not in SwiftData.
  public static let failedRead = SwiftDataError(
    "failedRead", "the store failed to read values that your code has used; nothing was saved")
  /// A concurrent context or process saved properties that this context has assigned, and the policy is
  /// ``ConflictPolicy/fail``. Nothing was written, the changes are pending, and ``conflicts`` lists the values.
  ///
  /// Call `rollback()`, fetch again, repeat the changes and save. To save the changes as they are, set
  /// ``ModelContext/conflictPolicy`` to ``ConflictPolicy/overwrite`` first. Not in SwiftData.
  public static let saveConflict = SwiftDataError(
    "saveConflict",
    "concurrent saves changed values that this context has changed as well; nothing was saved: "
      + "roll back, fetch again and repeat the changes, or save them under the policy 'overwrite'")
  /// A store could not commit after other stores had committed; ``savedConfigurations`` lists the latter.
  ///
  /// All stores in a container write and validate changes before the first commit. Only the commit itself, or a second
  /// custom store, can therefore fail. Unsaved changes remain pending. Not in SwiftData.
  public static let partialSave = SwiftDataError("partialSave", "some stores have saved and others have not")
  /// A model has no context.
  ///
  /// This library never throws this error. It exists for code shared with SwiftData.
  public static let missingModelContext = SwiftDataError(
    "missingModelContext", "the model has no context: insert it into a context first")
  /// Two threads use the same context concurrently, a trace uses the store that it traces, or a migration step's
  /// context is used after the step. Not in SwiftData.
  public static let contextInUse = SwiftDataError(
    "contextInUse",
    "another thread is using this context: a context belongs to one task or actor, so create a "
      + "separate context for each from the container")

  /// A custom store returned an inconsistent result: a snapshot whose class does not match the identifier, an
  /// identifier from a different store, or the same identifier for two models. The affected models in the context are
  /// unchanged. Not in SwiftData.
  public static let invalidStoreAnswer = SwiftDataError(
    "invalidStoreAnswer", "a custom store returned an inconsistent result")

  // MARK: Migration

  /// The store was written by a newer schema version.
  public static let backwardMigration = SwiftDataError(
    "backwardMigration", "the store was written by a newer schema version: update the app")
  /// A schema, an entity or a value transformer is unknown.
  public static let unknownSchema = SwiftDataError("unknownSchema", "the schema is unknown")
  /// The store's schema is neither the current schema nor in the migration plan.
  public static let unknownDataStoreSchema = SwiftDataError(
    "unknownDataStoreSchema",
    "the store's schema is neither the current one nor in the migration plan: add its "
      + "version to the plan")

  // MARK: History

  /// The history that follows the token has been deleted.
  public static let historyTokenExpired = SwiftDataError(
    "historyTokenExpired", "the history that follows the token has been deleted: start again without a token")
  /// A recorded transaction cannot be read. ``explanation`` describes how to delete the affected history.
  public static let invalidTransactionFetchRequest = SwiftDataError(
    "invalidTransactionFetchRequest", "a transaction in the history cannot be read")
}

extension SwiftDataError: Hashable {
  /// Errors with the same kind are equal, regardless of explanation.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.kind == rhs.kind }

  /// Hashes the kind.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// Lets a `catch` clause match a kind: `catch SwiftDataError.historyTokenExpired`.
  public static func ~= (lhs: SwiftDataError, rhs: any Error) -> Bool {
    (rhs as? SwiftDataError) == lhs
  }
}

// MARK: Messages

extension SwiftDataError: LocalizedError, CustomStringConvertible {
  /// The kind and the explanation, followed by one line per violation.
  public var description: String {
    var text = "\(kind): \(explanation ?? message)"
    if let path { text += " (\(path))" }
    for violation in details { text += "\n  \(violation)" }
    for conflict in conflicts { text += "\n  \(conflict)" }
    return text
  }

  /// Equal to ``description``.
  public var errorDescription: String? { description }
}

// MARK: Violations

extension SwiftDataError {
  /// A violation of a schema rule by a model.
  ///
  /// ```swift
  /// do {
  ///   try context.save()
  /// } catch let error as SwiftDataError where error == .modelValidationFailure {
  ///   for violation in error.details {
  ///     print("\(violation.property ?? violation.model.entityName): \(violation.reason)")
  ///   }
  /// }
  /// ```
  ///
  /// Not in SwiftData.
  public struct Violation: Sendable, Hashable {
    /// The kinds of rule.
    ///
    /// ```swift
    /// func advice(for violation: SwiftDataError.Violation) -> String {
    ///   switch violation.rule {
    ///   case .required: "Fill in \(violation.property ?? "the value")."
    ///   case .unique: "Choose a different \(violation.properties.joined(separator: " or "))."
    ///   default: violation.reason
    ///   }
    /// }
    /// ```
    public enum Rule: String, Sendable {
      /// A required value is missing.
      case required
      /// A relationship has fewer models than the minimum.
      case minimumModelCount
      /// A relationship has more models than the maximum.
      case maximumModelCount
      /// A model to be deleted is still referenced through a `deny` relationship.
      case deny
      /// Another model has the same values for a constraint with the policy `fail`.
      case unique
      /// A concurrent context or process deleted the model, and this context has unsaved changes to it.
      ///
      /// ```swift
      /// do {
      ///   try context.save()
      /// } catch let error as SwiftDataError where error == .modelValidationFailure {
      ///   for lost in error.details where lost.rule == .deletedElsewhere {
      ///     context.delete(context.model(for: lost.model))
      ///   }
      ///   try context.save()  // the remaining changes
      /// }
      /// ```
      case deletedElsewhere
      /// The store failed to read the property; see ``SwiftDataError/failedRead``.
      case unreadable
      /// The property's value cannot be encoded; ``SwiftDataError/underlyingError`` is the cause.
      case unencodable
      /// Any other rule.
      case other
    }

    /// The model that violates the rule.
    public let model: PersistentIdentifier
    /// The affected properties, in the rule's order.
    public let properties: [String]
    /// The violated rule.
    public let rule: Rule
    /// A readable description.
    public let reason: String
    /// The other affected models: those that block a deletion, or the model with the same values.
    public let others: [PersistentIdentifier]

    /// Creates a violation, for example to test code that presents violations.
    ///
    /// - Parameters:
    ///   - model: The model that violates the rule.
    ///   - properties: The affected properties, in the rule's order.
    ///   - rule: The violated rule.
    ///   - reason: A readable description.
    ///   - others: The other affected models.
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

    /// The affected property; the first property for a compound rule.
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
  /// Returns the violation for a changed model that a concurrent context or process deleted.
  package static func deletedElsewhere(_ model: PersistentIdentifier) -> Self {
    Self(
      model: model, properties: [], rule: .deletedElsewhere,
      reason: "was deleted by a concurrent save before this change was saved; delete the model here too, "
        + "roll back, or replace the model with an inserted copy")
  }
}
