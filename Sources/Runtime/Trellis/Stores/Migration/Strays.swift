/// What other programs have put where the tables of a store are. Programs of ours read and write beside it; a
/// migration has no place for it.
struct Strays {
  /// Columns of tables of ours.
  private(set) var columns: [(table: TableDefinition, name: String)] = []
  /// Tables and views with names that tables of a newer version are to have.
  private(set) var inTheWay: [String] = []

  /// - Parameters:
  ///   - tables: what the store has by its own word.
  ///   - later: what it is to have on the way and in the end.
  init(in tables: [TableDefinition], before later: [TableDefinition], _ connection: Connection) throws {
    for table in tables {
      let found = try connection.rows("PRAGMA table_info(\(name: table.name))").map { $0[1].text }
      for name in found where !table.columns.contains(where: { NameScope.areEqual($0.name, name) }) {
        columns.append((table, name))
      }
    }
    let names = try connection.rows("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')").map(\.[0].text)
    inTheWay = names.filter { name in
      !tables.contains { NameScope.areEqual($0.name, name) } && later.contains { NameScope.areEqual($0.name, name) }
    }
  }

  /// What stands in the way of a migration, with the way out; nil where nothing does.
  func obstacle(_ policy: ModelConfiguration.StrayColumnPolicy) -> String? {
    var lines: [String] = []
    var ways: [String] = []
    if policy == .refuse, let first = columns.first {
      lines += columns.map { "column '\($0.table.name).\($0.name)' is of no version of the schema" }
      ways.append(
        "take along what such a column holds and drop it (\(Self.drop(first.name, of: first.table.name).text)), or "
          + "set 'migration.strayColumns' of the configuration to '.drop': the copy beside the store keeps it")
    }
    if !inTheWay.isEmpty {
      lines += inTheWay.map { "table '\($0)' is of another program, and one of the schema is to have its name" }
      ways.append("rename such a table, or drop it")
    }
    guard !lines.isEmpty else { return nil }
    return "the store was changed by other means, and a migration would lose it; nothing was touched:\n"
      + lines.map { "  - \($0)" }.joined(separator: "\n") + "\n" + ways.joined(separator: "; ")
  }

  /// What has the name of something that is to be added, where everything else stays.
  func conflicts(with tables: [TableDefinition], after changes: [CatalogueDifference.Change]) -> [String] {
    var names: [String: String] = [:]
    for case .renameTable(let from, let to) in changes { names[from] = to }
    let taken = columns.filter { stray in
      let name = names[stray.table.name] ?? stray.table.name
      let table = tables.first { $0.name == name }
      return table?.columns.contains { NameScope.areEqual($0.name, stray.name) } ?? false
    }.map { "column '\($0.table.name).\($0.name)'" } + inTheWay.map { "table '\($0)'" }
    return taken.map { "\($0) is of another program, and one of the schema is to have its name: rename it, or drop it" }
  }

  static func drop(_ column: String, of table: String) -> SQLFragment {
    "ALTER TABLE \(name: table) DROP COLUMN \(name: column)"
  }
}

extension Migrator {
  /// Drops the columns of other programs, with the indexes they have made of these tables.
  func dropStrays() throws {
    for (table, column) in strays?.columns ?? [] {
      for (name, index) in try connection.indexes(of: table.name)
      where !table.indexes.contains(where: { $0.isSame(as: index) }) {
        try connection.execute("DROP INDEX \(name: name)")
      }
      do {
        try connection.execute(Strays.drop(column, of: table.name))
      } catch let error as SQLiteError where error.code != .full {
        throw failure(
          "column '\(table.name).\(column)' is of another program and cannot be dropped: \(error.message)")
      }
    }
  }
}
