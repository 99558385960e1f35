/// The statements that record the preserved values of an entity's rows before the rows are deleted.
package final class TombstonePlan: Sendable {
  /// Parameter 1 is a list of keys, 2 the number of the transaction, 3 that of the entity. There are several statements if
  /// the values do not fit in one row.
  private let statements: [String]
  /// The values that may be names of files.
  let external: [Place]

  struct Place: Sendable {
    var part: Int
    var value: Int
  }

  /// - Returns: nil if no attribute is preserved.
  init?(_ entity: EntityLayout) {
    let columns = entity.preservedColumns
    guard !columns.isEmpty else { return nil }
    let names = columns.flatMap(\.names)
    var external: [Place] = []
    var position = 0
    for column in columns {
      if column.property.isExternal {
        external.append(
          Place(
            part: position / HistoryTables.valuesPerRow, value: position % HistoryTables.valuesPerRow))
      }
      position += column.names.count
    }
    self.external = external
    statements = stride(from: 0, to: names.count, by: HistoryTables.valuesPerRow).map { start in
      Self.insertion(
        names[start..<min(names.count, start + HistoryTables.valuesPerRow)],
        part: start / HistoryTables.valuesPerRow, of: entity)
    }
  }

  private static func insertion(
    _ names: ArraySlice<String>, part: Int, of entity: EntityLayout
  ) -> String {
    let values = names.indices.map { index -> SQLFragment in
      "\(name: HistoryTables.value(index - names.startIndex))"
    }
    let columns = names.map { "\(name: $0)" as SQLFragment }
    let statement: SQLFragment = """
      INSERT OR IGNORE INTO \(name: HistoryTables.tombstones)
      ("transaction", "entity", "key", "part", \(values.joined(separator: ", ")))
      SELECT ?2, ?3, \(name: entity.keyColumn), \(number: part), \(columns.joined(separator: ", "))
      FROM \(name: entity.table) WHERE \(name: entity.keyColumn) IN (SELECT "value" FROM json_each(?1))
      """
    return statement.text
  }

  /// Writes the tombstones of rows that will be deleted.
  func write(
    _ keys: SQLValue, transaction: Int64, entity: Int, files: ExternalFiles?, _ connection: Connection
  ) throws {
    for text in statements {
      let statement = try connection.take(text)
      defer { connection.giveBack(statement) }
      try statement.bind(keys, at: 1)
      statement.bind(transaction, at: 2)
      statement.bind(Int64(entity), at: 3)
      try statement.run()
    }
    guard let files else { return }
    for place in external { try readFiles(place, transaction, entity, files, connection) }
  }

  /// Replaces the names of files by their contents, because the files are deleted with the rows.
  private func readFiles(
    _ place: Place, _ transaction: Int64, _ entity: Int, _ files: ExternalFiles,
    _ connection: Connection
  ) throws {
    let value: SQLFragment = "\(name: HistoryTables.value(place.value))"
    let row: SQLFragment = """
      "transaction" = \(value: .integer(transaction)) AND "entity" = \(value: .integer(Int64(entity)))
      AND "part" = \(value: .integer(Int64(place.part)))
      """
    let named = try connection.rows(
      """
      SELECT "key", \(value) FROM \(name: HistoryTables.tombstones)
      WHERE \(row) AND typeof(\(value)) = 'text'
      """)
    for found in named {
      guard case .integer(let key) = found[0], case .text(let name) = found[1] else { continue }
      // An unreadable file does not prevent the deletion. Reading the tombstone reports it.
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

extension EntityLayout {
  /// The attributes whose values a deletion preserves.
  package var preservedColumns: [ColumnLayout] {
    columns.filter { $0.property.attribute?.options.contains(.preserveValueOnDeletion) == true }
  }
}
