/// The names of all versions of its schema that a store has changes of.
extension HistoryNames {
  /// Records the names of the program's version, unless they are recorded.
  ///
  /// - Returns: the number by which changes refer to them.
  package static func record(_ catalogue: StoreCatalogue, _ connection: Connection) throws -> Int64 {
    let table: SQLFragment = "\(name: HistoryTables.names)"
    let text = HistoryNames(catalogue.layout).text
    // Programs may have the properties in several orders.
    let known = try connection.integers(
      """
      SELECT "epoch" FROM \(table) WHERE "names" = \(value: .text(text))
      AND "epoch" BETWEEN 1 AND \(value: .integer(StoreMetadata.numbers.upperBound)) ORDER BY 1 DESC LIMIT 1
      """)
    if let epoch = known.first { return epoch }
    let last = try connection.integers("SELECT \"epoch\" FROM \(table) ORDER BY 1 DESC LIMIT 1").first ?? 0
    guard StoreMetadata.numbers.contains(last) else {
      throw connection.damage(
        "its own table '\(HistoryTables.names)' has \(last) as an 'epoch', which no program has written")
    }
    try connection.executeCached(
      "INSERT INTO \(table) (\"epoch\", \"names\") VALUES (\(value: .integer(last + 1)), \(value: .text(text)))")
    return last + 1
  }

  /// Gives everything that was recorded the names it has after a migration.
  package static func migrate(
    from old: Schema, to new: Schema, filled: Set<String> = [], _ connection: Connection
  ) throws {
    for (epoch, names) in try all(connection) {
      let moved = names.following(from: old, to: new, filled: filled)
      guard moved != names else { continue }
      try connection.executeCached(
        """
        UPDATE \(name: HistoryTables.names) SET "names" = \(value: .text(moved.text))
        WHERE "epoch" = \(value: .integer(Int64(epoch)))
        """)
    }
  }

  /// By number.
  package static func all(_ connection: Connection) throws -> [(epoch: Int, names: HistoryNames)] {
    try connection.rows("SELECT \"epoch\", \"names\" FROM \(name: HistoryTables.names)")
      .compactMap { row in
        guard case .integer(let epoch) = row[0], case .text(let text) = row[1],
          let names = HistoryNames(text: text)
        else { return nil }
        return (Int(epoch), names)
      }
  }
}
