import SchemaDiff
import SchemaModel

/// What a version no longer has.
enum RetiredNames {
  static func names(from old: ResolvedSchema, to new: ResolvedSchema) -> [String] {
    SchemaDiff.changes(from: old, to: new).compactMap { change in
      switch change {
      case .entity(.removed(let entity)): entity.name
      case .attribute(let change) where change.aspect == .removed: change.subject
      case .relationship(let change) where change.aspect == .removed: change.subject
      default: nil
      }
    }.sorted()
  }
}
