/// A stage's changes to a single table.
struct TableMove {
  enum Rows {
    /// The new table is empty.
    case none
    /// Rows from an old table. The condition excludes rows of removed classes.
    case table(TableDefinition, where: SQLFragment?)
    /// Pairs created from references, in either direction between owners and members.
    case references(table: String, owner: String, member: String)
  }

  let table: TableDefinition
  var rows: Rows
  /// Origins by new column.
  var origins: [String: ColumnOrigin] = [:]
  /// The table's old and new entities; empty for join tables.
  var entities: [(old: EntityLayout, new: EntityLayout)] = []
  /// Old presence columns of optional structs that are no longer needed.
  var markers: Set<String> = []
  /// True if rows are rewritten.
  var isRebuilt = false

  var source: TableDefinition? { if case .table(let table, _) = rows { table } else { nil } }

  /// The new and old key columns; `nil` for join tables.
  var keyColumns: (new: String, old: String)? { entities.first.map { ($0.new.keyColumn, $0.old.keyColumn) } }

  /// The old table's entity column; `nil` if the table stores a single class.
  var oldEntityColumn: String? {
    entities.first.flatMap { $0.old.discriminators.isEmpty ? nil : $0.old.entityColumn }
  }

  /// Renamed classes, if both tables have an entity column.
  var renamedClasses: [(column: String, from: String, to: String)] {
    entities.filter { !$0.old.discriminators.isEmpty && !$0.new.discriminators.isEmpty && $0.old.name != $0.new.name }
      .map { ($0.new.entityColumn, $0.old.name, $0.new.name) }
  }

  /// True if neither the table nor any existing column or class is renamed.
  var keepsNames: Bool {
    source?.name == table.name && renamedClasses.isEmpty
      && origins.allSatisfy { $0.value.column == nil || $0.value.column == $0.key }
  }

  /// True if the table is unchanged.
  var isUnchanged: Bool {
    !isRebuilt && keepsNames && origins.values.allSatisfy { $0.column != nil }
      && source?.indexes.count == table.indexes.count && table.indexes.allSatisfy(hadIndex)
  }

  /// Returns true if the old table had the same index under the old column names.
  func hadIndex(_ index: IndexDefinition) -> Bool {
    var old = index
    func former(_ name: String) -> String { origins[name]?.column ?? name }
    old.columns = index.columns.map(former)
    old.condition?.column = former(index.condition?.column ?? "")
    return source?.indexes.contains { $0.isSame(as: old) } ?? false
  }

  /// Returns true if no other class that remains in the table uses an old column.
  func isOwn(_ column: String, of classes: [String]) -> Bool {
    entities.allSatisfy { old, _ in
      classes.contains(old.name) || !old.columns.contains { $0.names.contains(column) }
    }
  }

  /// True if the old table has rows of removed classes.
  var leavesRowsBehind: Bool { if case .table(_, .some) = rows { true } else { false } }

  /// Returns true if `ALTER TABLE` can create the new columns and leave existing rows unchanged.
  ///
  /// - Parameter tableNames: Old table names mapped to new names.
  func canStay(_ tableNames: [String: String]) -> Bool {
    guard case .table(let source, nil) = rows else { return false }
    var used = Set<String>()
    for column in table.columns {
      guard let origin = origins[column.name], origin.isInPlace else { return false }
      guard let former = origin.column else {
        // SQLite adds a required column only with a default value.
        if column.isRequired, origin.uniform == .null { return false }
        continue
      }
      guard used.insert(former).inserted, var old = source.column(named: former) else { return false }
      old.name = column.name
      if let target = old.reference?.table { old.reference?.table = tableNames[target] ?? target }
      guard old == column else { return false }
    }
    let key = source.key.compactMap { old in origins.first { $0.value.column == old }?.key }
    return used.count == source.columns.count && key == table.key
  }
}

package enum Rename {
  /// Orders renames so that each target name is free. Two objects may swap names.
  package static func ordered(_ names: [(from: String, to: String)]) -> [(from: String, to: String)] {
    let names = names.filter { $0.from != $0.to }
    func isTaken(_ name: String) -> Bool { names.contains { NameScope.areEqual($0.from, name) } }
    let waiting = names.filter { isTaken($0.to) }
    return waiting.map { ($0.from, "trellis_moving_\($0.from)") } + names.filter { !isTaken($0.to) }
      + waiting.map { ("trellis_moving_\($0.from)", $0.to) }
  }
}

/// The origin of a new column's values.
struct ColumnOrigin {
  enum Value: Equatable {
    /// An old column, copied verbatim.
    case column(String)
    /// An old column, with a default for NULL values.
    case filled(String, SQLValue)
    /// An expression on an old row.
    case expression(SQLFragment)
    /// A constant for existing rows.
    case literal(SQLValue)
    /// A constant for existing rows in which an optional struct is not nil, with the struct's presence column.
    case member(SQLValue, of: String)

    static var null: Self { .literal(.null) }

    var sql: SQLFragment {
      switch self {
      case .column(let name): "\(name: name)"
      case .filled(let name, let preset): "COALESCE(\(name: name), \(literal: preset))"
      case .expression(let fragment): fragment
      case .literal(let value): "\(literal: value)"
      case .member(let value, let presence): "CASE WHEN \(name: presence) IS NOT NULL THEN \(literal: value) END"
      }
    }

    // Treats NaN as equal to NaN.
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.sql == rhs.sql }
  }

  struct Part {
    var value: Value
    /// The rows' classes, by old name; `nil` for all rows.
    var classes: [String]?
  }

  var parts: [Part]

  init(_ value: Value) { parts = [Part(value: value)] }
  init(parts: [Part]) { self.parts = parts }

  /// The value if it is the same for all rows.
  var uniform: Value? { parts.count == 1 && parts[0].classes == nil ? parts[0].value : nil }

  /// The old column if all rows copy it verbatim.
  var column: String? { if case .column(let name)? = uniform { name } else { nil } }

  /// True if `ALTER TABLE` can keep or add the column, so that old rows need not be read.
  var isInPlace: Bool {
    let only = parts.count == 1 ? parts[0].value : nil
    switch only {
    case .literal?: return true
    default: return column != nil
    }
  }

  /// Returns the value as an expression on an old row.
  ///
  /// - Parameter entityColumn: The old table's entity column; `nil` if the table stores a single class.
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

  /// Returns true if the new values may include values from the old column.
  func mentions(_ column: String) -> Bool {
    parts.contains { part in
      switch part.value {
      case .column(let name), .filled(let name, _): name == column
      case .expression(let fragment): fragment.text.contains(SQLFragment.quoted(column))
      case .literal, .member: false
      }
    }
  }
}
