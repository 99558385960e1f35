/// Migrates a store's tables to the next version.
///
/// Tables that keep their rows are renamed and altered. All other tables are renamed temporarily, and their rows are
/// copied to new tables.
final class StagePass {
  let migrator: Migrator
  let stage: StageChanges
  var connection: Connection { migrator.connection }
  /// Temporary names by old table name.
  private(set) var asideNames: [String: String] = [:]

  init(_ migrator: Migrator, _ stage: StageChanges) {
    self.migrator = migrator
    self.stage = stage
  }

  func run() throws {
    try recordFiles()
    // External file triggers refer to column names. They are recreated for the new tables.
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
    // Rows of removed classes are not copied. References to them follow the delete rules.
    if stage.moves.contains(where: \.leavesRowsBehind) { try connection.updateReferences(of: stage.new) }
    try migrator.externalFiles(stage.new)?.prepare(connection)
    try runSteps()
    if stage.step.hasCustomSteps { try dropAside() }
    try tighten()
    try addIndexes(unique: false)
    try addIndexes(unique: true)
    // Recreating a table drops its triggers.
    try migrator.externalFiles(stage.new)?.prepare(connection)
    try discardFiles()
  }

  // MARK: old tables

  /// Renames old tables that will be rewritten or dropped.
  private func setAside() throws {
    let rebuilt = stage.moves.filter(\.isRebuilt).compactMap(\.source) + stage.dropped
    for table in stage.old.tables where rebuilt.contains(where: { $0.name == table.name }) {
      let aside = try connection.setAside(table.name)
      asideNames[table.name] = aside
      // A custom step reads the old rows, which is slow if there are no indexes.
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

  // MARK: tables altered in place

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
      // The rows still have the old class names.
      try connection.execute(
        """
        UPDATE \(name: table) SET \(name: column.name) = \(literal: value)
        WHERE \(name: entityColumn) IN (\(literals: classes))
        """)
    }
    try renameClasses(move)
  }

  /// Updates the class names in rows.
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

  // MARK: values set by custom steps

  /// Returns the table used while the stage runs: values set by links and custom steps are optional.
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

  /// Restores NOT NULL on columns filled by custom steps. SQLite cannot change column constraints, so the tables are
  /// copied, except for their indexes.
  private func tighten() throws {
    for table in stage.new.tables where working(table) != table {
      let aside = try connection.setAside(table.name)
      try connection.execute(table.creation)
      let columns: SQLFragment = "\(names: table.columns.map(\.name))"
      do {
        try connection.execute("INSERT INTO \(name: table.name) (\(columns)) SELECT \(columns) FROM \(name: aside)")
      } catch let error as SQLiteError where error.code == .constraint {
        throw migrator.failure("a required property was not set in all rows: \(error.message)")
      }
      try connection.execute("DROP TABLE \(name: aside)")
    }
  }
}

/// Copying rows to new tables.
extension StagePass {
  /// The rows copied between progress reports.
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

  /// Copies rows in SQL. Model rows are copied in batches, with a progress report after each batch.
  private func copyRows(_ move: TableMove, from source: String, where condition: SQLFragment) throws {
    let values = move.table.columns.map { move.origins[$0.name]?.sql(move.oldEntityColumn) ?? "NULL" }
    let activity = MigrationProgress.Activity.rows(entity: move.entities.first?.new.name ?? move.table.name)
    // Several references may produce the same pair.
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

  /// Sets references that were stored in lists or on the inverse side.
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
        "'\(link.title)' refers to a single model, but there are several for \(keys): remove the others beforehand, "
          + "choose one in a custom step, or keep the first with '.accept([\"\(link.title)\"])'")
    }
    try connection.execute(
      """
      UPDATE \(name: entity.table) SET \(name: link.column.name) = "pairs"."value"
      FROM (SELECT \(row) AS "row", MIN(\(value)) AS "value" FROM \(name: source)
      WHERE \(row) IS NOT NULL GROUP BY 1) AS "pairs"
      WHERE \(column: entity.keyColumn, of: entity.table) = "pairs"."row"
      """)
  }

  /// Returns an old table's name during the stage.
  private func current(_ table: String) -> String { asideNames[table] ?? stage.tableNames[table] ?? table }

  /// Returns an old column's name during the stage. In tables altered in place, columns are already renamed.
  private func current(_ column: String, of table: String) -> String {
    guard asideNames[table] == nil, let move = stage.moves.first(where: { $0.source?.name == table })
    else { return column }
    return move.origins.first { $0.value.column == column }?.key ?? column
  }
}
