import Trellis

/// Compares the store's triggers and its own description with those of a new store.
struct CatalogueChecks {
  private let store: ExaminedStore

  init(_ store: ExaminedStore) { self.store = store }

  func findings() throws -> [Finding] {
    try triggers() + description()
  }

  /// The triggers of a new store with the same schema, by name.
  static func expectedTriggers(_ catalogue: StoreCatalogue) throws -> [String: String] {
    guard !catalogue.externalColumns.isEmpty else { return [:] }
    let memory = try Connection(":memory:", .creating)
    for statement in catalogue.tables.flatMap(\.statements) { try memory.execute(statement) }
    try ExternalFiles(storePath: "", columns: catalogue.externalColumns).prepare(memory)
    return try triggers(in: memory)
  }

  private static func triggers(in connection: Connection) throws -> [String: String] {
    let rows = try connection.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    return Dictionary(rows.map { ($0[0].text, $0[1].text) }, uniquingKeysWith: { first, _ in first })
  }

  private func triggers() throws -> [Finding] {
    let found = try Self.triggers(in: store.connection)
    let missing = try Self.expectedTriggers(store.catalogue).filter { found[$0.key] != $0.value }.keys.sorted()
    guard !missing.isEmpty else { return [] }
    return [
      Finding(
        .missingTrigger, count: missing.count, examples: missing,
        "a trigger that records unused external files is missing or differs, so that such files are never removed")
    ]
  }

  /// The recorded description must follow from the recorded schema.
  private func description() throws -> [Finding] {
    let expected = try StoreMetadata.description(of: store.catalogue, version: store.metadata.version)
    var outdated: [String] = []
    for (key, _) in expected {
      switch key {
      case StoreMetadata.Key.tables:
        let tables = try StoreMetadata.decoded([TableDefinition].self, for: key, store.connection)
        if tables != store.catalogue.tables { outdated.append(key) }
      case StoreMetadata.Key.columns:
        let columns = try StoreMetadata.decoded([String: String].self, for: key, store.connection)
        if columns != store.catalogue.columnNames { outdated.append(key) }
      default: break
      }
    }
    guard !outdated.isEmpty else { return [] }
    return [
      Finding(
        .outdatedDescription, StoreCatalogue.metadataTable, nil, count: outdated.count, examples: outdated,
        "the description of the tables does not follow from the recorded schema")
    ]
  }
}
