import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// Names that a version no longer declares.
enum RetiredNames {
  static func names(from old: ResolvedSchema, to new: ResolvedSchema) -> [String] {
    SchemaDiff.changes(from: old, to: new).compactMap { change in
      switch change {
      case .entity(.removed(let entity)): entity.name
      case .attribute(let change) where change.aspect == .removed:
        isInherited(change.old?.name, by: change.entity, in: new) ? nil : change.subject
      case .relationship(let change) where change.aspect == .removed:
        isInherited(change.old?.name, by: change.entity, in: new) ? nil : change.subject
      default: nil
      }
    }.ordered()
  }

  /// Returns true if a superclass declares the name.
  private static func isInherited(_ name: String?, by entity: String, in schema: ResolvedSchema) -> Bool {
    let line = schema.lineage(of: entity)
    return schema.entities.contains { ancestor in
      ancestor.name != entity && line.contains(ancestor.name)
        && ancestor.properties.contains { property in
          switch property {
          case .attribute(let attribute): attribute.name == name && !attribute.isTransient
          case .relationship(let relationship): relationship.name == name
          }
        }
    }
  }
}
