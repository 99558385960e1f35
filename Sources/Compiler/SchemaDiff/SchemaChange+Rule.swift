package import SchemaDiagnostics
import SchemaModel

extension SchemaChange {
  /// The rule that has something to say about the change when nothing is done about it; nil for one
  /// that needs nothing.
  package var rule: DiagnosticID? {
    guard effect > .automatic else { return nil }
    switch self {
    case .schema, .index: return nil
    case .entity(.removed): return .entityDropped
    case .entity: return .superclassChanged
    case .attribute(let change): return change.rule
    case .relationship(let change): return change.rule
    case .unique: return .uniqueAdded
    case .enumeration(let change):
      if case .rawValue = change.aspect { return .enumRawChanged }
      if case .rawType = change.aspect { return .enumRawChanged }
      switch change.aspect {
      case .coding, .conformances: return .compositeShapeChanged
      default: return .enumCaseRemoved
      }
    case .structure: return .compositeShapeChanged
    }
  }
}

extension SchemaChange {
  /// The rule for a change no row is lost by, and which means something else to those who use the
  /// store from then on.
  package var advice: DiagnosticID? {
    switch self {
    case .unique(.removed): return .uniqueRemoved
    case .relationship(let change) where change.aspect == .deleteRule: return .deleteRuleChanged
    default: return nil
    }
  }

  /// Everything of it that can be accepted.
  package var rules: [DiagnosticID] { [rule, advice].compactMap { $0 } }
}

extension AttributeChange {
  fileprivate var rule: DiagnosticID {
    switch aspect {
    case .added, .becameStored, .optionRemoved(.ephemeral): return .newRequiredAttribute
    case .type:
      guard let old, let new else { return .typeChanged }
      if case .optional(let inner) = old.type, inner == new.type { return .requiredWithoutDefault }
      return TypeConversion.isNarrower(new.type, than: old.type) ? .typeNarrowed : .typeChanged
    case .removed, .becameTransient, .optionAdded(.ephemeral): return .attributeDropped
    case .transformer, .storage, .optionAdded, .optionRemoved: return .typeChanged
    case .renamed, .defaultValue, .unknown, .hashModifier, .originalName, .access, .setterAccess, .mutability:
      return .typeChanged
    }
  }
}

extension RelationshipChange {
  fileprivate var rule: DiagnosticID {
    switch aspect {
    case .added: .newRequiredRelationship
    case .removed: .relationshipDropped
    case .cardinality, .destination: .cardinalityChanged
    case .minimumCount, .maximumCount: .countBoundTightened
    case .order: .orderDropped
    case .inverse, .renamed, .deleteRule, .hashModifier, .originalName, .defaultValue, .access,
      .setterAccess:
      .inverseChanged
    }
  }
}
