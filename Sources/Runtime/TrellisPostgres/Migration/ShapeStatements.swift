import Trellis

/// The statements that change the tables of one version into those of the next, in order.
///
/// A statement of the phase ``PostgresMigration/Phase/expand`` adds something that programs of the older version do not
/// use. One of the phase ``PostgresMigration/Phase/contract`` removes what only they use.
struct ShapeStatements {
  struct Step {
    let statement: SQLFragment
    let phase: PostgresMigration.Phase
    /// The way to do it while other programs write to the table, for a migration in phases; nil if the phase runs the
    /// statement in its transaction.
    var gradual: Gradual?
    /// False for a statement that only a migration in phases needs: programs of both versions write to the tables then.
    var isWhole = true
    /// True for a statement without which programs of both versions do the same.
    var isCosmetic = false

    /// What is done after the transaction of a phase, without keeping others from writing.
    enum Gradual {
      case index(IndexBuild)
      /// The transaction adds the foreign key for new rows. The existing rows are checked afterwards.
      case foreignKey(SQLFragment, validation: SQLFragment)

      /// The statements that people read.
      var statements: [SQLFragment] {
        switch self {
        case .index(let build): [build.statement]
        case .foreignKey(let statement, let validation): [statement, validation]
        }
      }
    }
  }

  let change: ShapeChange
  let old: PostgresLayout
  let new: PostgresLayout
  /// The new layout with the schema of the database in the names of its tables.
  let qualified: PostgresLayout
  let dialect: PostgresDialect
  let tables: InternalTables
  let hasForeignKeys: Bool
  /// True if the tables have no rows while the statements run, because the rows are written afterwards.
  let isEmpty: Bool

  var steps: [Step] = []
  /// The reasons why programs of both versions cannot use the tables at the same time.
  var exclusions: [String] = []
  /// The reasons why the rows cannot stay in the tables.
  var obstacles: [String] = []

  /// - Parameter isEmpty: true if the tables have no rows while the statements run.
  /// - Throws: ``PostgresError/Code/nullCharacter`` for a default value with U+0000.
  init(
    _ change: ShapeChange, _ tables: InternalTables, _ dialect: PostgresDialect, hasForeignKeys: Bool, isEmpty: Bool
  ) throws {
    self.change = change
    self.tables = tables
    self.dialect = dialect
    self.hasForeignKeys = hasForeignKeys
    self.isEmpty = isEmpty
    old = PostgresLayout(change.old, dialect)
    new = PostgresLayout(change.new, dialect)
    qualified = PostgresLayout(change.new.renamingTables(tables.qualified), dialect)
    obstacles = change.obstacles
    dropForeignKeysAndIndexes()
    // Names that are used again.
    let names = Set(change.tables.compactMap { $0.new?.name })
    let dropped = change.tables.filter { $0.new == nil }.compactMap(\.old)
    for table in dropped where names.contains(table.name) {
      drop(table)
      exclusions.append("another table is called '\(table.name)' now")
    }
    for table in continued { try dropColumns(of: table, whoseNamesAreUsed: true) }
    renameTables()
    for table in continued { renameColumns(of: table) }
    for table in change.tables.filter({ $0.old == nil }).compactMap(\.new) { create(table) }
    for table in continued { try addColumns(to: table) }
    for table in continued { renameClasses(of: table) }
    excludeNewClasses()
    for table in continued { try dropColumns(of: table, whoseNamesAreUsed: false) }
    for table in dropped where !names.contains(table.name) { drop(table) }
    addIndexesAndForeignKeys()
  }

  /// The tables of both versions.
  var continued: [ShapeChange.Table] { change.tables.filter { $0.old != nil && $0.new != nil } }

  mutating func expand(_ statement: SQLFragment, isWhole: Bool = true) {
    steps.append(Step(statement: statement, phase: .expand, isWhole: isWhole))
  }

  mutating func contract(_ statement: SQLFragment) {
    steps.append(Step(statement: statement, phase: .contract))
  }

  /// Adds a statement after which programs of the older version cannot use the tables.
  mutating func exclude(_ statement: SQLFragment, _ reason: String) {
    steps.append(Step(statement: statement, phase: .contract))
    exclusions.append(reason)
  }

  /// The name of a table as statements have it.
  func name(_ table: String) -> SQLFragment { "\(name: tables.qualified(table))" }

  // MARK: tables

  private mutating func create(_ table: TableDefinition) {
    let own = located(table)
    expand(qualified.creation(own, dialect))
    if table.key.isEmpty {
      expand(PostgresLayout.sequence(own.name))
    }
  }

  private mutating func drop(_ table: TableDefinition) {
    contract("DROP TABLE \(name(table.name))")
    if table.key.isEmpty { contract("DROP SEQUENCE \(name(PostgresLayout.keySequence(of: table.name)))") }
  }

  private mutating func renameTables() {
    let names = continued.compactMap { table in
      table.old.flatMap { old in table.new.map { (from: old.name, to: $0.name) } }
    }
    let hasKeys = Dictionary(
      continued.compactMap { table in table.old.map { ($0.name, $0.key.isEmpty) } },
      uniquingKeysWith: { first, _ in first })
    var origins: [String: String] = [:]
    for (from, to) in Rename.ordered(names) {
      let origin = origins[from] ?? from
      origins[to] = origin
      exclude("ALTER TABLE \(name(from)) RENAME TO \(name: to)", "table '\(origin)' is called '\(to)' now")
      guard hasKeys[origin] == true else { continue }
      exclude(
        """
        ALTER SEQUENCE \(name(PostgresLayout.keySequence(of: from))) RENAME TO \
        \(name: PostgresLayout.keySequence(of: to))
        """, "table '\(origin)' is called '\(to)' now")
    }
  }

  /// A table with the schema of the database in its name and in its references.
  private func located(_ table: TableDefinition) -> TableDefinition {
    var own = table
    own.name = tables.qualified(table.name)
    for index in own.columns.indices {
      own.columns[index].reference?.table = tables.qualified(table.columns[index].reference?.table ?? "")
    }
    return own
  }

  // MARK: indexes and foreign keys

  /// The index of the old table under the names of the new columns.
  private func renamed(_ index: IndexDefinition, of table: ShapeChange.Table) -> IndexDefinition {
    let names = Dictionary(table.kept.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var own = index
    own.columns = index.columns.map { names[$0] ?? $0 }
    if let condition = index.condition { own.condition?.column = names[condition.column] ?? condition.column }
    return own
  }

  /// True if a table keeps an index, under this name or another one.
  private func isKept(_ index: IndexDefinition, of table: ShapeChange.Table) -> Bool {
    guard let new = table.new, index.columns.allSatisfy({ isKept($0, of: table) }) else { return false }
    let own = renamed(index, of: table)
    return new.indexes.contains { $0.isSameIndex(as: own) }
  }

  private mutating func dropForeignKeysAndIndexes() {
    for table in continued {
      guard let old = table.old, let new = table.new else { continue }
      for index in old.indexes where !isKept(index, of: table) {
        contract("DROP INDEX \(name(index.name))")
        // Programs of the new version write NULL or the default value into columns that are gone.
        if index.isUnique, index.columns.allSatisfy({ isKept($0, of: table) || isRequired($0, of: old) }) {
          exclusions.append("the unique constraint '\(index.name)' is gone, on which the older version relies")
        }
      }
      guard hasForeignKeys else { continue }
      for column in old.columns where column.reference != nil {
        let successor = table.kept.first { $1 == column.name }.flatMap { new.column(named: $0.key) }
        guard successor.map({ isSameReference($0, column) }) != true else { continue }
        if successor != nil || column.reference?.onDelete != .setNull {
          exclusions.append("the delete rule of '\(old.name).\(column.name)' is gone")
        }
        contract(
          """
          ALTER TABLE \(name(old.name)) DROP CONSTRAINT \
          \(name: PostgresLayout.constraint(column.name, of: old.name))
          """)
      }
    }
    // A table to be dropped may refer to another one.
    for table in change.tables where table.new == nil && hasForeignKeys {
      for column in table.old?.columns ?? [] where column.reference != nil {
        guard let old = table.old else { continue }
        contract(
          """
          ALTER TABLE \(name(old.name)) DROP CONSTRAINT \
          \(name: PostgresLayout.constraint(column.name, of: old.name))
          """)
      }
    }
  }

  /// True if a column refers to the rows to which an old one refers.
  private func isSameReference(_ column: ColumnDefinition, _ former: ColumnDefinition) -> Bool {
    guard let reference = column.reference, let old = former.reference else { return false }
    let target = continued.first { $0.old?.name == old.table }?.new?.name
    return reference.onDelete == old.onDelete && reference.table == target
  }

  /// The old index that an index continues.
  private func former(_ index: IndexDefinition, of table: ShapeChange.Table) -> IndexDefinition? {
    table.old?.indexes.first { isKept($0, of: table) && renamed($0, of: table).isSameIndex(as: index) }
  }

  private mutating func addIndexesAndForeignKeys() {
    let renames = change.tables.flatMap { table in
      (table.new?.indexes ?? []).compactMap { index in former(index, of: table).map { (from: $0.name, to: index.name) }
      }
    }
    for (from, to) in Rename.ordered(renames) {
      exclude("ALTER INDEX \(name(from)) RENAME TO \(name: to)", "index '\(from)' is called '\(to)' now")
    }
    for table in change.tables {
      guard let own = table.new else { continue }
      for index in own.indexes where former(index, of: table) == nil {
        let statement = qualified.creation(index, on: tables.qualified(own.name))
        // The table is new, and no other program writes to it.
        guard table.old != nil else {
          expand(statement)
          continue
        }
        let build = Step.Gradual.index(IndexBuild(index, on: own.name, qualified, tables, dialect))
        // Programs of the older version may write equal values.
        steps.append(Step(statement: statement, phase: index.isUnique ? .contract : .expand, gradual: build))
      }
      if hasForeignKeys { addForeignKeys(of: table, own) }
    }
  }

  private mutating func addForeignKeys(of table: ShapeChange.Table, _ own: TableDefinition) {
    var renames: [(from: String, to: String)] = []
    for column in own.columns where column.reference != nil {
      let former = table.kept[column.name].flatMap { table.old?.column(named: $0) }
      guard let former, let old = table.old, isSameReference(column, former) else {
        if let former, former.reference == nil {
          exclusions.append("'\(own.name).\(column.name)' has a delete rule now")
        }
        var single = located(own)
        single.columns = single.columns.filter { $0.name == column.name }
        let name = PostgresLayout.constraint(column.name, of: own.name)
        for statement in qualified.foreignKeys(of: single) {
          let gradual = Step.Gradual.foreignKey(
            "\(statement) NOT VALID",
            validation: "ALTER TABLE \(self.name(own.name)) VALIDATE CONSTRAINT \(name: name)")
          steps.append(
            Step(
              statement: statement, phase: former?.reference == nil ? .expand : .contract,
              gradual: table.old == nil ? nil : gradual))
        }
        continue
      }
      renames.append(
        (PostgresLayout.constraint(former.name, of: old.name), PostgresLayout.constraint(column.name, of: own.name)))
    }
    for (from, to) in Rename.ordered(renames) {
      exclude(
        "ALTER TABLE \(name(own.name)) RENAME CONSTRAINT \(name: from) TO \(name: to)",
        "foreign key '\(from)' is called '\(to)' now")
    }
  }
}

extension IndexDefinition {
  /// True for an index over the same rows and columns, whatever its name.
  fileprivate func isSameIndex(as other: IndexDefinition) -> Bool {
    columns == other.columns && isUnique == other.isUnique && condition == other.condition
  }
}
