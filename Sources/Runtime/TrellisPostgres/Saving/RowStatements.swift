import Trellis

/// The statements that insert or update the rows of a ``RowColumns``.
///
/// A few rows have a statement each. More rows have one statement with an array per column, whose text does not depend on
/// their number. Many new rows are copied.
struct RowStatements {
  let rows: RowColumns
  let dialect: PostgresDialect

  /// The number of rows up to which each has its own statement.
  private static let few = 8
  /// The number of new rows from which on they are copied.
  static let many = 1_000

  private var table: SQLFragment { "\(name: rows.plan.entity.table)" }
  private var key: String { rows.plan.entity.keyColumn }

  /// A statement that fails if it does not write a number of rows: rows may be missing, and a trigger may suppress the
  /// operation. It divides by zero then, because the server commits the transaction in the same round trip.
  static func checked(_ statement: SQLFragment, count: SQLFragment) -> SQLFragment {
    "WITH u AS (\(statement) RETURNING 1) SELECT 1 / (count(*) = \(count))::int FROM u"
  }

  // MARK: insertions

  /// - Parameter copies: false if the server does not copy rows into the table.
  func insertions(copies: Bool) -> [PostgresStatement] {
    var names = rows.names
    var columns = rows.columns
    if rows.hasExact {
      names.append(PostgresLayout.exactColumn)
      columns.append(rows.exact)
    }
    let list = names.map { "\(name: $0)" as SQLFragment }.joined(separator: ", ")
    // The original texts are converted to another type, which COPY does not do.
    if copies, rows.count >= Self.many, !rows.hasExact {
      var statement = copying
      statement.copiedRows = CopiedRows(columns: columns, count: rows.count)
      return [statement]
    }
    guard rows.count > Self.few else {
      let values = columns.indices.map { value($0, columns.count, "") }.joined(separator: ", ")
      let text = Self.checked("INSERT INTO \(table) (\(list)) VALUES (\(values))", count: "1")
      return (0..<rows.count).map { row in
        var parameters = PostgresParameters()
        for column in columns { column.appendValue(row, to: &parameters) }
        return PostgresStatement(text, parameters)
      }
    }
    let insertion: SQLFragment = "INSERT INTO \(table) (\(list)) SELECT \(selection(columns)) FROM \(arrays(columns))"
    let text = Self.checked(insertion, count: "?\(number: columns.count + 1)::bigint")
    var parameters = parameters(columns)
    parameters.append(.integer(Int64(rows.count)))
    return [PostgresStatement(text, parameters)]
  }

  /// Copies rows without original texts.
  var copying: PostgresStatement {
    let list = rows.names.map { "\(name: $0)" as SQLFragment }.joined(separator: ", ")
    return PostgresStatement("COPY \(table) (\(list)) FROM STDIN (FORMAT binary)", isPrepared: false)
  }

  /// The value of a column: a parameter, or a column of the arrays.
  private func value(_ position: Int, _ count: Int, _ source: SQLFragment) -> SQLFragment {
    let isExact = rows.hasExact && position == count - 1
    let value: SQLFragment = source.text.isEmpty ? "?\(number: position + 1)" : "\(source).c\(number: position + 1)"
    return isExact ? "\(value)::\(dialect.exactType)" : value
  }

  private func selection(_ columns: [ColumnBuffer]) -> SQLFragment {
    columns.indices.map { value($0, columns.count, "v") }.joined(separator: ", ")
  }

  /// The arrays as a table `v` with the columns `c1`, `c2`, and so on.
  private func arrays(_ columns: [ColumnBuffer]) -> SQLFragment {
    let arrays = columns.enumerated().map { "?\(number: $0 + 1)::\($1.type.arraySQL)" as SQLFragment }
    let names = columns.indices.map { "c\(number: $0 + 1)" as SQLFragment }
    return "unnest(\(arrays.joined(separator: ", "))) AS v(\(names.joined(separator: ", ")))"
  }

  private func parameters(_ columns: [ColumnBuffer]) -> PostgresParameters {
    var parameters = PostgresParameters()
    for column in columns { column.appendArray(to: &parameters) }
    return parameters
  }

  // MARK: updates

  /// Each statement fails if one of its rows does not exist.
  var updates: [PostgresStatement] {
    let columns = rows.columns + [rows.exact]
    let isSingle = rows.count <= Self.few
    let source: SQLFragment = isSingle ? "" : "v"
    var terms = rows.names.indices.dropFirst().map { position in
      "\(name: rows.names[position]) = \(value(position, rows.names.count + 2, source))" as SQLFragment
    }
    if !rows.normalizedNames.isEmpty { terms.append(exactTerm(rows.names.count, source)) }
    let written = rows.normalizedNames.isEmpty ? rows.columns : columns
    let from: SQLFragment = isSingle ? "" : " FROM \(arrays(written))"
    let update: SQLFragment = """
      UPDATE \(table) AS t SET \(terms.joined(separator: ", "))\(from)
      WHERE \(column: key, of: "t") = \(value(0, rows.names.count + 2, source))
      """
    let text = Self.checked(update, count: isSingle ? "1" : "?\(number: written.count + 1)::bigint")
    guard !isSingle else {
      return (0..<rows.count).map { row in
        var parameters = PostgresParameters()
        for column in written { column.appendValue(row, to: &parameters) }
        return PostgresStatement(text, parameters)
      }
    }
    var parameters = parameters(written)
    parameters.append(.integer(Int64(rows.count)))
    return [PostgresStatement(text, parameters)]
  }

  /// Replaces the original texts of the columns that are written.
  private func exactTerm(_ position: Int, _ source: SQLFragment) -> SQLFragment {
    let names = rows.normalizedNames.map { "\(literal: $0)" as SQLFragment }.joined(separator: ", ")
    let own: SQLFragment = "\(column: PostgresLayout.exactColumn, of: "t")"
    let new: SQLFragment = source.text.isEmpty ? "?\(number: position + 1)" : "\(source).c\(number: position + 1)"
    return """
      \(name: PostgresLayout.exactColumn) = CASE WHEN \(own) IS NULL AND \(new) IS NULL THEN NULL \
      ELSE NULLIF((COALESCE(\(own)::jsonb, '{}'::jsonb) - ARRAY[\(names)]) || COALESCE(\(new)::jsonb, '{}'::jsonb), '{}'::jsonb)::\(dialect.exactType) \
      END
      """
  }
}
