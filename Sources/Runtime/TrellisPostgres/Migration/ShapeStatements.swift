import Trellis

/// The statements that migrate the tables from one version to the next, in order.
///
/// Statements in the phase ``PostgresMigration/Phase/expand`` add elements that older app versions do not use.
/// Statements in the phase ``PostgresMigration/Phase/contract`` remove elements that only older app versions use.
struct ShapeStatements {
  struct Step {
    let statement: SQLFragment
    let phase: PostgresMigration.Phase
    /// The concurrent variant for a phased migration, which allows writes to the table; `nil` if the phase runs the
    /// statement in its transaction.
    var gradual: Gradual?
    /// False if only a phased migration needs the statement, because both app versions then write to the tables.
    var isWhole = true
    /// True if both app versions behave the same if the statement is not run.
    var isCosmetic = false
    /// True if the statement only changes rows. It is skipped if all rows are rewritten.
    var changesRows = false

    /// Work that follows a phase's transaction and does not block writers.
    enum Gradual {
      case index(IndexBuild)
      /// The transaction adds the foreign key for new rows. Existing rows are validated afterwards.
      case foreignKey(SQLFragment, validation: SQLFragment)

      /// The statements for display.
      var statements: [SQLFragment] {
        switch self {
        case .index(let build): [build.statement]
        case .foreignKey(let statement, let validation): [statement, validation]
        }
      }
    }
  }

  /// A table that exists in both versions.
  struct Continued {
    let old: TableDefinition
    let new: TableDefinition
    let change: ShapeChange.Table
    /// The beginning of an ALTER TABLE statement for this table.
    let alter: SQLFragment
  }

  let change: ShapeChange
  let old: PostgresLayout
  let new: PostgresLayout
  let dialect: PostgresDialect
  let tables: InternalTables
  let hasForeignKeys: Bool

  private(set) var steps: [Step] = []
  /// Reasons why both app versions cannot use the tables at the same time.
  var exclusions: [String] = []
  /// Reasons why rows have to be rewritten.
  var obstacles: [String] = []

  init(_ change: ShapeChange, _ tables: InternalTables, _ dialect: PostgresDialect, hasForeignKeys: Bool) {
    self.change = change
    self.tables = tables
    self.dialect = dialect
    self.hasForeignKeys = hasForeignKeys
    old = PostgresLayout(change.old, dialect)
    new = PostgresLayout(change.new, dialect)
    obstacles = change.obstacles
    let continued = change.tables.compactMap { table in
      table.old.flatMap { old in
        table.new.map { Continued(old: old, new: $0, change: table, alter: "ALTER TABLE \(name($0.name))") }
      }
    }
    for table in change.tables { dropForeignKeysAndIndexes(of: table, continued) }
    for table in change.tables where table.new == nil { drop(table.old) }
    renameTables(continued)
    for table in continued { renameColumns(of: table) }
    for table in change.tables where table.old == nil { create(table.new) }
    for table in continued { addColumns(to: table) }
    for table in continued {
      renameClasses(of: table)
      excludeNewClasses(in: table)
      dropColumns(of: table)
    }
    for table in change.tables { addIndexesAndForeignKeys(to: table, continued) }
  }

  mutating func expand(_ statement: SQLFragment, isWhole: Bool = true) {
    steps.append(Step(statement: statement, phase: .expand, isWhole: isWhole))
  }

  mutating func contract(_ statement: SQLFragment, isCosmetic: Bool = false, changesRows: Bool = false) {
    steps.append(Step(statement: statement, phase: .contract, isCosmetic: isCosmetic, changesRows: changesRows))
  }

  /// A table's qualified name in a statement.
  func name(_ table: String) -> SQLFragment { "\(name: tables.qualified(table))" }

  // MARK: tables

  private mutating func create(_ table: TableDefinition?) {
    guard let table else { return }
    expand(new.creation(table, tables, dialect))
    if table.key.isEmpty { expand(PostgresLayout.sequence(tables.qualified(table.name))) }
  }

  private mutating func drop(_ table: TableDefinition?) {
    guard let table else { return }
    contract("DROP TABLE \(name(table.name))")
    if table.key.isEmpty { contract("DROP SEQUENCE \(name(PostgresLayout.keySequence(of: table.name)))") }
    guard change.tables.contains(where: { $0.new?.name == table.name }) else { return }
    exclusions.append("a different table is now called '\(table.name)'")
  }

  private mutating func renameTables(_ continued: [Continued]) {
    func rename(_ kind: SQLFragment, _ names: [(from: String, to: String)]) {
      for (from, to) in Rename.ordered(names) { contract("ALTER \(kind) \(name(from)) RENAME TO \(name: to)") }
    }
    for table in continued where table.old.name != table.new.name {
      exclusions.append("table '\(table.old.name)' is now called '\(table.new.name)'")
    }
    rename("TABLE", continued.map { ($0.old.name, $0.new.name) })
    rename(
      "SEQUENCE",
      continued.filter(\.old.key.isEmpty)
        .map { (PostgresLayout.keySequence(of: $0.old.name), PostgresLayout.keySequence(of: $0.new.name)) })
  }

  // MARK: indexes and foreign keys

  /// True if a table keeps an index, because the indexed columns keep their names.
  private func isKept(_ index: IndexDefinition, of table: ShapeChange.Table) -> Bool {
    guard table.old?.indexes.contains(index) == true, table.new?.indexes.contains(index) == true else { return false }
    return index.columns.allSatisfy { table.kept[$0] == $0 && isKept($0, of: table) }
  }

  /// True if a table keeps an old column's foreign key: the names are unchanged and it refers to the same rows.
  private func isReferenceKept(
    _ column: ColumnDefinition, of table: ShapeChange.Table, _ continued: [Continued]
  ) -> Bool {
    guard let new = table.new, new.name == table.old?.name, table.kept[column.name] == column.name,
      let reference = new.column(named: column.name)?.reference, let old = column.reference
    else { return false }
    return reference.onDelete == old.onDelete
      && reference.table == continued.first { $0.old.name == old.table }?.new.name
  }

  private mutating func dropForeignKeysAndIndexes(of table: ShapeChange.Table, _ continued: [Continued]) {
    guard let old = table.old else { return }
    for index in table.new == nil ? [] : old.indexes where !isKept(index, of: table) {
      contract("DROP INDEX \(name(index.name))")
      // The new app version writes NULL or the default value to removed columns.
      let isRenamed = index.columns.contains { column in table.kept.contains { $1 == column && $0 != column } }
      if index.isUnique, !isRenamed, index.columns.allSatisfy({ isKept($0, of: table) || isRequired($0, of: old) }) {
        exclusions.append("the unique constraint '\(index.name)', on which the older version relies, is removed")
      }
    }
    // A table to be dropped may refer to a table that is dropped earlier.
    for column in old.columns
    where column.reference != nil && hasForeignKeys && !isReferenceKept(column, of: table, continued) {
      let successor = table.new?.columns.first { table.kept[$0.name] == column.name }
      if table.new != nil, successor?.reference?.onDelete != column.reference?.onDelete,
        successor != nil || column.reference?.onDelete != .setNull
      {
        exclusions.append("the delete rule of '\(old.name).\(column.name)' is removed")
      }
      contract(
        "ALTER TABLE \(name(old.name)) DROP CONSTRAINT \(name: PostgresLayout.constraint(column.name, of: old.name))")
    }
  }

  private mutating func addIndexesAndForeignKeys(to table: ShapeChange.Table, _ continued: [Continued]) {
    guard let own = table.new else { return }
    let isNew = table.old == nil
    for index in own.indexes where !isKept(index, of: table) {
      let build = Step.Gradual.index(IndexBuild(index: index, table: own.name, tables: tables))
      // New tables have no concurrent writers. In existing tables, older app versions may insert equal values.
      steps.append(
        Step(
          statement: index.creation(on: tables.qualified(own.name)),
          phase: index.isUnique && !isNew ? .contract : .expand, gradual: isNew ? nil : build))
    }
    for column in own.columns where hasForeignKeys {
      guard let statement = new.foreignKey(column, of: own, tables) else { continue }
      let former = table.kept[column.name].flatMap { table.old?.column(named: $0) }
      if let former, former.name == column.name, isReferenceKept(former, of: table, continued) { continue }
      if let former, former.reference == nil {
        exclusions.append("'\(own.name).\(column.name)' now has a delete rule")
      }
      let constraint = PostgresLayout.constraint(column.name, of: own.name)
      let gradual = Step.Gradual.foreignKey(
        "\(statement) NOT VALID",
        validation: "ALTER TABLE \(name(own.name)) VALIDATE CONSTRAINT \(name: constraint)")
      steps.append(
        Step(
          statement: statement, phase: former?.reference == nil ? .expand : .contract, gradual: isNew ? nil : gradual))
    }
  }
}

// MARK: versions side by side

extension ShapeStatements {
  /// Excludes older app versions if rows may have a new class, which they cannot read.
  mutating func excludeNewClasses(in table: Continued) {
    let renamed = Set(table.change.renamedClasses.map(\.to))
    for entity in change.new.layout.entities where entity.table == table.new.name && !entity.discriminators.isEmpty {
      // A single-class table has no class column; all rows are read as that class.
      guard let column = table.change.kept[entity.entityColumn], table.old.column(named: column) != nil,
        change.old.schema.entitiesByName[entity.name] == nil, !renamed.contains(entity.name)
      else { continue }
      exclusions.append("the class '\(entity.name)' is new in the table '\(table.new.name)'")
    }
  }

  /// True if an old column is required, or is required for rows of a subclass.
  func isRequired(_ column: String, of old: TableDefinition) -> Bool {
    old.column(named: column)?.isRequired == true || change.old.isRequiredInPart(column, in: old.name)
  }

  /// Tables, columns and indexes that exist only in the older version.
  var removed: Set<String> {
    names(change.tables.compactMap(\.old)).subtracting(names(change.tables.compactMap(\.new)))
  }

  /// Tables, columns and indexes that exist only in the newer version.
  var added: Set<String> { names(change.tables.compactMap(\.new)).subtracting(names(change.tables.compactMap(\.old))) }

  private func names(_ tables: [TableDefinition]) -> Set<String> {
    Set(
      tables.flatMap { table in
        [table.name] + table.columns.map { "\(table.name).\($0.name)" } + table.indexes.map(\.name)
      })
  }
}
