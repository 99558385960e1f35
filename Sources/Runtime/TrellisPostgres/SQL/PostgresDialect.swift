import Trellis

/// PostgreSQL's SQL dialect.
///
/// Text columns store Normalization Form C and are compared by byte, so `=` and `<` give the same results as in Swift.
/// No database function treats characters as Swift does. Parameters are sent as text, and the server infers the types.
struct PostgresDialect: SQLDialect {
  let engine: Capabilities

  /// The collation clause for text, appended to a column type or a value.
  var byteOrder: SQLFragment { engine.acceptsCollations ? " COLLATE \"C\"" : "" }

  /// The type for JSON columns: text if the engine does not support them.
  var jsonType: PostgresType { engine.hasJSONColumns ? .json : .text }

  /// The type of ``PostgresLayout/exactColumn``.
  var exactType: PostgresType { engine.hasJSONColumns ? .jsonb : .text }

  func text(of fragment: SQLFragment) -> String { rendered(fragment) }

  func name(_ name: String) -> String { PostgresName.quoted(name) }

  func parameter(_ number: Int) -> String { "$\(number)" }

  func sortTerm(_ value: SQLFragment, isReverse: Bool) -> SQLFragment {
    isReverse ? "\(value) DESC NULLS LAST" : "\(value) NULLS FIRST"
  }

  func page(limit: SQLFragment, offset: SQLFragment) -> SQLFragment {
    " LIMIT NULLIF(\(limit)::bigint, -1) OFFSET \(offset)::bigint"
  }

  func condition(_ value: Bool) -> SQLFragment { value ? "TRUE" : "FALSE" }

  func isEqual(_ column: SQLFragment, to value: Bool) -> SQLFragment { value ? column : "NOT \(column)" }

  func isSame(_ lhs: SQLFragment, _ rhs: SQLFragment, isNegated: Bool) -> SQLFragment {
    "\(lhs) IS \(isNegated ? "" : "NOT ")DISTINCT FROM \(rhs)"
  }

  func call(_ function: SwiftFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
    switch function {
    case .byteCount: "octet_length(\(arguments[0]))"
    case .normalized: "normalize(\(arguments[0]), NFC)"
    // Numbers are ordered by value, but NaN is the least number in Swift and the greatest in PostgreSQL.
    case .decimalKey: "(CASE WHEN \(arguments[0]) = 'NaN' THEN '-Infinity' ELSE \(arguments[0]) END)"
    // The sum is a numeric. The cast fails if it exceeds bigint.
    case .shortSum: "sum(\(arguments[0]))::bigint"
    default: nil
    }
  }

  func extreme(_ value: SQLFragment, _ scalar: ScalarKind, isLargest: Bool, mayBeNaN: Bool) -> SQLFragment? {
    switch scalar {
    case .boolean, .data, .textKey, .opaque: return nil
    // A UUID's text sorts in the same order as its bytes.
    case .uuid: return "\(isLargest ? "max" : "min")(\(value)::text\(byteOrder))::uuid"
    case .decimal where isLargest, _ where mayBeNaN && isLargest:
      // NaN is the greatest number in PostgreSQL.
      return "COALESCE(max(\(value)) FILTER (WHERE \(value) <> 'NaN'), max(\(value)))"
    default: return isLargest ? "max(\(value))" : "min(\(value))"
    }
  }

  func stored(_ value: SQLValue, _ scalar: ScalarKind) -> SQLValue {
    if case .text(let text) = value, scalar == .text || scalar == .character {
      return .text(TextRules.normalized(text))
    }
    return PostgresType(scalar)?.stored(value) ?? value
  }

  func typed(_ parameter: SQLFragment, _ scalar: ScalarKind) -> SQLFragment {
    PostgresType(scalar).map { "\(parameter)::\($0.sql)" } ?? parameter
  }

  func text(ofUUID value: SQLFragment) -> SQLFragment { "(upper(\(value)::text)\(byteOrder))" }

  func isElement(_ columns: [CapturedColumn]) throws -> SQLFragment {
    // Neither columns nor arrays can contain U+0000, so a row with such text matches nothing.
    let rows = columns[0].values.indices.filter { row in
      columns.allSatisfy { if case .text(let text) = $0.values[row] { !text.utf8.contains(0) } else { true } }
    }
    let lists = columns.map { column -> SQLFragment in
      "\(value: .list(rows.map { stored(column.values[$0], column.scalar) }))"
    }
    guard columns.count > 1 else { return "\(columns[0].sql) = ANY (\(lists[0]))" }
    let subjects = columns.map(\.sql).joined(separator: ", ")
    let arrays = zip(lists, columns).map { list, column -> SQLFragment in "\(typed(list, column.scalar))[]" }
    return "(\(subjects)) IN (SELECT * FROM unnest(\(arrays.joined(separator: ", "))))"
  }

  func isKey(_ key: SQLFragment, in list: SQLFragment) -> SQLFragment { "\(key) = ANY (\(list))" }

  func places(ofKeys list: SQLFragment) -> SQLFragment {
    "(SELECT u.key, u.place - 1 AS place FROM unnest(\(list)::bigint[]) WITH ORDINALITY AS u(key, place))"
  }

  func hasElement(
    inArray array: SQLFragment, where condition: (_ element: SQLFragment) throws -> SQLFragment
  ) rethrows -> SQLFragment? { nil }
}
