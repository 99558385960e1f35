import SchemaDiff
import SchemaModel
import SchemaVersions

/// A released version that another system has taken in, and what changed since.
struct Promotion: Sendable {
  let from: ResolvedSchema
  /// Over all versions between; empty while the version itself is edited.
  let changes: [SchemaChange]

  /// - Parameter version: the newest version that was promoted. A schema that has its own numbers, and
  ///   was not released with this one, has an older one.
  init?(_ history: SchemaHistory, _ version: String?) {
    guard let version = version.flatMap({ SchemaVersion($0) }),
      let from = history.frozen.last(where: { $0.version <= version })
    else { return nil }
    self.from = from
    changes = SchemaDiff.changes(through: history.versions.filter { $0.version >= from.version })
  }
}
