import SchemaDiff
import SchemaModel
import SchemaVersions

/// A released version that an external system has adopted, and the subsequent changes.
struct Promotion: Sendable {
  let from: ResolvedSchema
  /// The changes in all later versions; empty for the newest version.
  let changes: [SchemaChange]

  /// - Parameter version: The newest promoted version. If the schema has no such version, the newest version with a
  ///   smaller number is used.
  init?(_ history: SchemaHistory, _ version: String?) {
    guard let version = version.flatMap({ SchemaVersion($0) }),
      let from = history.frozen.last(where: { $0.version <= version })
    else { return nil }
    self.from = from
    changes = SchemaDiff.changes(through: history.way(from: from, to: history.head) ?? [from, history.head])
  }
}
