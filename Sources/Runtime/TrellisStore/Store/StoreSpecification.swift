import Foundation

/// The store to open: schema, version, tables and file.
struct StoreSpecification {
  let configuration: ModelConfiguration
  let schema: Schema
  let catalogue: StoreCatalogue
  let file: StoreFile
  let versions: ProgramVersions
  let files: ExternalFiles?

  /// - Parameters:
  ///   - version: The schema version, if known to the caller. Several versions may have the same models.
  ///   - versions: Versions from schema files, oldest first, ending with the schema's; empty for an app.
  init(
    _ configuration: ModelConfiguration, schema: Schema, catalogue: StoreCatalogue,
    plan: (any SchemaMigrationPlan.Type)? = nil, version: Schema.Version? = nil, files versions: [Schema] = []
  ) throws {
    self.versions = ProgramVersions(schema, plan, number: version, files: versions)
    self.configuration = configuration
    self.schema = schema
    self.catalogue = catalogue
    let path = configuration.isStoredInMemoryOnly ? "" : try configuration.storePath()
    self.file = StoreFile(
      path: path, allowsSave: configuration.allowsSave, isDefaultLocation: configuration.isDefaultLocation,
      isPrivate: configuration.isDefaultLocation && configuration.groupContainer.identifier != nil,
      trace: StatementTrace(configuration.trace, storeName: configuration.name))
    let columns = catalogue.externalColumns
    self.files =
      configuration.isStoredInMemoryOnly || columns.isEmpty
      ? nil : ExternalFiles(storePath: path, columns: columns)
  }

  /// Records the current schema and table definitions in the metadata.
  func describe(_ metadata: inout StoreMetadata, _ connection: Connection) throws {
    metadata.fingerprint = versions.fingerprint
    metadata.version = versions.number
    metadata.valueTypes = versions.valueTypes
    try files?.prepare(connection)
    metadata.order = SchemaFingerprint.order(of: schema)
    metadata.historyEpoch = try HistoryNames.record(catalogue, connection)
    metadata.definitions = try connection.definitions()
    for (key, value) in try StoreMetadata.description(of: catalogue, version: versions.number) {
      try StoreMetadata.write(.text(value), for: key, connection)
    }
    try StoreMetadata.write(.integer(metadata.definitions), for: StoreMetadata.Key.definitions, connection)
    try StoreMetadata.write(.integer(metadata.historyEpoch), for: StoreMetadata.Key.historyEpoch, connection)
    try StoreMetadata.write(.text(metadata.order), for: StoreMetadata.Key.order, connection)
  }
}
