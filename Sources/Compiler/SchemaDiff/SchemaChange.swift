package import SchemaDiagnostics
import SchemaModel

/// A difference between two schema versions.
package indirect enum SchemaChange: Sendable {
  case schema(WholeSchemaChange)
  case entity(EntityChange)
  case attribute(AttributeChange)
  case relationship(RelationshipChange)
  case unique(UniqueChange)
  case index(IndexChange)
  case enumeration(EnumChange)
  case structure(StructChange)

  private var detail: any ChangeDetail {
    switch self {
    case .schema(let change): change
    case .entity(let change): change
    case .attribute(let change): change
    case .relationship(let change): change
    case .unique(let change): change
    case .index(let change): change
    case .enumeration(let change): change
    case .structure(let change): change
    }
  }

  /// The change's identifier, such as `attribute-type-changed`.
  package var kind: String { detail.kind }
  /// The newest name of the changed declaration, such as `Trip.name`.
  package var subject: String { detail.subject }
  package var effect: ChangeEffect { detail.effect }
  /// A single-line description with old and new values.
  package var text: String { detail.text }
  /// The declaration in the old schema's files.
  package var oldRange: SourceRange? { detail.oldRange }
  /// The declaration in the new schema's files.
  package var newRange: SourceRange? { detail.newRange }
}

/// The properties that all kinds of changes provide.
package protocol ChangeDetail: Sendable {
  var kind: String { get }
  var subject: String { get }
  var effect: ChangeEffect { get }
  var text: String { get }
  var oldRange: SourceRange? { get }
  var newRange: SourceRange? { get }
}

extension SchemaChange {
  /// The rule that reports the change if the migration does not handle it; `nil` if no handling is required.
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
  /// The rule for a change that keeps all rows but alters how the store behaves from then on.
  package var advice: DiagnosticID? {
    switch self {
    case .unique(.removed): return .uniqueRemoved
    case .relationship(let change) where change.aspect == .deleteRule: return .deleteRuleChanged
    default: return nil
    }
  }

  /// True if only the declaration order changed, which no row depends on.
  package var isOfOrder: Bool {
    switch self {
    case .entity(.propertiesReordered): true
    case .enumeration(let change): if case .reordered = change.aspect { true } else { false }
    case .structure(let change): if case .reordered(ofColumns: false) = change.aspect { true } else { false }
    default: false
    }
  }

  /// All rules of the change that can be accepted.
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
