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
  /// The columns that may be NULL until the custom steps have run, by new table.
  private var relaxed: [String: Set<String>] = [:]

  init(_ migrator: Migrator, _ stage: StageChanges) throws {
    self.migrator = migrator
    self.stage = stage
    // Links need all rows.
    for link in stage.links where link.isRequired { relaxed[link.table, default: []].insert(link.column) }
    guard stage.step.hasCustomSteps else { return }
    for gap in stage.gaps where !gap.column.isEmpty {
      relaxed[gap.table, default: []].insert(gap.column)
    }
    for check in stage.checks where check.isAboutMissing {
      guard let entity = stage.new.layout.entity(named: check.entity),
        let place = entity.place(of: check.property)
      else { continue }
      relaxed[entity.table, default: []].insert(place.name)
    }
  }

  func run() throws {
    try noteDiscardedFiles()
    try dropTriggers()
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
    if !relaxed.isEmpty { try migrator.externalFiles(stage.new)?.prepare(connection) }
  }

  // MARK: old tables

  /// Gives the old tables that are rewritten a temporary name.
  private func setAside() throws {
    try connection.execute("PRAGMA legacy_alter_table = ON")
    defer { try? connection.execute("PRAGMA legacy_alter_table = OFF") }
    var sources = Set(stage.moves.filter(\.isRebuilt).compactMap { $0.source?.name })
    for case .references(let table, _, _) in stage.moves.map(\.rows) { sources.insert(table) }
    let inPlace = Set(stage.moves.filter { !$0.isRebuilt }.compactMap { $0.source?.name })
    sources.subtract(inPlace)
    for table in stage.old.tables where sources.contains(table.name) || isDropped(table) {
      let aside = "trellis_old_\(table.name)"
      // The new indexes get the names of the old ones.
      let indexes = stage.step.hasCustomSteps ? table.indexes : []
      for (name, _) in try connection.indexes(of: table.name) {
        try connection.execute("DROP INDEX \(name: name)")
      }
      try connection.execute("ALTER TABLE \(name: table.name) RENAME TO \(name: aside)")
      asideNames[table.name] = aside
      for (number, index) in indexes.enumerated() {
        var copy = index
        copy.name = "trellis_old_\(table.name)_\(number)"
        copy.isUnique = false
        try connection.execute(copy.creation(on: aside))
      }
    }
  }

  private func isDropped(_ table: TableDefinition) -> Bool {
    stage.dropped.contains { $0.name == table.name }
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
      guard let origin = move.origins[column.name], origin.column == nil, let part = origin.parts.first
      else { continue }
      var addition: SQLFragment = "ALTER TABLE \(name: table) ADD COLUMN \(column.definition)"
      if case .literal(let value) = part.value, part.classes == nil { addition += " DEFAULT \(literal: value)" }
      try connection.execute(addition)
      guard case .literal(let value) = part.value, let classes = part.classes,
        let entityColumn = move.entities.first?.new.entityColumn
      else { continue }
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

  /// The table while the stage runs: values that steps give may be missing.
  func working(_ table: TableDefinition) -> TableDefinition {
    guard let columns = relaxed[table.name] else { return table }
    var table = table
    for index in table.columns.indices where columns.contains(table.columns[index].name) {
      table.columns[index].isRequired = false
    }
    return table
  }

  /// Makes the columns required whose values custom steps were to give.
  private func tighten() throws {
    for (name, columns) in relaxed.sorted(by: { $0.key < $1.key }) {
      guard let table = stage.new.tables.first(where: { $0.name == name }) else { continue }
      for column in table.columns where columns.contains(column.name) && column.isRequired {
        let key = table.columns.first(where: \.isRowKey)?.name ?? "rowid"
        let missing = try connection.rows(
          "SELECT \(name: key) FROM \(name: name) WHERE \(name: column.name) IS NULL LIMIT 3")
        guard missing.isEmpty else {
          let keys = missing.compactMap { $0.first?.text }.joined(separator: ", ")
          let reasons = stage.gaps.filter { $0.table == name && $0.column == column.name }
          throw migrator.failure(
            "'\(name).\(column.name)' \(reasons.first?.reason ?? "needs a value"), and no step gave it one "
              + "in rows \(keys)")
        }
      }
      guard working(table) != table else { continue }
      try connection.rebuild(table)
    }
  }
}

/// Copying rows from an old table into a new one.
extension StagePass {
  /// The number of rows that a statement copies before the observer gets a report.
  private static let rowsAtOnce = 10_000

  func copy(_ move: TableMove) throws {
    switch move.rows {
    case .none: return
    case .references(let table, let owner, let member):
      try copyPairs(
        move, from: asideNames[table] ?? stage.tableNames[table] ?? table,
        where: "\(name: owner) IS NOT NULL AND \(name: member) IS NOT NULL")
    case .table(let source, let condition):
      guard let aside = asideNames[source.name] else { return }
      let fills = fills(of: move)
      if !fills.isEmpty {
        try FillPass(self, move, fills, from: aside, where: condition).run()
      } else if let keys = move.keyColumns {
        try copyRows(move, from: aside, keys, where: condition)
      } else {
        try copyPairs(move, from: aside, where: nil)
      }
      try renameClasses(move)
    }
  }

  private func fills(of move: TableMove) -> [MigrationFill] {
    let models = move.entities.map(\.new.definition)
    return stage.step.plan.steps.compactMap { step in
      guard case .fill(let fill) = step.kind, models.contains(where: { $0.isKind(of: fill.new) })
      else { return nil }
      return fill
    }
  }

  /// The new columns and the expressions over the old row that give their values.
  private func columns(of move: TableMove) -> (names: SQLFragment, values: SQLFragment) {
    let values = move.table.columns.map { column in
      move.origins[column.name]?.sql(move.oldEntityColumn) ?? "NULL"
    }
    return ("\(names: move.table.columns.map(\.name))", values.joined(separator: ", "))
  }

  private func copyRows(
    _ move: TableMove, from aside: String, _ keys: (new: String, old: String),
    where condition: SQLFragment?
  ) throws {
    let (names, values) = columns(of: move)
    let entity = move.entities.first?.new.name ?? move.table.name
    let restriction: SQLFragment = condition.map { " AND \($0)" } ?? ""
    let first = try connection.rows("SELECT MIN(\(name: keys.old)) FROM \(name: aside)")
    guard case .integer(var next)? = first.first?.first else { return }
    while true {
      try connection.executeCached(
        """
        INSERT INTO \(name: move.table.name) (\(names)) SELECT \(values) FROM \(name: aside)
        WHERE \(name: keys.old) >= \(value: .integer(next))\(restriction)
        ORDER BY \(name: keys.old) LIMIT \(number: Self.rowsAtOnce)
        """)
      let copied = connection.changes
      migrator.report(.rows(entity: entity), adding: copied)
      guard copied == Self.rowsAtOnce else { return }
      let last = try connection.rows("SELECT MAX(\(name: keys.new)) FROM \(name: move.table.name)")
      guard case .integer(let key)? = last.first?.first, key < .max else { return }
      next = key + 1
    }
  }

  /// Sets references whose values were in lists or at the other ends of relationships.
  func link(_ link: StageChanges.Link) throws {
    let source = asideNames[link.pairs.table] ?? stage.tableNames[link.pairs.table] ?? link.pairs.table
    let row: SQLFragment = "\(name: current(link.pairs.row, of: link.pairs.table))"
    let value: SQLFragment = "\(name: current(link.pairs.value, of: link.pairs.table))"
    let several = try connection.rows(
      """
      SELECT \(row) FROM \(name: source) WHERE \(row) IS NOT NULL AND \(value) IS NOT NULL
      GROUP BY \(row) HAVING COUNT(*) > 1 ORDER BY \(row) LIMIT 3
      """)
    guard several.isEmpty || stage.step.hasCustomSteps || link.isAccepted else {
      let keys = several.map { "\(link.entity)/\($0[0].text)" }.joined(separator: ", ")
      throw migrator.failure(
        "'\(link.entity).\(link.property)' leads to one model, and several belong there for \(keys): leave "
          + "one of them before, say in a custom step which one it is, or accept that the first one "
          + "stays with '.accept([\"\(link.entity).\(link.property)\"])'")
    }
    try connection.execute(
      """
      UPDATE \(name: link.table) SET \(name: link.column) = "pairs"."value"
      FROM (SELECT \(row) AS "row", MIN(\(value)) AS "value" FROM \(name: source)
      WHERE \(row) IS NOT NULL GROUP BY 1) AS "pairs"
      WHERE \(column: link.key, of: link.table) = "pairs"."row"
      """)
  }

  /// The name of an old column while the stage runs: columns of tables that stay have been renamed.
  private func current(_ column: String, of table: String) -> String {
    guard asideNames[table] == nil, let move = stage.moves.first(where: { $0.source?.name == table })
    else { return column }
    return move.origins.first { $0.value.column == column }?.key ?? column
  }

  /// - Parameter condition: the rows to copy from a table that may have several rows for one pair; nil for a table of
  ///   pairs.
  private func copyPairs(_ move: TableMove, from table: String, where condition: SQLFragment?) throws {
    let (names, values) = columns(of: move)
    let insertion: SQLFragment = condition == nil ? "INSERT" : "INSERT OR IGNORE"
    try connection.execute(
      """
      \(insertion) INTO \(name: move.table.name) (\(names)) SELECT \(values) FROM \(name: table)
      WHERE \(condition ?? "1")
      """)
    migrator.report(.rows(entity: move.table.name), adding: connection.changes)
  }
}
