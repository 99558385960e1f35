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
