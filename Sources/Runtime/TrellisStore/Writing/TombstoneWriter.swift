/// Records preserved values before an entity's rows are deleted.
struct TombstoneWriter {
  let entity: EntityLayout
  /// The entity number in the history row.
  let number: Int
  let transaction: Int64
  let connection: Connection

  /// Writes tombstones for rows that will be deleted.
  func write(_ keys: [Int64], _ files: ExternalFiles?) throws {
    let preserved = entity.preservedColumns.flatMap { column in
      column.names.map { (name: $0, isExternal: column.property.isExternal) }
    }
    let size = HistoryTables.valuesPerRow
    for start in stride(from: 0, to: preserved.count, by: size) {
      let names = preserved[start..<min(preserved.count, start + size)].map(\.name)
      try connection.executeCached(
        """
        INSERT OR IGNORE INTO \(name: HistoryTables.tombstones)
        ("transaction", "entity", "key", "part", \(names: names.indices.map(HistoryTables.value)))
        SELECT \(value: .integer(transaction)), \(value: .integer(Int64(number))), \(name: entity.keyColumn),
        \(number: start / size), \(names: names) FROM \(name: entity.table)
        WHERE \(name: entity.keyColumn) IN (SELECT "value" FROM json_each(\(value: .keys(keys))))
        """)
    }
    guard let files else { return }
    for (position, column) in preserved.enumerated() where column.isExternal {
      try readFiles(part: position / size, "\(name: HistoryTables.value(position % size))", files)
    }
  }

  /// Replaces file names with file contents, because the files are deleted with the rows.
  private func readFiles(part: Int, _ value: SQLFragment, _ files: ExternalFiles) throws {
    let row: SQLFragment = """
      "transaction" = \(value: .integer(transaction)) AND "entity" = \(value: .integer(Int64(number)))
      AND "part" = \(number: part)
      """
    let named = try connection.rows(
      """
      SELECT "key", \(value) FROM \(name: HistoryTables.tombstones)
      WHERE \(row) AND typeof(\(value)) = 'text'
      """)
    for found in named {
      guard case .integer(let key) = found[0], case .text(let name) = found[1] else { continue }
      // An unreadable file does not prevent the deletion. The error is reported when the tombstone is read.
      let data = try? files.file(named: name)?.read()
      try connection.executeCached(
        """
        UPDATE \(name: HistoryTables.tombstones)
        SET \(value) = \(value: data.map { .blob(Array($0)) } ?? .null)
        WHERE \(row) AND "key" = \(value: .integer(key))
        """)
    }
  }
}
