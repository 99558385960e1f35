package import Trellis

/// Compares the store's tables, triggers and recorded description with a new store.
package struct CatalogueChecks {
  private let store: ExaminedStore

  init(_ store: ExaminedStore) { self.store = store }

  var parts: [() throws -> [Finding]] { [tables, indexes, triggers, description, metadata] }

  private var connection: Connection { store.connection }

  private func tables() throws -> [Finding] {
    let names = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").map(\.[0].text)
    return try connection.driftedColumns(of: HistoryTables.definitions + store.catalogue.tables).map {
      Finding(.differentTable, nil, nil, $0)
    }
      + names.filter { $0.hasPrefix("trellis_old_") || $0.hasPrefix("trellis_moving_") }.map {
        Finding(.differentTable, nil, nil, "the temporary table '\($0)' still exists")
      }
  }

  private func indexes() throws -> [Finding] {
    try store.catalogue.tables.flatMap { table in
      let known = try connection.indexes(of: table.name).map(\.index)
      return table.indexes.filter { index in !known.contains { $0.isSame(as: index) } }.map { index in
        Finding(
          .differentTable, nil, nil,
          "the index on '\(table.name)' (\(index.columns.joined(separator: ", "))) is missing",
          isRepairable: true)
      }
    }
  }

  /// The expected triggers by name, taken from a new store with the same schema.
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

  /// Returns the names of triggers that other programs have added or changed.
  package static func foreignTriggers(in connection: Connection, _ catalogue: StoreCatalogue) throws -> [String] {
    let expected = try expectedTriggers(catalogue)
    return try triggers(in: connection).filter { expected[$0.key] != $0.value }.keys.sorted()
  }

  private func triggers() throws -> [Finding] {
    let found = try Self.triggers(in: connection)
    let missing = try Self.expectedTriggers(store.catalogue).filter { found[$0.key] != $0.value }.keys.sorted()
    var findings: [Finding] = []
    if !store.catalogue.externalColumns.isEmpty, try !connection.tableNames().contains(ExternalFiles.table) {
      findings.append(
        Finding(.missingTrigger, ExternalFiles.table, nil, "the table is missing, so that rows cannot be deleted"))
    }
    if !missing.isEmpty {
      findings.append(
        Finding(
          .missingTrigger, count: missing.count, examples: missing,
          "a trigger that records unused external files is missing or differs, so that such files are never removed"))
    }
    return findings
  }

  /// Checks metadata values that are not needed to open the store.
  private func metadata() throws -> [Finding] {
    func text(_ key: String) throws -> String? {
      if case .text(let text)? = try StoreMetadata.value(for: key, connection) { text } else { nil }
    }
    var unreadable: [String] = []
    if try text(StoreMetadata.Key.version) != store.metadata.version.description {
      unreadable.append(StoreMetadata.Key.version)
    }
    let source = try StoreMetadata.value(for: StoreMetadata.Key.source, connection)
    if source != nil, source != .text(""), store.sources().isEmpty { unreadable.append(StoreMetadata.Key.source) }
    let epoch = Int(store.metadata.historyEpoch)
    let names = try HistoryNames.all(connection).map(\.epoch)
    if !names.isEmpty, !names.contains(epoch) { unreadable.append(StoreMetadata.Key.historyEpoch) }
    return unreadable.map {
      Finding(.unreadableSchema, StoreCatalogue.metadataTable, $0, "the recorded value cannot be read")
    }
  }

  /// Checks that the recorded description matches the recorded schema.
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
