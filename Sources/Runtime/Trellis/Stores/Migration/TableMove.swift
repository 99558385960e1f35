/// What becomes of one table in a stage.
struct TableMove {
  enum Rows {
    /// There were none.
    case none
    /// Of the old table; the condition leaves out those of classes that are gone.
    case table(TableDefinition, where: SQLFragment?)
    /// Pairs that were references: of the owners to the members, or of the members to the owners.
    case references(table: String, owner: String, member: String)
  }

  let table: TableDefinition
  var rows: Rows
  /// By new column.
  var origins: [String: ColumnOrigin] = [:]
  /// The old table's column with the class of a row; nil where it holds one class.
  var oldEntityColumn: String?
  /// The column that numbers the rows, new and old; nil in tables of pairs.
  var keyColumns: (new: String, old: String)?
  /// The models of the table with what they were.
  var entities: [(old: EntityLayout, new: EntityLayout)] = []
  /// Classes that have other names now, where rows say what they are.
  var renamedClasses: [(column: String, from: String, to: String)] = []
  /// Whether rows are written anew.
  var isRebuilt = false

  var source: TableDefinition? { if case .table(let table, _) = rows { table } else { nil } }

  /// Whether some rows of the old table are of classes that are gone.
  var leavesRowsBehind: Bool { if case .table(_, .some) = rows { true } else { false } }

  /// Whether the columns can be brought about without touching a row.
  ///
  /// - Parameter tableNames: old to new.
  func canStay(_ tableNames: [String: String]) -> Bool {
    guard case .table(let source, nil) = rows else { return false }
    var used = Set<String>()
    for column in table.columns {
      guard let origin = origins[column.name], origin.isInPlace else { return false }
      guard let former = origin.column else {
        // A new column of rows that are there: it takes a value to be required.
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
