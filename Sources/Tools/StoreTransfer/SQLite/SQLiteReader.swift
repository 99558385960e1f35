import Foundation
import Trellis

/// Reads an SQLite database's structure and value types.
package struct SQLiteReader {
  private let connection: Connection
  private let path: String
  private var database: ForeignDatabase
  private let progress: TransferProgress

  /// - Throws: ``TransferError`` if the file is a Trellis, SwiftData or Core Data store, cannot be read, or changes.
  package static func read(
    _ file: ForeignFile, name: String, progress: @escaping TransferProgress = { _ in }
  ) throws -> ForeignDatabase {
    do {
      return try file.read {
        var reader = try SQLiteReader(file, name, progress)
        try reader.readTables()
        return reader.database
      }
    } catch let error as SQLiteError {
      throw TransferError("\(file.path): cannot be read: \(error.message)")
    }
  }

  private init(_ file: ForeignFile, _ name: String, _ progress: @escaping TransferProgress) throws {
    connection = try file.open()
    path = file.path
    self.progress = progress
    database = ForeignDatabase(name: name)
    try refuseOtherForms()
  }

  /// Rejects Apple's and Trellis's own stores, naming the command to use instead.
  private func refuseOtherForms() throws {
    let tables = Set(try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map(\.[0].text))
    if tables.contains(StoreCatalogue.metadataTable) {
      throw TransferError(
        "\(path): is a Trellis store already; open it with its schema, copy it with 'trellis store copy', or export "
          + "rows with 'trellis export'")
    }
    if tables.contains("Z_METADATA"), tables.contains("Z_PRIMARYKEY") {
      throw TransferError(
        "\(path): was written by SwiftData or Core Data; import it with 'trellis import --from store'")
    }
  }

  // MARK: objects

  private mutating func readTables() throws {
    let objects = try connection.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid")
    let list = try connection.rows("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'")
    let kinds = Dictionary(list.map { ($0[0].text, (kind: $0[1].text, isRowless: $0[2] == .integer(1))) }) { $1 }
    let modules = objects.filter { $0[0].text == "table" }
      .compactMap { row in ShadowTables(of: row[1].text, row[3].text).map { (row[1].text, $0) } }
    let virtual = Dictionary(modules) { $1 }
    let shadows = Set(modules.flatMap(\.1.names))
    for object in objects {
      let (type, name, sql) = (object[0].text, object[1].text, object[3].text)
      if name.lowercased().hasPrefix("sqlite_") { continue }
      switch type {
      case "view": skip("view", name, "write a fetch descriptor, or a query with your own SQL")
      case "trigger": skip("trigger", name, "on '\(object[2].text)'; write code that runs before a save")
      case "table" where virtual[name] != nil: skip("virtual table", name, reason(name, virtual[name]?.rowTable))
      case "table" where shadows.contains(name): continue
      case "table":
        if let reason = Self.bookkeeping(name) {
          skip("table", name, reason)
        } else {
          let table = try table(name, sql, isRowless: kinds[name]?.isRowless ?? false)
          if table.numbering == .none, table.primaryKey.isEmpty {
            skip("table without a key", name, "its columns hide SQLite's row number; add a primary key")
          } else {
            database.tables.append(table)
          }
        }
      default: continue
      }
    }
    resolveTargets()
  }

  private mutating func skip(_ kind: String, _ name: String, _ reason: String) {
    database.skipped.append(SkippedObject(kind: kind, name: name, reason: reason))
  }

  /// Describes the rows of a virtual table.
  ///
  /// - Parameter rowTable: The shadow table with a row for each row, if the module stores them.
  private func reason(_ name: String, _ rowTable: String?) -> String {
    guard let rowTable, let count = try? connection.integers("SELECT count(*) FROM \(name: rowTable)").first else {
      return "its rows are derived from other tables, or belong to a module"
    }
    let (old, new) = (SQLFragment.quoted(name), SQLFragment.quoted(name + "2"))
    let (rows, them) = count == 1 ? ("row exists", "it") : ("\(count) rows exist", "them")
    return "its \(rows) nowhere else; to keep \(them), create an ordinary table with "
      + "'CREATE TABLE \(new) AS SELECT * FROM \(old)' and import again"
  }

  /// Describes a table in which a framework records its own state, such as completed migrations.
  package static func bookkeeping(_ table: String) -> String? {
    if table.lowercased() == "android_metadata" { return "contains Android's locale" }
    return migrationTables[table.lowercased()].map { "records migrations of \($0)" }
  }

  private static let migrationTables = [
    "room_master_table": "Room", "django_migrations": "Django",
    "_fluent_migrations": "Fluent", "_fluent_enums": "Fluent", "grdb_migrations": "GRDB", "schema_migrations": "Rails",
    "ar_internal_metadata": "Rails", "alembic_version": "Alembic", "__efmigrationshistory": "Entity Framework",
    "knex_migrations": "Knex", "knex_migrations_lock": "Knex", "flyway_schema_history": "Flyway",
    "_prisma_migrations": "Prisma",
  ]

  // MARK: a table

  private func table(_ name: String, _ sql: String, isRowless: Bool) throws -> ForeignTable {
    progress(TransferStep(.reading, name, done: 0))
    let info = try connection.rows(
      "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(\(value: .text(name)))"
    )
    .filter { $0[5] != .integer(1) }
    let names = info.map(\.[0].text)
    let scan = try ValueScan(name, names, connection) { [progress] in progress(TransferStep(.reading, name, done: $0)) }
    var table = ForeignTable(name: name, columns: [])
    table.rowCount = scan.rows
    table.primaryKey = info.filter { $0[4] != .integer(0) }
      .sorted { Self.number($0[4]) < Self.number($1[4]) }.map(\.[0].text)
    table.foreignKeys = try foreignKeys(of: name)
    let checks = CheckConstraint.read(sql)
    let references = Set(table.foreignKeys.flatMap(\.columns) + table.primaryKey)
    for (row, values) in zip(info, scan.columns) {
      let columnName = row[0].text
      let choices = checks.compactMap(\.choices).first { $0.column.lowercased() == columnName.lowercased() }
      let typing = ColumnTyping(
        name: columnName, declared: row[1].text, values: values, isKey: references.contains(columnName))
      var column = ForeignColumn(name: columnName, declaredType: row[1].text, type: typing.type(choices?.values))
      column.isRequired = row[2] != .integer(0) || row[4] != .integer(0) && isRowless
      column.defaultValue = if case .text(let text) = row[3] { text } else { nil }
      column.isGenerated = row[5] == .integer(2) || row[5] == .integer(3)
      column.values = values.counts
      column.dateForms = typing.dateForms
      table.columns.append(column)
    }
    table.remarks = checks.filter { $0.choices == nil }.map { "CHECK (\($0.text)) is not carried over" }
    try readIndexes(&table)
    let pair = table.foreignKeys.flatMap(\.columns)
    if table.foreignKeys.count == 2, pair.count == 2 {
      table.hasDistinctPairs =
        try table.isUnique(pair)
        || connection.rows("SELECT 1 FROM \(name: name) GROUP BY \(names: pair) HAVING count(*) > 1 LIMIT 1").isEmpty
    }
    table.numbering = numbering(of: table, isRowless: isRowless, try hasKeyIndex(name))
    return table
  }

  private func hasKeyIndex(_ table: String) throws -> Bool {
    try !connection.rows("SELECT 1 FROM pragma_index_list(\(value: .text(table))) WHERE origin = 'pk'").isEmpty
  }

  /// Determines the row numbering.
  ///
  /// An INTEGER PRIMARY KEY is the row number itself and has no index. Any other single-column key works too if it
  /// contains only integers.
  private func numbering(of table: ForeignTable, isRowless: Bool, _ hasKeyIndex: Bool) -> RowNumbering {
    if table.primaryKey.count == 1, let key = table.column(named: table.primaryKey[0]),
      !isRowless && !hasKeyIndex || key.type == .integer && key.values.integers == table.rowCount
    {
      return .column(key.name)
    }
    guard !isRowless else { return .none }
    let names = Set(table.columns.map { $0.name.lowercased() })
    return ["rowid", "_rowid_", "oid"].first { !names.contains($0) }.map { .hidden($0) } ?? .none
  }

  private func foreignKeys(of table: String) throws -> [ForeignKey] {
    let rows = try connection.rows(
      "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(\(value: .text(table))) ORDER BY id, seq"
    )
    var keys: [Int64: ForeignKey] = [:]
    for row in rows {
      let id = Self.number(row[0])
      let action = ForeignKey.Action(rawValue: row[4].text.uppercased()) ?? .noAction
      keys[id, default: ForeignKey(columns: [], table: row[1].text, targets: [], onDelete: action)].columns
        .append(row[2].text)
      if case .text(let target) = row[3] { keys[id]?.targets.append(target) }
    }
    // SQLite lists foreign keys in reverse order.
    return keys.sorted { $0.key > $1.key }.map(\.value)
  }

  private func readIndexes(_ table: inout ForeignTable) throws {
    let list = try connection.rows(
      "SELECT name, \"unique\", origin, partial FROM pragma_index_list(\(value: .text(table.name))) ORDER BY seq DESC")
    for row in list where row[2].text != "pk" {
      let name = row[0].text
      let parts = try connection.rows(
        "SELECT cid, name, \"desc\", coll FROM pragma_index_xinfo(\(value: .text(name))) WHERE key = 1 ORDER BY seqno")
      let isUnique = row[1] != .integer(0)
      let title = name.hasPrefix("sqlite_autoindex_") ? "a UNIQUE constraint" : "index '\(name)'"
      if row[3] != .integer(0) {
        table.remarks.append("\(title) covers only some rows (WHERE) and is not carried over")
      } else if parts.contains(where: { Self.number($0[0]) < 0 }) {
        table.remarks.append("\(title) contains an expression and is not carried over")
      } else {
        let columns = parts.map(\.[1].text)
        if isUnique {
          table.uniques.append(columns)
          if parts.contains(where: { $0[3].text.uppercased() != "BINARY" }) {
            table.remarks.append(
              "\(title) on \(columns.joined(separator: ", ")) ignored case; the schema compares exactly")
          }
        } else {
          table.indexes.append(columns)
        }
      }
    }
  }

  /// Fills in omitted target columns, and spells table and column names as declared.
  private mutating func resolveTargets() {
    for index in database.tables.indices {
      for key in database.tables[index].foreignKeys.indices {
        let foreign = database.tables[index].foreignKeys[key]
        guard let target = database.tables.first(where: { $0.name.lowercased() == foreign.table.lowercased() })
        else { continue }
        let targets = foreign.targets.count == foreign.columns.count ? foreign.targets : target.primaryKey
        database.tables[index].foreignKeys[key].table = target.name
        database.tables[index].foreignKeys[key].targets = targets.map { target.column(named: $0)?.name ?? $0 }
        let own = database.tables[index]
        database.tables[index].foreignKeys[key].columns = foreign.columns.map { own.column(named: $0)?.name ?? $0 }
      }
    }
  }

  private static func number(_ value: SQLValue) -> Int64 { if case .integer(let number) = value { number } else { 0 } }
}

extension SQLValue {
  /// The text, or an empty string if the value is not text.
  fileprivate var text: String { if case .text(let text) = self { text } else { "" } }
}

/// The tables in which a virtual table's module stores data.
private struct ShadowTables {
  let names: Set<String>
  /// The table with a row for each of the virtual table's rows, if the rows exist nowhere else.
  let rowTable: String?

  /// - Returns: `nil` if the statement does not create a virtual table.
  init?(of table: String, _ sql: String) {
    let tokens = SQLTokens.read(sql)
    guard tokens.count > 1, tokens[0].isWord("CREATE"), tokens[1].isWord("VIRTUAL"),
      let using = tokens.firstIndex(where: { $0.isWord("USING") }), using + 1 < tokens.count
    else { return nil }
    func sets(_ option: String) -> Bool {
      tokens.indices.contains { index in
        tokens[index].isWord(option) && index + 1 < tokens.count && tokens[index + 1] == .symbol("=")
      }
    }
    let ownsContent = !sets("CONTENT")
    let parts: [String] =
      switch tokens[using + 1].identifier?.lowercased() {
      case "fts3", "fts4": ["segments", "segdir", "docsize", "stat"] + (ownsContent ? ["content"] : [])
      case "fts5": ["data", "idx", "config", "docsize"] + (ownsContent ? ["content"] : [])
      case "rtree", "rtree_i32", "geopoly": ["node", "rowid", "parent"]
      default: []
      }
    names = Set(parts.map { "\(table)_\($0)" })
    rowTable = parts.first { $0 == "content" || $0 == "rowid" }.map { "\(table)_\($0)" }
  }
}
