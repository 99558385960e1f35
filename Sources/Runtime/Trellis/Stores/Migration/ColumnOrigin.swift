/// Where the values of a column of the new version come from.
struct ColumnOrigin {
  enum Value: Equatable {
    /// A column of the old table, as it is.
    case column(String)
    /// Something made of the old row.
    case expression(SQLFragment)
    /// What rows get that were there before the column was.
    case literal(SQLFragment)
    case null
  }

  struct Part {
    var value: Value
    /// The classes of the rows, by their old names; nil for all rows.
    var oldClasses: [String]?
    /// The same by their new names.
    var newClasses: [String]?
  }

  var parts: [Part]

  init(_ value: Value) { parts = [Part(value: value)] }
  init(parts: [Part]) { self.parts = parts }

  /// The value for all rows alike.
  var uniform: Value? { parts.count == 1 && parts[0].oldClasses == nil ? parts[0].value : nil }

  /// The old column, where that is all there is to it.
  var column: String? { if case .column(let name)? = uniform { name } else { nil } }

  /// Whether no row that is there has to be looked at.
  var isInPlace: Bool {
    if column != nil { return true }
    guard parts.count == 1 else { return false }
    switch parts[0].value {
    case .null, .literal: return true
    case .column, .expression: return false
    }
  }

  /// The value as an expression over a row of the old table.
  ///
  /// - Parameter entityColumn: that of the old table; nil where it holds one class.
  func sql(_ entityColumn: String?) -> SQLFragment {
    if let uniform { return uniform.sql }
    guard let entityColumn else { return parts.first?.value.sql ?? "NULL" }
    var fragment: SQLFragment = "CASE"
    for part in parts {
      guard let classes = part.oldClasses else { continue }
      let names = classes.map { "\(literal: $0)" as SQLFragment }.joined(separator: ", ")
      fragment += " WHEN \(name: entityColumn) IN (\(names)) THEN \(part.value.sql)"
    }
    return fragment + " END"
  }
}

extension ColumnOrigin.Value {
  var sql: SQLFragment {
    switch self {
    case .column(let name): "\(name: name)"
    case .expression(let fragment), .literal(let fragment): fragment
    case .null: "NULL"
    }
  }
}

extension SQLFragment {
  static func + (lhs: SQLFragment, rhs: SQLFragment) -> SQLFragment {
    var sum = lhs
    sum += rhs
    return sum
  }
}

/// A property whose value in the new version does not follow from the old one.
struct MigrationGap {
  let entity: String
  let property: String
  let table: String
  let column: String
  let reason: String

  var text: String { property.isEmpty ? "'\(entity)' \(reason)" : "'\(entity).\(property)' \(reason)" }
}

/// What must not be in the old rows for a stage to do without more steps.
struct MigrationCheck {
  let entity: String
  let property: String
  let table: String
  let keyColumn: String
  let condition: SQLFragment
  let reason: String
  /// Whether it is about values that are missing, which a custom step may give.
  let isAboutMissing: Bool
}
