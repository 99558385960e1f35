/// The names of all versions of its schema that a store has changes of.
extension HistoryNames {
  /// Records the names of the program's version, unless they are recorded.
  ///
  /// - Returns: the number by which changes refer to them.
  package static func record(_ catalogue: StoreCatalogue, _ connection: Connection) throws -> Int64 {
    let text = HistoryNames(catalogue.layout).text
    let recorded = try connection.rows(
      """
      SELECT "epoch", "names" FROM \(name: HistoryTables.names) ORDER BY "epoch" DESC
      """)
    var epoch: Int64 = 1
    if case .integer(let number)? = recorded.first?[0] {
      guard number > 0, StoreMetadata.numbers.contains(number) else {
        throw connection.damage(
          "its own table '\(HistoryTables.names)' has \(number) as an 'epoch', which no program has written")
      }
      // Programs may have the properties in several orders.
      for row in recorded where row[1] == .text(text) {
        if case .integer(let known) = row[0], known > 0 { return known }
      }
      epoch = number + 1
    }
    try connection.executeCached(
      """
      INSERT INTO \(name: HistoryTables.names) ("epoch", "names")
      VALUES (\(value: .integer(epoch)), \(value: .text(text)))
      """)
    return epoch
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
