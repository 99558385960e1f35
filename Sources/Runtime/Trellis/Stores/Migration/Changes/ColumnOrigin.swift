/// The origin of the values of a column of the new version.
struct ColumnOrigin {
  enum Value: Equatable {
    /// A column of the old table, copied verbatim.
    case column(String)
    /// A column of the old table, and a value for the rows without one.
    case filled(String, SQLFragment)
    /// An expression over a row of the old table.
    case expression(SQLFragment)
    /// A value for the rows that are older than the column.
    case literal(SQLFragment)
    /// A value for the older rows that have an optional struct, whose column follows.
    case member(SQLFragment, of: String)
    case null

    var sql: SQLFragment {
      switch self {
      case .column(let name): "\(name: name)"
      case .filled(let name, let preset): "COALESCE(\(name: name), \(preset))"
      case .expression(let fragment), .literal(let fragment): fragment
      case .member(let fragment, let presence): "CASE WHEN \(name: presence) IS NOT NULL THEN \(fragment) END"
      case .null: "NULL"
      }
    }
  }

  struct Part {
    var value: Value
    /// The classes of the rows, by their old names; nil for all rows.
    var classes: [String]?
  }

  var parts: [Part]

  init(_ value: Value) { parts = [Part(value: value)] }
  init(parts: [Part]) { self.parts = parts }

  /// The value for all rows alike.
  var uniform: Value? { parts.count == 1 && parts[0].classes == nil ? parts[0].value : nil }

  /// The old column, if all rows get its values verbatim.
  var column: String? { if case .column(let name)? = uniform { name } else { nil } }

  /// True if `ALTER TABLE` can add the column without reading the old rows.
  var isInPlace: Bool {
    if column != nil { return true }
    guard parts.count == 1 else { return false }
    switch parts[0].value {
    case .null, .literal: return true
    case .column, .filled, .expression, .member: return false
    }
  }

  /// The value as an expression over a row of the old table.
  ///
  /// - Parameter entityColumn: the column with the class of a row; nil if the old table holds one class.
  func sql(_ entityColumn: String?) -> SQLFragment {
    if let uniform { return uniform.sql }
    guard let entityColumn else { return parts.first?.value.sql ?? "NULL" }
    var fragment: SQLFragment = "CASE"
    for part in parts {
      guard let classes = part.classes else { continue }
      fragment += " WHEN \(name: entityColumn) IN (\(literals: classes)) THEN \(part.value.sql)"
    }
    fragment += " END"
    return fragment
  }

  /// True if values of the old column may be among the new values.
  func mentions(_ column: String) -> Bool {
    parts.contains { part in
      switch part.value {
      case .column(let name), .filled(let name, _): name == column
      case .expression(let fragment): fragment.text.contains(SQLFragment.quoted(column))
      case .literal, .member, .null: false
      }
    }
  }
}
