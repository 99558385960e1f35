/// Changes the tables of a store to those of the next version.
///
/// Tables that keep their rows are renamed and altered. Other tables get a temporary name, and their rows are copied
/// into new tables.
final class StagePass {
  let migrator: Migrator
  let stage: StageChanges
  var connection: Connection { migrator.connection }
  /// The temporary names of old tables.
  private(set) var asideNames: [String: String] = [:]

  init(_ migrator: Migrator, _ stage: StageChanges) {
    self.migrator = migrator
    self.stage = stage
  }

  func run() throws {
    try recordFiles()
    // The triggers of external files name columns. They are made again for the new tables.
    _ = try connection.setAside(where: "type = 'trigger' AND name LIKE 'trellis\\_%' ESCAPE '\\'")
    try setAside()
    try renameInPlace()
    for move in stage.moves where move.isRebuilt {
      try connection.execute(working(move.table).creation)
    }
    for move in stage.moves where move.isRebuilt { try copy(move) }
    for move in stage.moves where !move.isRebuilt { try addInPlace(move) }
    for link in stage.links { try self.link(link) }
    if !stage.step.hasCustomSteps { try dropAside() }
    try moveNames()
    try dropOldIndexes()
    try addIndexes(unique: false)
    for statement in stage.departures { try connection.execute(statement) }
    // Rows of classes that are gone are not copied. References to them follow their delete rules.
    if stage.moves.contains(where: \.leavesRowsBehind) { try connection.settleReferences(of: stage.new) }
    try migrator.externalFiles(stage.new)?.prepare(connection)
    try runSteps()
    if stage.step.hasCustomSteps { try dropAside() }
    try tighten()
    try addIndexes(unique: false)
    try addIndexes(unique: true)
    // A table that was made once more has lost its triggers.
    try migrator.externalFiles(stage.new)?.prepare(connection)
    try discardFiles()
  }

  // MARK: old tables

  /// Gives the old tables that are rewritten or dropped a temporary name.
  private func setAside() throws {
    let rebuilt = stage.moves.filter(\.isRebuilt).compactMap(\.source) + stage.dropped
    for table in stage.old.tables where rebuilt.contains(where: { $0.name == table.name }) {
      let aside = try connection.setAside(table.name)
      asideNames[table.name] = aside
      // A custom step reads the old rows.
      guard stage.step.hasCustomSteps else { continue }
      for (number, index) in table.indexes.enumerated() {
        var copy = index
        copy.name = "\(aside)_\(number)"
        copy.isUnique = false
        try connection.execute(copy.creation(on: aside))
      }
    }
  }

  private func dropAside() throws {
    for name in asideNames.values.sorted() { try connection.execute("DROP TABLE \(name: name)") }
    asideNames = [:]
  }

  // MARK: tables that stay

  private func renameInPlace() throws {
    let staying = stage.moves.filter { !$0.isRebuilt }
    let tables = staying.compactMap { move in move.source.map { (from: $0.name, to: move.table.name) } }
    for (from, to) in Rename.ordered(tables) {
      try connection.execute("ALTER TABLE \(name: from) RENAME TO \(name: to)")
    }
    for move in staying {
      let columns = move.table.columns.compactMap { column in
        move.origins[column.name]?.column.map { (from: $0, to: column.name) }
      }
      for (from, to) in Rename.ordered(columns) {
        try connection.execute("ALTER TABLE \(name: move.table.name) RENAME COLUMN \(name: from) TO \(name: to)")
      }
    }
  }

  private func addInPlace(_ move: TableMove) throws {
    let table = move.table.name
    for column in move.table.columns {
      guard let part = move.origins[column.name]?.parts.first, case .literal(let value) = part.value else { continue }
      let isDefault = part.classes == nil && value != .null
      let preset: SQLFragment = isDefault ? " DEFAULT \(literal: value)" : ""
      try connection.execute("ALTER TABLE \(name: table) ADD COLUMN \(column.definition)\(preset)")
      guard let classes = part.classes, let entityColumn = move.entities.first?.new.entityColumn else { continue }
      // Rows have their old classes until the end of the stage.
      try connection.execute(
        """
        UPDATE \(name: table) SET \(name: column.name) = \(literal: value)
        WHERE \(name: entityColumn) IN (\(literals: classes))
        """)
    }
    try renameClasses(move)
  }

  /// Gives rows the new names of their classes.
  func renameClasses(_ move: TableMove) throws {
    guard !move.renamedClasses.isEmpty else { return }
    let column = move.renamedClasses[0].column
    var cases: SQLFragment = "CASE \(name: column)"
    for (_, from, to) in move.renamedClasses { cases += " WHEN \(literal: from) THEN \(literal: to)" }
    try connection.execute(
      """
      UPDATE \(name: move.table.name) SET \(name: column) = \(cases) END
      WHERE \(name: column) IN (\(literals: move.renamedClasses.map(\.from)))
      """)
  }

  // MARK: values that custom steps give

  /// The table while the stage runs: values that links and custom steps give may be missing.
  private func working(_ table: TableDefinition) -> TableDefinition {
    let problems = stage.step.hasCustomSteps ? (stage.gaps + stage.checks).filter(\.isAboutMissing) : []
    let missing = problems.compactMap(\.place) + stage.links.map { (table: $0.entity.table, columns: [$0.column.name]) }
    var working = table
    for (index, column) in table.columns.enumerated()
    where missing.contains(where: { $0.table == table.name && $0.columns.contains(column.name) }) {
      working.columns[index].isRequired = false
    }
    return working
  }

  /// Makes the columns required whose values custom steps were to give. SQLite cannot change the constraints of a
  /// column, so the tables are copied, without their indexes.
  private func tighten() throws {
    for table in stage.new.tables where working(table) != table {
      let aside = try connection.setAside(table.name)
      try connection.execute(table.creation)
      let columns: SQLFragment = "\(names: table.columns.map(\.name))"
      do {
        try connection.execute("INSERT INTO \(name: table.name) (\(columns)) SELECT \(columns) FROM \(name: aside)")
      } catch let error as SQLiteError where error.code == .constraint {
        throw migrator.failure("no step gave a required property its value in all rows: \(error.message)")
      }
      try connection.execute("DROP TABLE \(name: aside)")
    }
  }
}

/// Copying rows from an old table into a new one.
extension StagePass {
  /// The number of rows that are copied before the observer gets a report.
  static let rowsAtOnce = 10_000

  func copy(_ move: TableMove) throws {
    switch move.rows {
    case .none: return
    case .references(let table, let owner, let member):
      try copyRows(
        move, from: current(table),
        where: "\(name: owner) IS NOT NULL AND \(name: member) IS NOT NULL")
    case .table(let source, let condition):
      guard let aside = asideNames[source.name] else { return }
      if move.entities.contains(where: { !fills(of: $0.new).isEmpty }) {
        for entities in move.entities {
          try FillPass(self, move, entities, fills(of: entities.new), from: aside).run()
        }
      } else {
        try copyRows(move, from: aside, where: condition ?? "1")
      }
      try renameClasses(move)
    }
  }

  private func fills(of entity: EntityLayout) -> [MigrationFill] {
    stage.step.plan.steps.compactMap { step in
      guard case .fill(let fill) = step.kind else { return nil }
      return entity.definition.isOrInherits(from: fill.new.entityName) ? fill : nil
    }
  }

  /// Copies rows in SQL. Those of models are copied some at a time, between which the observer gets reports.
  private func copyRows(_ move: TableMove, from source: String, where condition: SQLFragment) throws {
    let values = move.table.columns.map { move.origins[$0.name]?.sql(move.oldEntityColumn) ?? "NULL" }
    let activity = MigrationProgress.Activity.rows(entity: move.entities.first?.new.name ?? move.table.name)
    // Several references may be one pair.
    let insertion: SQLFragment = move.keyColumns == nil ? "INSERT OR IGNORE" : "INSERT"
    let copy: SQLFragment = """
      \(insertion) INTO \(name: move.table.name) (\(names: move.table.columns.map(\.name)))
      SELECT \(values.joined(separator: ", ")) FROM \(name: source) WHERE \(condition)
      """
    guard let keys = move.keyColumns else {
      try connection.execute(copy)
      return migrator.report(activity, adding: connection.changes)
    }
    let key: SQLFragment = "\(name: keys.old)"
    var next = try connection.integers("SELECT MIN(\(key)) FROM \(name: source)").first
    while let first = next {
      try connection.executeCached(
        "\(copy) AND \(key) >= \(value: .integer(first)) ORDER BY \(key) LIMIT \(number: Self.rowsAtOnce)")
      let copied = connection.changes
      migrator.report(activity, adding: copied)
      guard copied == Self.rowsAtOnce else { return }
      next = try connection.integers(
        """
        SELECT MIN(\(key)) FROM \(name: source)
        WHERE \(key) > (SELECT MAX(\(name: keys.new)) FROM \(name: move.table.name))
        """
      ).first
    }
  }

  /// Sets references whose values were in lists or at the other ends of relationships.
  func link(_ link: StageChanges.Link) throws {
    let pairs = link.pairs
    let source = current(pairs.table)
    let row: SQLFragment = "\(name: current(pairs.row, of: pairs.table))"
    let value: SQLFragment = "\(name: current(pairs.value, of: pairs.table))"
    let several = try connection.rows(
      """
      SELECT \(row) FROM \(name: source) WHERE \(row) IS NOT NULL AND \(value) IS NOT NULL
      GROUP BY \(row) HAVING COUNT(*) > 1 ORDER BY \(row) LIMIT 3
      """)
    let entity = link.entity
    guard several.isEmpty || stage.step.hasCustomSteps || stage.accepted.contains(link.title) else {
      let keys = several.map { "\(entity.name)/\($0[0].text)" }.joined(separator: ", ")
      throw migrator.failure(
        "'\(link.title)' leads to one model, and several belong there for \(keys): leave one of them before, say in a "
          + "custom step which one it is, or accept that the first one stays with '.accept([\"\(link.title)\"])'")
    }
    try connection.execute(
      """
      UPDATE \(name: entity.table) SET \(name: link.column.name) = "pairs"."value"
      FROM (SELECT \(row) AS "row", MIN(\(value)) AS "value" FROM \(name: source)
      WHERE \(row) IS NOT NULL GROUP BY 1) AS "pairs"
      WHERE \(column: entity.keyColumn, of: entity.table) = "pairs"."row"
      """)
  }

  /// The name of an old table while the stage runs.
  private func current(_ table: String) -> String { asideNames[table] ?? stage.tableNames[table] ?? table }

  /// The name of an old column while the stage runs: columns of tables that stay have been renamed.
  private func current(_ column: String, of table: String) -> String {
    guard asideNames[table] == nil, let move = stage.moves.first(where: { $0.source?.name == table })
    else { return column }
    return move.origins.first { $0.value.column == column }?.key ?? column
  }
}
