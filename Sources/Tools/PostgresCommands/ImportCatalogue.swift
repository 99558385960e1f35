import Foundation
import StoreTransfer
import Trellis

/// A PostgreSQL database's structure, with queries for the rows.
struct ImportCatalogue {
  /// A table to read.
  struct Table {
    /// The table's index in ``ImportCatalogue/database``.
    var index: Int
    var rows: SQLFragment
    var types: [ImportType]
    var query: SQLFragment
    /// True if rows can be longer than a database page.
    var isWide: Bool
  }

  private(set) var database: ForeignDatabase
  private(set) var tables: [Table] = []

  private let connection: ImportConnection
  private var relations: [ImportRelation] = []

  /// - Parameters:
  ///   - schemas: The schemas to read; empty for all.
  ///   - progress: Called before each table's rows are counted.
  /// - Throws: `TransferError` if a table cannot be read or there is nothing to import; `PostgresError` for server
  ///   errors.
  init(_ connection: ImportConnection, schemas: [String], progress: TransferProgress) throws {
    self.connection = connection
    database = ForeignDatabase(name: connection.databaseName)
    relations = try ImportRelation.all(connection, try Self.checked(schemas, connection))
    try requireTables(schemas)
    skipOthers()
    try requireRights()
    assignNames()
    try addTables()
    try addConstraints()
    try addIndexes()
    try skipCode(schemas)
    chooseNumbering()
    for table in tables.indices {
      let name = database.tables[table].name
      progress(TransferStep(.reading, name, done: Int64(table), total: Int64(tables.count)))
      let count = try connection.rows("SELECT count(*) FROM \(tables[table].rows)").first?.first?.number
      database.tables[table].rowCount = count ?? 0
    }
  }

  /// Returns the condition that selects the schemas to read.
  private static func checked(_ names: [String], _ connection: ImportConnection) throws -> SQLFragment {
    let own: SQLFragment = "n.nspname <> 'information_schema' AND NOT starts_with(n.nspname::text, 'pg_')"
    guard !names.isEmpty else { return own }
    let known = try connection.rows("SELECT n.nspname::text FROM pg_namespace n WHERE \(own) ORDER BY 1")
      .compactMap(\.[0].string)
    if let name = names.first(where: { !known.contains($0) }) {
      throw TransferError(
        "\(connection.place): there is no schema '\(name)'; the schemas are \(known.joined(separator: ", "))")
    }
    return "n.nspname = ANY (\(value: .list(names.map { .text($0) })))"
  }

  private func requireTables(_ schemas: [String]) throws {
    if let store = relations.first(where: { $0.name == StoreCatalogue.metadataTable }) {
      throw TransferError(
        "\(connection.place): the schema '\(store.schema)' contains a Trellis store, which 'trellis-postgres inspect' "
          + "describes; to import other schemas, name them with '--schema'")
    }
    guard !relations.contains(where: \.isTable) else { return }
    throw TransferError(
      "\(connection.place): there are no tables"
        + (schemas.isEmpty ? "" : " in \(schemas.map { "'\($0)'" }.joined(separator: ", "))"))
  }

  // MARK: skipped objects

  private mutating func skip(_ kind: String, _ name: String, _ reason: String) {
    database.skipped.append(SkippedObject(kind: kind, name: name, reason: reason))
  }

  private mutating func skipOthers() {
    for relation in relations where !relation.isTable {
      let name = relation.title
      switch relation.kind {
      case "v": skip("view", name, "write a fetch descriptor, or a query with your own SQL")
      case "m": skip("materialized view", name, "its rows are derived from other tables")
      case "f": skip("foreign table", name, "its rows are in another database")
      case "S": skip("sequence", name, "the store numbers rows itself")
      default:
        let owner = relation.owner.isEmpty ? "has no columns" : "belongs to the extension '\(relation.owner)'"
        skip("table", name, SQLiteReader.bookkeeping(relation.name) ?? owner)
      }
    }
    relations.removeAll { !$0.isTable }
  }

  private mutating func skipCode(_ schemas: [String]) throws {
    let triggers = try connection.rows(
      """
      SELECT t.tgname::text, t.tgrelid::bigint FROM pg_trigger t
      WHERE t.tgrelid = ANY (\(numbers)) AND NOT t.tgisinternal ORDER BY t.oid
      """)
    for row in triggers {
      guard let name = row[0].string, let table = table(row[1])?.name else { continue }
      skip("trigger", name, "on '\(table)'; write code that runs before a save")
    }
    let functions = try connection.rows(
      """
      SELECT p.proname::text, n.nspname::text, p.prokind::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE \(try Self.checked(schemas, connection)) AND NOT EXISTS (SELECT FROM pg_depend d
      WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e') ORDER BY p.oid
      """)
    for row in functions {
      guard let name = row[0].string, let schema = row[1].string else { continue }
      let kind = row[2].string == "p" ? "procedure" : "function"
      skip(kind, schema == "public" ? name : "\(schema).\(name)", "write it in Swift")
    }
  }

  // MARK: tables

  private func requireRights() throws {
    let user = connection.user
    let unreadable = relations.filter { !$0.isReadable }
    guard unreadable.isEmpty else {
      let schemas = Set(unreadable.map(\.schema)).sorted().map { SQLFragment.quoted($0) }.joined(separator: ", ")
      throw TransferError(
        "\(connection.place): the user '\(user)' cannot read \(Self.list(unreadable)); as the owner, run 'GRANT USAGE ON "
          + "SCHEMA \(schemas) TO \(SQLFragment.quoted(user))' and 'GRANT SELECT ON ALL TABLES IN SCHEMA \(schemas) TO "
          + "\(SQLFragment.quoted(user))', or name other schemas with '--schema'")
    }
    let filtered = relations.filter(\.isFiltered)
    guard filtered.isEmpty else {
      throw TransferError(
        "\(connection.place): row security policies can hide rows of \(Self.list(filtered)) from the user '\(user)'; "
          + "import as the owner, or as a role with BYPASSRLS")
    }
  }

  private static func list(_ relations: [ImportRelation]) -> String {
    let names = relations.prefix(5).map { "'\($0.schema).\($0.name)'" }.joined(separator: ", ")
    return names + (relations.count > 5 ? " and \(relations.count - 5) more tables" : "")
  }

  /// Chooses table names that are unique regardless of case, as SQLite requires. Tables in `public` keep the name;
  /// tables with the same name in a different schema become `schema.table`.
  private mutating func assignNames() {
    var taken: Set<String> = []
    func claim(_ index: Int, _ wanted: [String]) {
      let last = wanted.last ?? ""
      let names = wanted + (2...relations.count + 2).map { "\(last)_\($0)" }
      let name = names.first { !$0.lowercased().hasPrefix("sqlite_") && taken.insert($0.lowercased()).inserted }
      relations[index].title = name ?? last
    }
    let places = relations.indices.sorted { relations[$0].rank < relations[$1].rank }
    for index in places {
      let relation = relations[index]
      claim(index, [relation.name, "\(relation.schema).\(relation.name)"])
    }
  }

  private var numbers: SQLFragment { "\(value: .list(relations.map { .integer($0.number) }))::oid[]" }

  private func table(_ number: SQLValue) -> ForeignTable? { index(number).map { database.tables[$0] } }

  private func index(_ number: SQLValue) -> Int? { relations.firstIndex { $0.number == number.number } }

  /// Returns column names for a list of column numbers.
  private func names(_ table: Int, _ list: SQLValue) -> [String] {
    list.numbers.map { relations[table].columns[$0] ?? "" }
  }

  private mutating func addTables() throws {
    let types = try ImportTypes.read(connection, numbers)
    let rows = try connection.rows(
      """
      SELECT a.attrelid::bigint, a.attnum, a.attname::text, a.atttypid::bigint, a.attnotnull, a.attidentity::text,
      a.attgenerated::text, pg_get_expr(d.adbin, d.adrelid) FROM pg_attribute a
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = ANY (\(numbers)) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attrelid, a.attnum
      """)
    let columns = Dictionary(grouping: rows) { $0[0].number ?? 0 }
    for (index, relation) in relations.enumerated() {
      var table = ForeignTable(name: relation.title, columns: [])
      var expressions: [SQLFragment] = []
      var columnTypes: [ImportType] = []
      for row in columns[relation.number] ?? [] {
        let type = types.type(row[3].number ?? 0)
        let column = self.column(row, type, in: table)
        relations[index].columns[row[1].number ?? 0] = column.name
        if row[5].string?.isEmpty == false { relations[index].numbered.append(column.name) }
        let name = row[2].string ?? ""
        let alias = "c\(expressions.count)"
        expressions.append("\(type.expression("\(column: name, of: "t")")) AS \(name: alias)")
        columnTypes.append(type)
        table.columns.append(column)
        let subject = "\(table.name).\(column.name)"
        if let remark = type.remark { note(subject, remark) }
        if column.name != name {
          note(subject, "is the column '\(name)', whose name differs from another only in case")
        }
        table.remarks += type.checks.map { "the domain constraint \($0) of '\(name)' is not carried over" }
      }
      // `ONLY` excludes rows from tables that inherit from this table.
      let only: SQLFragment = relation.kind == "r" ? "ONLY " : ""
      let source: SQLFragment = "\(only)\(name: relation.schema).\(name: relation.name) AS \"t\""
      tables.append(
        Table(
          index: index, rows: source, types: columnTypes,
          query: "SELECT \(expressions.joined(separator: ", ")) FROM \(source)", isWide: relation.isWide))
      database.tables.append(table)
      describe(relation)
    }
  }

  private func column(_ row: [SQLValue], _ type: ImportType, in table: ForeignTable) -> ForeignColumn {
    let name = row[2].string ?? ""
    let taken = Set(table.columns.map { $0.name.lowercased() })
    let names = [name] + (2...taken.count + 2).map { "\(name)_\($0)" }
    var column = ForeignColumn(
      name: names.first { !taken.contains($0.lowercased()) } ?? name, declaredType: type.name, type: type.type)
    column.isRequired = row[4].isTrue || type.isRequired
    column.isGenerated = row[6].string?.isEmpty == false
    column.enumName = type.enumName
    column.defaultValue = (row[7].string ?? type.defaultValue).map { ImportExpression($0).defaultText }
    // A timestamp is not a valid default for a date.
    if type.name == "date", column.defaultValue == "CURRENT_TIMESTAMP" { column.defaultValue = row[7].string }
    return column
  }

  private mutating func note(_ subject: String, _ message: String) {
    database.notes.append(TransferNote(.check, subject, message))
  }

  /// Reports partitions, inheritance and changed names, which the model does not show.
  private mutating func describe(_ relation: ImportRelation) {
    if relation.kind == "p" { note(relation.title, "consists of partitions, which become a single model") }
    if let parents = relation.parents {
      note(relation.title, "inherits from \(parents); each becomes a separate model with its own rows")
    }
    if relation.title != relation.name {
      note(relation.title, "is the table '\(relation.name)' of the schema '\(relation.schema)'")
    }
  }

  // MARK: constraints and indexes

  private mutating func addConstraints() throws {
    let rows = try connection.rows(
      """
      SELECT c.conrelid::bigint, c.conname::text, c.contype::text, array_to_string(c.conkey, ','),
      c.confrelid::bigint, array_to_string(c.confkey, ','), c.confdeltype::text, pg_get_constraintdef(c.oid),
      c.confrelid::regclass::text FROM pg_constraint c
      WHERE c.conrelid = ANY (\(numbers)) AND c.contype IN ('c', 'f', 'x') AND c.conparentid = 0 ORDER BY c.oid
      """)
    for row in rows {
      guard let index = index(row[0]) else { continue }
      let definition = row[7].string ?? ""
      switch row[2].string {
      case "f":
        let target = self.index(row[4])
        database.tables[index].foreignKeys.append(
          ForeignKey(
            columns: names(index, row[3]), table: target.map { database.tables[$0].name } ?? row[8].string ?? "",
            targets: target.map { names($0, row[5]) } ?? [], onDelete: Self.action(row[6].string)))
      case "c":
        if !restrict(index, ImportExpression(definition)) {
          database.tables[index].remarks.append("\(definition) is not carried over")
        }
      default:
        let name = row[1].string ?? ""
        database.tables[index].remarks.append("the constraint '\(name)' (\(definition)) is not carried over")
      }
    }
  }

  /// Makes a column an enum if a constraint lists the permitted values.
  private mutating func restrict(_ index: Int, _ constraint: ImportExpression) -> Bool {
    guard let name = constraint.choices?.column,
      let place = database.tables[index].columns.firstIndex(where: { $0.name == name })
    else { return false }
    var type = tables[index].types[place]
    guard type.restrict(constraint, name, enumName: nil) else { return false }
    database.tables[index].columns[place].type = type.type
    return true
  }

  private static func action(_ letter: String?) -> ForeignKey.Action {
    switch letter {
    case "r": .restrict
    case "c": .cascade
    case "n": .setNull
    case "d": .setDefault
    default: .noAction
    }
  }

  private mutating func addIndexes() throws {
    let rows = try connection.rows(
      """
      SELECT i.indrelid::bigint, c.relname::text, m.amname::text, i.indisprimary, i.indisunique,
      i.indpred IS NOT NULL, i.indexprs IS NOT NULL, i.indisvalid,
      array_to_string(ARRAY(SELECT u.k FROM unnest(i.indkey) WITH ORDINALITY AS u(k, n)
      WHERE u.n <= i.indnkeyatts ORDER BY u.n), ',')
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
      WHERE i.indrelid = ANY (\(numbers)) AND NOT i.indisexclusion ORDER BY i.indexrelid
      """)
    for row in rows {
      guard let index = index(row[0]), let method = row[2].string else { continue }
      let title = "\(row[4].isTrue ? "unique " : "")index '\(row[1].string ?? "")'"
      if row[3].isTrue {
        database.tables[index].primaryKey = names(index, row[8])
      } else if row[5].isTrue {
        database.tables[index].remarks.append("the \(title) covers only some rows (WHERE) and is not carried over")
      } else if row[6].isTrue {
        database.tables[index].remarks.append("the \(title) contains an expression and is not carried over")
      } else if method != "btree" && method != "hash" {
        database.tables[index].remarks.append("the \(title) has the method '\(method)' and is not carried over")
      } else if !row[7].isTrue {
        database.tables[index].remarks.append("the \(title) is not valid and is not carried over")
      } else if row[4].isTrue {
        database.tables[index].uniques.append(names(index, row[8]))
      } else {
        database.tables[index].indexes.append(names(index, row[8]))
      }
    }
  }

  /// Uses an integer primary key as the row number. If there is none, rows are numbered in the temporary database.
  private mutating func chooseNumbering() {
    for index in tables.indices {
      let table = database.tables[index]
      var key: String?
      if table.primaryKey.count == 1,
        let place = table.columns.firstIndex(where: { $0.name == table.primaryKey[0] }),
        tables[index].types[place].isInteger
      {
        key = table.primaryKey[0]
        database.tables[index].columns[place].type = .integer
      }
      let names = Set(table.columns.map { $0.name.lowercased() })
      let hidden = ["rowid", "_rowid_", "oid"].first { !names.contains($0) }
      database.tables[index].numbering = key.map { .column($0) } ?? hidden.map { .hidden($0) } ?? .none
      for name in relations[index].numbered where name != key {
        note("\(table.name).\(name)", "is numbered by the database; in the store, assign the value yourself")
      }
    }
  }
}
