import Trellis

/// Finds a store's tables, columns and sequences that were removed, renamed or given a different type by other means.
struct TableDrift {
  private let tables: InternalTables
  private let place: String
  private let dialect: PostgresDialect
  private var expected: [Expected] = []

  /// A table or a sequence. Nil for a column whose type is not known.
  private struct Expected {
    let kind: String
    /// The name together with the schema of the database.
    let name: String
    var columns: [(name: String, type: PostgresType?)] = []
  }

  /// - Parameter layout: the app's tables; the names contain the database schema.
  init(_ layout: PostgresLayout, _ opener: PostgresOpener) {
    self.init(opener)
    for table in layout.tables {
      var columns = table.columns.map { ($0.name, layout.type(of: $0.name, in: table.name) as PostgresType?) }
      if layout.hasExactColumn(table.name) { columns.append((PostgresLayout.exactColumn, nil)) }
      add(table, table.name, columns)
    }
  }

  /// - Parameter recorded: the tables that the store has recorded, of a version that the program may not know.
  init(recorded: [TableDefinition], _ opener: PostgresOpener) {
    self.init(opener)
    for table in recorded { add(table, tables.qualified(table.name), table.columns.map { ($0.name, nil) }) }
  }

  private init(_ opener: PostgresOpener) {
    tables = opener.tables
    place = opener.pool.place
    dialect = opener.dialect
    expected = (tables.history + [tables.names]).map { Expected(kind: "table", name: $0) }
    if opener.commits.hasSnapshots { expected.append(Expected(kind: "sequence", name: tables.numbers)) }
  }

  private mutating func add(
    _ table: TableDefinition, _ name: String, _ columns: [(name: String, type: PostgresType?)]
  ) {
    expected.append(Expected(kind: "table", name: name, columns: columns))
    if table.key.isEmpty { expected.append(Expected(kind: "sequence", name: PostgresLayout.keySequence(of: name))) }
  }

  /// Compares the tables with the database's.
  ///
  /// - Throws: `SwiftDataError` with `StoreProblem.drifted`, which lists the differences; ``PostgresError``.
  func check(_ connection: PostgresConnection) throws {
    var found = [[String: Int64]?](repeating: nil, count: expected.count)
    // A domain's type is its values' type.
    try connection.run(
      PostgresStatement(
        """
        SELECT n.place, a.attname, COALESCE(NULLIF(t.typbasetype, 0), t.oid)::bigint
        FROM unnest(\(value: .list(expected.map { .text(dialect.name($0.name)) }))::text[])
        WITH ORDINALITY AS n(name, place) JOIN pg_catalog.pg_attribute a ON a.attrelid = to_regclass(n.name)
        JOIN pg_catalog.pg_type t ON t.oid = a.atttypid WHERE a.attnum > 0 AND NOT a.attisdropped
        """, dialect, isPrepared: false)
    ) { row in
      guard let place = row.integer(0), let column = row.string(1) else { return }
      if found[Int(place) - 1] == nil { found[Int(place) - 1] = [:] }
      found[Int(place) - 1]?[column] = row.integer(2)
    }
    let differences = zip(expected, found).flatMap(differences)
    guard differences.isEmpty else {
      throw SwiftDataError.opening(
        .drifted, "the store was changed by other means:\n" + differences.map { "  - \($0)" }.joined(separator: "\n"),
        path: place)
    }
  }

  private func differences(_ expected: Expected, _ found: [String: Int64]?) -> [String] {
    let name = expected.name.split(separator: PostgresName.separator).last ?? ""
    guard let found else { return ["\(expected.kind) '\(name)' is gone"] }
    return expected.columns.compactMap { column in
      guard let type = found[PostgresName.shortened(column.name)] else {
        return "column '\(name).\(column.name)' is gone"
      }
      guard let expected = column.type, Int64(expected.oid) != type else { return nil }
      // The values of both have one form.
      if expected == .text, type == Self.varchar { return nil }
      return "column '\(name).\(column.name)' has another type"
    }
  }

  private static let varchar: Int64 = 1043
}
