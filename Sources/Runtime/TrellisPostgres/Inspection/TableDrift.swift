import Trellis

/// Finds tables, columns and sequences of a store that were removed, renamed or given a different type by means other
/// than a migration.
struct TableDrift {
  private let place: String
  private let dialect: PostgresDialect
  private let expected: [Expected]

  /// A table or sequence, with a schema-qualified name. The type is `nil` if it is unknown.
  private typealias Expected = (kind: String, name: String, columns: [(name: String, type: PostgresType?)])

  /// - Parameters:
  ///   - tables: The app's tables, without the database schema in their names.
  ///   - layout: The column types; `nil` for the recorded tables of a version that the app may not support.
  init(_ tables: [TableDefinition], _ layout: PostgresLayout?, _ opener: PostgresOpener) {
    place = opener.pool.place
    dialect = opener.dialect
    let own = opener.tables
    var expected: [Expected] = (own.history + [own.names]).map { ("table", $0, []) }
    if opener.commits.hasSnapshots { expected.append(("sequence", own.numbers, [])) }
    for table in tables {
      let exact = layout?.hasExactColumn(table.name) == true ? [PostgresLayout.exactColumn] : []
      let columns = (table.columns.map(\.name) + exact).map { ($0, layout?.type(of: $0, in: table.name)) }
      expected.append(("table", own.qualified(table.name), columns))
      guard table.key.isEmpty else { continue }
      expected.append(("sequence", own.qualified(PostgresLayout.keySequence(of: table.name)), []))
    }
    self.expected = expected
  }

  /// Compares the tables with the database.
  ///
  /// - Throws: `SwiftDataError` with `StoreProblem.drifted`, which lists the differences; ``PostgresError``.
  func check(_ connection: PostgresConnection) throws {
    var found: [Int: [String: Int64]] = [:]
    // For a domain, compare the base type.
    let columns = try connection.rows(
      """
      SELECT n.place, a.attname, COALESCE(NULLIF(t.typbasetype, 0), t.oid)::bigint
      FROM unnest(\(value: .list(expected.map { .text(dialect.name($0.name)) }))::text[])
      WITH ORDINALITY AS n(name, place) JOIN pg_catalog.pg_attribute a ON a.attrelid = to_regclass(n.name)
      JOIN pg_catalog.pg_type t ON t.oid = a.atttypid WHERE a.attnum > 0 AND NOT a.attisdropped
      """
    ) { (place: Int($0.integer(0) ?? 1) - 1, name: $0.string(1) ?? "", type: $0.integer(2)) }
    for column in columns { found[column.place, default: [:]][column.name] = column.type }
    let differences = expected.enumerated().flatMap { self.differences($1, found[$0]) }
    guard differences.isEmpty else {
      throw SwiftDataError.opening(
        .drifted, "the store was changed by other means:\n" + differences.map { "  - \($0)" }.joined(separator: "\n"),
        path: place)
    }
  }

  private func differences(_ expected: Expected, _ found: [String: Int64]?) -> [String] {
    let name = expected.name.split(separator: PostgresName.separator).last ?? ""
    guard let found else { return ["\(expected.kind) '\(name)' is missing"] }
    return expected.columns.compactMap { column in
      guard let type = found[PostgresName.shortened(column.name)] else {
        return "column '\(name).\(column.name)' is missing"
      }
      guard let expected = column.type, Int64(expected.oid) != type else { return nil }
      // Both types represent values in the same way.
      if expected == .text, type == Self.varchar { return nil }
      return "column '\(name).\(column.name)' has a different type"
    }
  }

  private static let varchar: Int64 = 1043
}
