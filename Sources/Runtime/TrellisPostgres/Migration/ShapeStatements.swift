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

  /// True if a table keeps an index: its columns keep their names.
  private func isKept(_ index: IndexDefinition, of table: ShapeChange.Table) -> Bool {
    guard let new = table.new, new.indexes.contains(index) else { return false }
    return index.columns.allSatisfy { table.kept[$0] == $0 && isKept($0, of: table) }
  }

  private mutating func dropForeignKeysAndIndexes() {
    for table in continued {
      guard let old = table.old, let new = table.new else { continue }
      for index in old.indexes where !isKept(index, of: table) {
        contract("DROP INDEX \(name(index.name))")
        // Programs of the new version write NULL or the default value into columns that are gone.
        let isRenamed = index.columns.contains { column in table.kept.contains { $1 == column && $0 != column } }
        if index.isUnique, !isRenamed, index.columns.allSatisfy({ isKept($0, of: table) || isRequired($0, of: old) }) {
          exclusions.append("the unique constraint '\(index.name)' is gone, on which the older version relies")
        }
      }
      for column in old.columns where column.reference != nil && hasForeignKeys && !isReferenceKept(column, of: table) {
        let successor = new.columns.first { table.kept[$0.name] == column.name }
        if successor?.reference?.onDelete != column.reference?.onDelete,
          successor != nil || column.reference?.onDelete != .setNull
        {
          exclusions.append("the delete rule of '\(old.name).\(column.name)' is gone")
        }
        dropForeignKey(column, of: old)
      }
    }
    // A table to be dropped may refer to another one.
    for table in change.tables where table.new == nil && hasForeignKeys {
      guard let old = table.old else { continue }
      for column in old.columns where column.reference != nil { dropForeignKey(column, of: old) }
    }
  }

  private mutating func dropForeignKey(_ column: ColumnDefinition, of table: TableDefinition) {
    contract(
      """
      ALTER TABLE \(name(table.name)) DROP CONSTRAINT \(name: PostgresLayout.constraint(column.name, of: table.name))
      """)
  }

  /// True if a table keeps the foreign key of an old column: names stay, and it refers to the same rows.
  private func isReferenceKept(_ column: ColumnDefinition, of table: ShapeChange.Table) -> Bool {
    guard let new = table.new, new.name == table.old?.name, table.kept[column.name] == column.name,
      let reference = new.column(named: column.name)?.reference, let old = column.reference
    else { return false }
    return reference.onDelete == old.onDelete
      && reference.table == continued.first { $0.old?.name == old.table }?.new?.name
  }

  private mutating func addIndexesAndForeignKeys() {
    for table in change.tables {
      guard let own = table.new else { continue }
      for index in own.indexes where table.old?.indexes.contains(index) != true || !isKept(index, of: table) {
        let statement = index.creation(on: tables.qualified(own.name))
        // The table is new, and no other program writes to it.
        guard table.old != nil else {
          expand(statement)
          continue
        }
        let build = Step.Gradual.index(IndexBuild(index, on: own.name, tables, dialect))
        // Programs of the older version may write equal values.
        steps.append(Step(statement: statement, phase: index.isUnique ? .contract : .expand, gradual: build))
      }
      if hasForeignKeys { addForeignKeys(of: table, own) }
    }
  }

  private mutating func addForeignKeys(of table: ShapeChange.Table, _ own: TableDefinition) {
    for column in own.columns where column.reference != nil {
      let former = table.kept[column.name].flatMap { table.old?.column(named: $0) }
      if let former, former.name == column.name, isReferenceKept(former, of: table) { continue }
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
    }
  }
}

// MARK: versions side by side

extension ShapeStatements {
  /// A program cannot read a row whose class it does not know.
  mutating func excludeNewClasses() {
    for table in continued {
      guard let old = table.old, let own = table.new else { continue }
      let renamed = Set(table.renamedClasses.map(\.to))
      for entity in change.new.layout.entities where entity.table == own.name && !entity.discriminators.isEmpty {
        // A table of one class has no column with the class, and programs read all of its rows as that class.
        guard let column = table.kept[entity.entityColumn], old.column(named: column) != nil,
          change.old.schema.entitiesByName[entity.name] == nil, !renamed.contains(entity.name)
        else { continue }
        exclusions.append("the class '\(entity.name)' is new in the table '\(own.name)'")
      }
    }
  }

  /// True if rows must have a value in an old column, or rows of one of its classes.
  func isRequired(_ column: String, of old: TableDefinition) -> Bool {
    old.column(named: column)?.isRequired == true || change.old.isRequiredInPart(column, in: old.name)
  }

  /// The tables, columns and indexes that only the older version has.
  var removed: Set<String> {
    names(change.tables.compactMap(\.old)).subtracting(names(change.tables.compactMap(\.new)))
  }

  /// The tables, columns and indexes that only the newer version has.
  var added: Set<String> { names(change.tables.compactMap(\.new)).subtracting(names(change.tables.compactMap(\.old))) }

  private func names(_ tables: [TableDefinition]) -> Set<String> {
    Set(
      tables.flatMap { table in
        [table.name] + table.columns.map { "\(table.name).\($0.name)" } + table.indexes.map(\.name)
      })
  }
}
