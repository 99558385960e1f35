import Foundation

extension DefaultStore {
  /// Opens the store, or creates it.
  ///
  /// Opening adds new models, optional or defaulted attributes and indexes, and applies `originalName`. Any other
  /// difference needs a plan: a store of one of its versions runs the stages from there to the current version, in one
  /// transaction. A store that has none of these versions stays unchanged.
  ///
  /// - Throws: ``SwiftDataError`` with a ``SwiftDataError/storeProblem``.
  public convenience init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil
  ) throws {
    try self.init(configuration, migrationPlan: migrationPlan, identifier: nil)
  }

  /// - Parameters:
  ///   - identifier: the identifier of a new store; nil for a random one.
  ///   - version: the version of the schema, where the caller knows it; versions may have equal models.
  ///   - older: an in-memory store whose database this store takes over and migrates. It must not be used afterwards.
  package convenience init(
    _ configuration: ModelConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    identifier: String?, version: Schema.Version? = nil, over older: DefaultStore? = nil
  ) throws {
    guard let schema = configuration.schema else {
      throw SwiftDataError.unknownSchema.explained(
        "configuration '\(configuration.name)' has no schema")
    }
    if let migrationPlan { try PlanRules.check(migrationPlan) }
    var catalogue = try CatalogueBuilder.catalogue(of: schema)
    catalogue.layout.formerNames = migrationPlan.map { plan in FormerNames(plan, of: schema).current }
    try schema.checkTransformers()
    let specification = try StoreSpecification(
      configuration, schema: schema, catalogue: catalogue, plan: migrationPlan, version: version)
    let opened = try StoreOpener(specification, identifier: identifier, memory: older?.pool).open()
    self.init(
      configuration, opened,
      keys: KeyBlocks(path: configuration.isStoredInMemoryOnly ? nil : configuration.url.path),
      history: configuration.history.isRecorded && configuration.allowsSave
        ? HistoryLog(
          opened.catalogue, store: opened.metadata.identifier, epoch: opened.metadata.historyEpoch,
          retaining: configuration.history.retention.limit) : nil)
    if case .file = pool.place {
      // The given path, because a redirected link replaces the store.
      pool.watch = StoreWatch(metadata: opened.metadata, path: configuration.url.path)
    }
  }
}
