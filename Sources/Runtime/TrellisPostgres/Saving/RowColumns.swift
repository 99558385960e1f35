import Foundation
import Trellis

/// Collects the rows of one class, column by column, and creates the statements that write them.
final class RowColumns: ColumnSink {
  let plan: EntityStatements
  /// The column names, beginning with the key. If any column stores Normalization Form C, the last name is
  /// ``PostgresLayout/exactColumn``, which contains a row's original strings as JSON, or NULL.
  private(set) var names: [String]
  private(set) var columns: [ColumnBuffer]
  /// The columns that store Normalization Form C.
  private let normalizedNames: [String]
  /// Column positions by parameter number; `nil` if the column is not written.
  private let positions: [Int?]
  private let isNormalized: [Bool]
  private var texts: [String: String] = [:]
  private var identifier: PersistentIdentifier?

  /// - Parameter changed: The slots to write; `nil` for all slots and the class name.
  init(_ plan: EntityStatements, _ changed: PropertySet?, _ layout: PostgresLayout) {
    self.plan = plan
    let entity = plan.entity
    var written: [(name: String, number: Int32)] = plan.parameters
    if let changed {
      let names = Set(entity.columns.filter { changed.contains($0.slot) }.flatMap(\.names))
      written = written.filter { $0.number == 1 || names.contains($0.name) }
    }
    names = written.map(\.name)
    isNormalized = names.map { layout.isNormalized($0, in: entity.table) }
    normalizedNames = names.filter { layout.isNormalized($0, in: entity.table) }
    if !normalizedNames.isEmpty { names.append(PostgresLayout.exactColumn) }
    columns = names.map { ColumnBuffer(layout.type(of: $0, in: entity.table)) }
    var positions = [Int?](repeating: nil, count: Int(written.map(\.number).max() ?? 0) + 1)
    for (position, column) in written.enumerated() { positions[Int(column.number)] = position }
    self.positions = positions
  }

  var count: Int { columns[0].count }

  /// Adds a row.
  ///
  /// - Parameter binder: A binder that was created for this object; receives the values.
  func add(_ row: Int64, _ buffer: SnapshotBuffer, _ index: Int, _ binder: inout StatementBinder) throws {
    identifier = buffer.identifier(index)
    columns[0].append(row)
    try buffer.bind(index, to: &binder)
    if !plan.entity.discriminators.isEmpty, let position = position(plan.discriminatorParameter) {
      var name = plan.entity.name
      _ = name.withUTF8 { columns[position].append(text: UnsafeRawBufferPointer($0)) }
    }
    if !texts.isEmpty {
      try JSONEncoder().encode(texts).withUnsafeBytes { _ = columns[columns.count - 1].append(text: $0) }
      texts.removeAll()
    }
    for position in columns.indices where columns[position].count < count { columns[position].appendNull() }
  }

  func removeAll() {
    for position in columns.indices { columns[position].removeAll() }
  }

  private func position(_ parameter: Int32) -> Int? {
    positions.indices ~= Int(parameter) ? positions[Int(parameter)] : nil
  }

  // MARK: values

  func bindNull(_ parameter: Int32) {
    if let position = position(parameter) { columns[position].appendNull() }
  }

  func bind(_ integer: Int64, _ parameter: Int32) {
    if let position = position(parameter) { columns[position].append(integer) }
  }

  func bind(_ real: Double, _ parameter: Int32) {
    if let position = position(parameter) { columns[position].append(real) }
  }

  func bind(text bytes: UnsafeRawBufferPointer, _ parameter: Int32) throws {
    guard let position = position(parameter) else { return }
    guard isNormalized[position], !TextRules.isNFC(bytes.assumingMemoryBound(to: UInt8.self)) else {
      return try append(bytes, at: position)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    texts[names[position]] = text
    var normalized = TextRules.normalized(text)
    try normalized.withUTF8 { try append(UnsafeRawBufferPointer($0), at: position) }
  }

  private func append(_ text: UnsafeRawBufferPointer, at position: Int) throws {
    guard !columns[position].append(text: text) else { return }
    let model = identifier.map { "\($0)" } ?? plan.entity.name
    throw PostgresError(
      .nullCharacter,
      "the value of '\(plan.entity.name).\(names[position])' in \(model) contains U+0000, which PostgreSQL cannot "
        + "store: remove the character, or change the property's type to 'Data'")
  }

  func bind(blob bytes: UnsafeRawBufferPointer, _ parameter: Int32) {
    if let position = position(parameter) { columns[position].append(blob: bytes) }
  }
}

// MARK: statements

/// Statements that insert or update the rows.
extension RowColumns {
  /// The maximum row count at which each row is written with a separate statement.
  private static let few = 8
  /// The minimum number of new rows for COPY.
  static let many = 1_000

  private var table: SQLFragment { "\(name: plan.entity.table)" }

  /// Returns a statement that fails unless it writes the given number of rows, because rows may be missing and a
  /// trigger may suppress the operation. The statement itself must fail, by a division by zero, because COMMIT follows
  /// in the same round trip.
  static func checked(_ statement: SQLFragment, count: SQLFragment) -> SQLFragment {
    "WITH u AS (\(statement) RETURNING 1) SELECT 1 / (count(*) = \(count))::int FROM u"
  }

  /// Returns statements that fail unless they write all rows.
  ///
  /// A few rows are written with a separate statement each. More rows are written with a single statement that takes an
  /// array for each column, so that its text does not depend on the row count.
  ///
  /// - Parameter text: Returns the statement for a row's values and their FROM clause.
  private func statements(_ text: (_ values: [SQLFragment], _ source: SQLFragment) -> SQLFragment)
    -> [PostgresStatement]
  {
    let parameters = columns.indices.map { "?\(number: $0 + 1)" as SQLFragment }
    guard count > Self.few else {
      let text = Self.checked(text(parameters, ""), count: "1")
      return (0..<count).map { row in
        var values = PostgresParameters()
        for column in columns { column.appendValue(row, to: &values) }
        return PostgresStatement(text, values)
      }
    }
    var values = PostgresParameters()
    let (cells, source) = table(of: columns, &values)
    let text = Self.checked(text(cells, " FROM \(source)"), count: "?\(number: columns.count + 1)::bigint")
    values.append(.integer(Int64(count)))
    return [PostgresStatement(text, values)]
  }

  /// Converts columns to a table expression with one array parameter per column.
  private func table(
    of columns: [ColumnBuffer], _ parameters: inout PostgresParameters
  ) -> (cells: [SQLFragment], source: SQLFragment) {
    for column in columns { column.appendArray(to: &parameters) }
    let arrays = columns.enumerated().map { "?\(number: $0 + 1)::\($1.type.sql)[]" as SQLFragment }
    let names = columns.indices.map { "c\(number: $0 + 1)" as SQLFragment }
    return (
      names.map { "v.\($0)" }, "unnest(\(arrays.joined(separator: ", "))) AS v(\(names.joined(separator: ", ")))"
    )
  }

  /// Returns a query for the keys of stored rows that have the same values in the given columns.
  func matches(in own: [String]) -> PostgresStatement {
    let positions = names.indices.filter { own.contains(names[$0]) }
    var parameters = PostgresParameters()
    let (cells, source) = table(of: positions.map { columns[$0] }, &parameters)
    let conditions = zip(positions, cells).map { "\(column: names[$0], of: "t") = \($1)" as SQLFragment }
    let query: SQLFragment = """
      SELECT DISTINCT \(column: plan.entity.keyColumn, of: "t") FROM \(table) AS t JOIN \(source)
      ON \(conditions.joined(separator: " AND "))
      """
    return PostgresStatement(query, parameters)
  }

  var insertions: [PostgresStatement] {
    statements { "INSERT INTO \(table) (\(names: names)) SELECT \($0.joined(separator: ", "))\($1)" }
  }

  /// - Parameter rows: A closure that calls its argument with the rows' columns, one batch at a time.
  func copying(_ rows: @escaping PostgresStatement.CopiedRows) -> PostgresStatement {
    var statement = PostgresStatement("COPY \(table) (\(names: names)) FROM STDIN (FORMAT binary)", isPrepared: false)
    statement.copiedRows = rows
    return statement
  }

  var updates: [PostgresStatement] {
    statements { values, source in
      let terms = zip(names, values).dropFirst().map { name, value -> SQLFragment in
        "\(name: name) = \(name == PostgresLayout.exactColumn ? exactTexts(value) : value)"
      }
      return """
        UPDATE \(table) AS t SET \(terms.joined(separator: ", "))\(source)
        WHERE \(column: plan.entity.keyColumn, of: "t") = \(values[0])
        """
    }
  }

  /// Returns an updated row's original strings, with those for the written columns replaced.
  private func exactTexts(_ new: SQLFragment) -> SQLFragment {
    let names = normalizedNames.map { "\(literal: $0)" as SQLFragment }.joined(separator: ", ")
    let own: SQLFragment = "\(column: PostgresLayout.exactColumn, of: "t")"
    return """
      CASE WHEN \(own) IS NULL AND \(new) IS NULL THEN NULL \
      ELSE NULLIF((COALESCE(\(own)::jsonb, '{}'::jsonb) - ARRAY[\(names)]) || \
      COALESCE(\(new)::jsonb, '{}'::jsonb), '{}'::jsonb)::\(columns[columns.count - 1].type.sql) END
      """
  }
}
