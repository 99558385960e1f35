package import SchemaDiagnostics
import SchemaModel

/// One difference between two versions of a schema.
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

  /// What kind of change it is: `attribute-type-changed`.
  package var kind: String { detail.kind }
  /// What changed, by its newest name: `Trip.name`.
  package var subject: String { detail.subject }
  package var effect: ChangeEffect { detail.effect }
  /// One line that names old and new.
  package var text: String { detail.text }
  /// Where it is declared in the old schema's files.
  package var oldRange: SourceRange? { detail.oldRange }
  /// Where it is declared in the new schema's files.
  package var newRange: SourceRange? { detail.newRange }
}

/// What every family of changes can say about its members.
package protocol ChangeDetail: Sendable {
  var kind: String { get }
  var subject: String { get }
  var effect: ChangeEffect { get }
  var text: String { get }
  var oldRange: SourceRange? { get }
  var newRange: SourceRange? { get }
}

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

  /// Whether only the order of declarations changed, which no row depends on.
  package var isOfOrder: Bool {
    switch self {
    case .entity(.propertiesReordered): true
    case .enumeration(let change): if case .reordered = change.aspect { true } else { false }
    case .structure(let change): if case .reordered(ofColumns: false) = change.aspect { true } else { false }
    default: false
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
