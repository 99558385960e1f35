package import SchemaDiagnostics

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
