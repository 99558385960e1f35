import Foundation

extension StoreOpener {
  /// Compares a store with the schema and brings it up to date where that takes additions only.
  func checked(
    _ metadata: StoreMetadata, _ connection: Connection
  ) throws -> StoreMetadata {
    guard metadata.format <= StoreMetadata.currentFormat else {
      throw file.failure(
        .newerFormat,
        "the store has format \(metadata.format), this library reads up to "
          + "\(StoreMetadata.currentFormat): update the program")
    }
    if metadata.definitions != (try connection.definitions()) {
      // One state of the store: another program may be bringing it to another version.
      try connection.read { try checkDrift(metadata, connection) }
    }
    if metadata.fingerprint == fingerprint, metadata.version == version { return metadata }
    let isSame = try isSame(metadata, connection)
    if isSame, metadata.version > version {
      // The tables may be the same where their values are not. Who knows no number takes them as they are.
      guard !isVersionKnown else { throw newer(metadata.version) }
      return metadata
    }
    if let plan {
      return try TracedStatement.scope(.migration) {
        try migrated(metadata, connection, plan, isSame: isSame)
      }
    }
    if isSame { return mayChange ? try updated(metadata, connection) : metadata }
    guard metadata.version <= version else { throw newer(metadata.version) }
    try checkRole(metadata)
    return try updated(metadata, connection)
  }

  private func updated(
    _ metadata: StoreMetadata, _ connection: Connection
  ) throws -> StoreMetadata {
    try TracedStatement.scope(.migration) { try update(metadata, connection) }
  }

  /// Whether the store may be brought up to date by this program.
  var mayChange: Bool { file.allowsSave && configuration.migration.role == .owner }

  func newer(_ stored: Schema.Version) -> SwiftDataError {
    file.failure(
      .newerSchema,
      "the store has version \(stored) of the schema, the program \(version): update the program")
  }

  func checkRole(_ metadata: StoreMetadata) throws {
    guard configuration.migration.role == .client else { return }
    throw file.failure(
      .needsMigration,
      "the store has version \(metadata.version) of the schema, the program \(version), and this program "
        + "is a client of the store: open it once with the program that owns it ('migration.role' is "
        + "'.owner' there)")
  }

  func update(
    _ metadata: StoreMetadata, _ connection: Connection
  ) throws -> StoreMetadata {
    let difference = try difference(connection)
    try check(difference, metadata, connection)
    guard file.allowsSave else {
      // What is missing cannot be read.
      guard difference.changes.isEmpty else { throw different(difference.changes.map(\.summary)) }
      return metadata
    }
    return try connection.write {
      // Another process may have done it meanwhile.
      guard var current = try StoreMetadata(connection) else { return metadata }
      if current.fingerprint != fingerprint {
        let difference = try self.difference(connection)
        try check(difference, current, connection)
        let views = difference.changes.isEmpty ? [] : try connection.putAsideViews()
        for change in difference.changes {
          if let obstacle = try change.obstacle(connection) { throw different([obstacle]) }
          for statement in try change.statements(connection) {
            try apply(statement, of: change, connection)
          }
        }
        try connection.restore(views)
        try rename(difference.changes, in: &current, connection)
        if let old = try storedSchema(connection) {
          try HistoryNames.migrate(from: old, to: schema, connection)
        }
      }
      try describe(&current, connection)
      return current
    }
  }

  /// - Throws: ``SwiftDataError/unknownDataStoreSchema`` where something stored would be lost or misread.
  private func check(
    _ difference: CatalogueDifference, _ metadata: StoreMetadata, _ connection: Connection
  ) throws {
    var obstacles = difference.obstacles
    if let stored = try storedSchema(connection) {
      obstacles += TextDifference.obstacles(
        from: stored, to: schema, comparesForms: stored.notesForms || metadata.version != version)
      for (property, text) in SchemaDifference.changedForms(from: stored, to: schema)
      where !difference.obstacles.contains(where: { $0.hasPrefix("'\(property)' was ") }) {
        obstacles.append(text)
      }
    }
    let strays = try Strays(in: storedTables(connection), before: catalogue.tables, connection)
    obstacles += strays.conflicts(with: catalogue.tables, after: difference.changes)
    guard obstacles.isEmpty else { throw different(obstacles) }
  }

  private func storedTables(_ connection: Connection) throws -> [TableDefinition] {
    guard let text = try StoreMetadata.text(for: StoreMetadata.Key.tables, connection),
      let stored = try? JSONColumn.value([TableDefinition].self, from: Data(text.utf8))
    else { throw file.failure(.damaged, "the store does not say what its tables are") }
    return stored
  }

  private func difference(_ connection: Connection) throws -> CatalogueDifference {
    let stored = try storedTables(connection)
    let columns = try StoreMetadata.text(for: StoreMetadata.Key.columns, connection).flatMap {
      try? JSONColumn.value([String: String].self, from: Data($0.utf8))
    }
    return CatalogueDifference(from: stored, to: catalogue, columnNames: columns ?? [:])
  }

  private func apply(
    _ statement: SQLFragment, of change: CatalogueDifference.Change, _ connection: Connection
  ) throws {
    do {
      try connection.execute(statement)
    } catch let error as SQLiteError where error.code == .constraint {
      throw different(["\(change.summary): \(error.message)"])
    }
  }

  /// Marks and keys go by the names of tables and columns.
  private func rename(
    _ changes: [CatalogueDifference.Change], in metadata: inout StoreMetadata,
    _ connection: Connection
  ) throws {
    let old = metadata.marks
    for change in changes { metadata.marks = change.renamed(metadata.marks) }
    for mark in metadata.marks.subtracting(old) {
      try StoreMetadata.write(.integer(1), for: mark.key, connection)
    }
    for case .renameTable(let from, let to) in changes {
      let prefix = StoreMetadata.Key.nextPrefix
      let next = try connection.rows(
        """
        SELECT "value" FROM \(name: StoreCatalogue.metadataTable)
        WHERE "key" = \(value: .text(prefix + from))
        """)
      if let value = next.first?.first {
        try StoreMetadata.write(value, for: prefix + to, connection)
      }
    }
  }

  private func different(_ differences: [String]) -> SwiftDataError {
    file.failure(
      .differentSchema,
      "the store's tables are not those of the schema, and a migration is needed:\n"
        + differences.map { "  - \($0)" }.joined(separator: "\n"))
  }

  /// Compares the tables the store says it has with those it has.
  private func checkDrift(_ metadata: StoreMetadata, _ connection: Connection) throws {
    let stored = try storedTables(connection)
    var differences: [String] = []
    for table in stored {
      let columns = try connection.rows("PRAGMA table_info(\(name: table.name))")
      if columns.isEmpty {
        differences.append("table '\(table.name)' is gone")
        continue
      }
      for column in table.columns {
        let found = columns.first { $0[1] == .text(column.name) }
        if found == nil {
          differences.append("column '\(table.name).\(column.name)' is gone")
        } else if found?[2] != .text(column.type.rawValue) {
          differences.append("column '\(table.name).\(column.name)' has another type")
        }
      }
    }
    if metadata.historyEpoch > 0 {
      for name in [HistoryTables.transactions, HistoryTables.tombstones, HistoryTables.names]
      where try connection.rows("PRAGMA table_info(\(name: name))").isEmpty {
        differences.append("table '\(name)' is gone")
      }
    }
    guard differences.isEmpty else {
      throw file.failure(
        .drifted,
        "the store was changed by other means:\n"
          + differences.map { "  - \($0)" }.joined(separator: "\n"))
    }
  }
}
