/// Migrates all rows of a store in another database. An in-memory SQLite database runs the stages, and rows keep their keys.
package struct RowMigration {
  private let plan: any SchemaMigrationPlan.Type
  private let from: any VersionedSchema.Type
  private let to: any VersionedSchema.Type
  private let version: Schema.Version
  private let identifier: String
  private let path: String

  /// Returns nil for versions that only schema files describe, because the code of their stages is in the program.
  ///
  /// - Parameters:
  ///   - identifier: the identifier of the store.
  ///   - path: the store that errors name.
  package init?(
    _ plan: any SchemaMigrationPlan.Type, from: MigrationVersions.Version, to: MigrationVersions.Version,
    identifier: String, path: String
  ) {
    guard let old = from.type, let new = to.type else { return nil }
    self.plan = plan
    self.from = old
    self.to = new
    version = from.number
    self.identifier = identifier
    self.path = path
  }

  /// Runs the stages.
  ///
  /// - Parameters:
  ///   - snapshots: all rows of the store, with their lists.
  ///   - nextKeys: the first free key, by table of the old version.
  ///   - schema: the models that the store has afterwards.
  /// - Returns: all rows of the new version, and the first free keys of its tables.
  /// - Throws: what the stages throw; ``SwiftDataError`` with ``StoreProblem/migrationFailed`` for a stage that lacks
  ///   something.
  package func run(
    _ snapshots: [DefaultSnapshot], nextKeys: [String: Int64], to schema: Schema
  ) throws -> (snapshots: [DefaultSnapshot], nextKeys: [String: Int64]) {
    let old = try DefaultStore(
      Self.configuration(Schema(versionedSchema: from)), identifier: identifier, version: version, path: path)
    try old.load(snapshots, nextKeys: nextKeys, dropsDanglingReferences: true)
    // A step may use models that another store of the container keeps.
    let new = try DefaultStore(
      Self.configuration(Schema(versionedSchema: to)), migrationPlan: plan, identifier: nil, over: old, path: path)
    let keys = try new.exclusively { try new.nextKeys($0) }
    let own = try new.allSnapshots().filter { $0.entityName.map { schema.entitiesByName[$0] != nil } ?? false }
    return (own, keys)
  }

  private static func configuration(_ schema: Schema) -> ModelConfiguration {
    var configuration = ModelConfiguration("migration", schema: schema, isStoredInMemoryOnly: true)
    configuration.history.isRecorded = false
    return configuration
  }
}
