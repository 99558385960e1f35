/// The changes of one table in a stage.
struct TableMove {
  enum Rows {
    /// The new table is empty.
    case none
    /// The rows of an old table. The condition leaves out rows of classes that are gone.
    case table(TableDefinition, where: SQLFragment?)
    /// Pairs that were references of owners to members, or of members to owners.
    case references(table: String, owner: String, member: String)
  }

  let table: TableDefinition
  var rows: Rows
  /// By new column.
  var origins: [String: ColumnOrigin] = [:]
  /// The old and new entities of the table; empty for tables of pairs.
  var entities: [(old: EntityLayout, new: EntityLayout)] = []
  /// The old columns that tell optional structs from nil and are not needed any more.
  var markers: Set<String> = []
  /// True if rows are rewritten.
  var isRebuilt = false

  var source: TableDefinition? { if case .table(let table, _) = rows { table } else { nil } }

  /// The new and the old key column; nil for tables of pairs.
  var keyColumns: (new: String, old: String)? { entities.first.map { ($0.new.keyColumn, $0.old.keyColumn) } }

  /// The column of the old table with the class of a row; nil if the table holds one class.
  var oldEntityColumn: String? {
    entities.first.flatMap { $0.old.discriminators.isEmpty ? nil : $0.old.entityColumn }
  }

  /// Classes with other names, if a column of both tables has the class of a row.
  var renamedClasses: [(column: String, from: String, to: String)] {
    entities.filter { !$0.old.discriminators.isEmpty && !$0.new.discriminators.isEmpty && $0.old.name != $0.new.name }
      .map { ($0.new.entityColumn, $0.old.name, $0.new.name) }
  }

  /// True if the table, its former columns and its classes have their names.
  var keepsNames: Bool {
    source?.name == table.name && renamedClasses.isEmpty
      && origins.allSatisfy { $0.value.column == nil || $0.value.column == $0.key }
  }

  /// True if the table stays as it is.
  var isUnchanged: Bool {
    !isRebuilt && keepsNames && origins.values.allSatisfy { $0.column != nil }
      && source?.indexes.count == table.indexes.count && table.indexes.allSatisfy(hadIndex)
  }

  /// True if the old table had an index over the old names of columns.
  func hadIndex(_ index: IndexDefinition) -> Bool {
    var old = index
    func former(_ name: String) -> String { origins[name]?.column ?? name }
    old.columns = index.columns.map(former)
    old.condition?.column = former(index.condition?.column ?? "")
    return source?.indexes.contains { $0.isSame(as: old) } ?? false
  }

  /// True if rows of other classes, which the new version continues, have no value in an old column.
  func isOwn(_ column: String, of classes: [String]) -> Bool {
    entities.allSatisfy { old, _ in
      classes.contains(old.name) || !old.columns.contains { $0.names.contains(column) }
    }
  }

  /// True if the old table has rows of classes that are gone.
  var leavesRowsBehind: Bool { if case .table(_, .some) = rows { true } else { false } }

  /// True if `ALTER TABLE` can make the new columns without changing a row.
  ///
  /// - Parameter tableNames: old to new.
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
  /// Orders renames so that each name is free when it is used: two objects may exchange their names.
  package static func ordered(_ names: [(from: String, to: String)]) -> [(from: String, to: String)] {
    let names = names.filter { $0.from != $0.to }
    func isTaken(_ name: String) -> Bool { names.contains { NameScope.areEqual($0.from, name) } }
    let waiting = names.filter { isTaken($0.to) }
    return waiting.map { ($0.from, "trellis_moving_\($0.from)") } + names.filter { !isTaken($0.to) }
      + waiting.map { ("trellis_moving_\($0.from)", $0.to) }
  }
}

/// The origin of the values of a column of the new version.
struct ColumnOrigin {
  enum Value: Equatable {
    /// A column of the old table, copied verbatim.
    case column(String)
    /// A column of the old table, and a value for the rows without one.
    case filled(String, SQLValue)
    /// An expression over a row of the old table.
    case expression(SQLFragment)
    /// A value for the rows that are older than the column.
    case literal(SQLValue)
    /// A value for the older rows that have an optional struct, whose column follows.
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

    // NaN equals NaN here.
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.sql == rhs.sql }
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
    let only = parts.count == 1 ? parts[0].value : nil
    switch only {
    case .literal?: return true
    default: return column != nil
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
      case .literal, .member: false
      }
    }
  }
}
