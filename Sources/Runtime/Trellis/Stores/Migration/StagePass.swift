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
    let rebuilt = Set(stage.moves.filter { !$0.isRebuilt }.compactMap { $0.source?.name })
    sources.subtract(rebuilt)
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
      if case .literal(let value) = part.value, part.classes == nil { addition += " DEFAULT \(value)" }
      try connection.execute(addition)
      guard case .literal(let value) = part.value, let classes = part.classes,
        let entityColumn = move.entities.first?.new.entityColumn
      else { continue }
      // Rows have their old classes until the end of the stage.
      try connection.execute(
        """
        UPDATE \(name: table) SET \(name: column.name) = \(value)
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
