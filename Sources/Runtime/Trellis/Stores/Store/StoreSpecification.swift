import Foundation

/// The store that a program asks for: its schema and version, the tables that they need, and the file.
struct StoreSpecification {
  let configuration: ModelConfiguration
  let schema: Schema
  /// The tables; those of pairs have the names that they have in the store, once that is open.
  var catalogue: StoreCatalogue
  let file: StoreFile
  let fingerprint: String
  /// See ``Schema/valueTypes``.
  let valueTypes: String
  let files: ExternalFiles?
  let plan: (any SchemaMigrationPlan.Type)?
  /// The version of the schema: that of the plan, if the plan has the schema.
  let version: Schema.Version
  /// False if neither the plan nor the schema states the version.
  let isVersionKnown: Bool
  /// True if the schema has a released version: a frozen one, or a former one in the plan.
  let hasReleases: Bool

  /// - Parameter version: the version of the schema, if the caller knows it; versions may have equal models.
  init(
    _ configuration: ModelConfiguration, schema: Schema, catalogue: StoreCatalogue,
    plan: (any SchemaMigrationPlan.Type)? = nil, version: Schema.Version? = nil
  ) throws {
    self.plan = plan
    let known = version ?? plan?.version(of: schema)?.versionIdentifier
    self.version = known ?? schema.storedVersion
    self.isVersionKnown = known != nil || schema.isVersionKnown
    self.hasReleases = schema.hasReleases || (plan?.schemas.count ?? 0) > 1
    self.configuration = configuration
    self.schema = schema
    self.catalogue = catalogue
    self.fingerprint = SchemaFingerprint.text(of: schema)
    self.valueTypes = schema.valueTypes
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

  /// Records in the metadata what the tables of the store are now.
  func describe(_ metadata: inout StoreMetadata, _ connection: Connection) throws {
    metadata.fingerprint = fingerprint
    metadata.version = version
    metadata.valueTypes = valueTypes
    try files?.prepare(connection)
    metadata.historyEpoch = try HistoryNames.record(catalogue, connection)
    metadata.definitions = try connection.definitions()
    let values: [(String, SQLValue)] = [
      (StoreMetadata.Key.fingerprint, .text(fingerprint)),
      (StoreMetadata.Key.version, .text(version.description)),
      (StoreMetadata.Key.valueTypes, .text(valueTypes)),
      (StoreMetadata.Key.schema, .text(try JSONColumn.text(of: schema))),
      (StoreMetadata.Key.tables, .text(try JSONColumn.text(of: catalogue.tables))),
      (StoreMetadata.Key.columns, .text(try JSONColumn.text(of: catalogue.columnNames))),
      (StoreMetadata.Key.definitions, .integer(metadata.definitions)),
      (StoreMetadata.Key.historyEpoch, .integer(metadata.historyEpoch)),
    ]
    for (key, value) in values { try StoreMetadata.write(value, for: key, connection) }
    let sources = schema.sources.map(\.text)
    if !sources.isEmpty {
      try StoreMetadata.write(
        .text(sources.joined(separator: "\n")), for: StoreMetadata.Key.source, connection)
    }
  }
}
