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
  /// The column of the old table with the class of a row; nil if the table holds one class.
  var oldEntityColumn: String?
  /// The new and the old key column; nil for tables of pairs.
  var keyColumns: (new: String, old: String)?
  /// The old and new entities of the table.
  var entities: [(old: EntityLayout, new: EntityLayout)] = []
  /// Classes with other names, if a column of the table has the class of a row.
  var renamedClasses: [(column: String, from: String, to: String)] = []
  /// True if rows are rewritten.
  var isRebuilt = false

  var source: TableDefinition? { if case .table(let table, _) = rows { table } else { nil } }

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
        if column.isRequired, case .null? = origin.uniform { return false }
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
