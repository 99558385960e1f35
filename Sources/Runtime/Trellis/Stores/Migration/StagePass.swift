/// Changes the tables of a store to those of the next version.
final class StagePass {
  let migrator: Migrator
  let hop: MigrationHop
  let shape: StageShape
  var connection: Connection { migrator.connection }
  /// Old table name to the one it has while the stage runs.
  private(set) var asideNames: [String: String] = [:]
  /// Columns that may be without a value until the custom steps have run, by new table.
  private var relaxed: [String: Set<String>] = [:]

  init(_ migrator: Migrator, _ hop: MigrationHop, _ shape: StageShape) throws {
    self.migrator = migrator
    self.hop = hop
    self.shape = shape
    // Links come when all rows are there.
    for link in shape.links where link.isRequired { relaxed[link.table, default: []].insert(link.column) }
    guard hop.hasCustomSteps else { return }
    for gap in shape.gaps where !gap.column.isEmpty {
      relaxed[gap.table, default: []].insert(gap.column)
    }
    for check in shape.checks where check.isAboutMissing {
      guard let entity = shape.new.layout.entity(named: check.entity),
        let place = entity.place(of: check.property)
      else { continue }
      relaxed[entity.table, default: []].insert(place.name)
    }
  }

  func run() throws {
    let nextKeys = try nextKeyRows()
    try noteDiscardedFiles()
    try dropTriggers()
    try putAside()
    try renameInPlace()
    for move in shape.moves where move.isRebuilt {
      for statement in working(move.table).statements(withIndexes: false) {
        try connection.execute(statement)
      }
    }
    for move in shape.moves where move.isRebuilt { try copy(move) }
    for move in shape.moves where !move.isRebuilt { try addInPlace(move) }
    for link in shape.links { try self.link(link) }
    if !hop.hasCustomSteps { try dropAside() }
    try moveNames(nextKeys)
    try dropOldIndexes()
    try addIndexes(unique: false)
    for departure in shape.departures { try depart(departure) }
    // Rows of classes that are gone stayed behind; who referred to them does what their deletion asks for.
    if shape.moves.contains(where: \.leavesRowsBehind) { try connection.settleReferences(of: shape.new) }
    try migrator.externalFiles(shape.new)?.prepare(connection)
    try runSteps()
    if hop.hasCustomSteps { try dropAside() }
    try tighten()
    try addIndexes(unique: false)
    try addIndexes(unique: true)
    // Tables that were made once more have lost theirs.
    if !relaxed.isEmpty { try migrator.externalFiles(shape.new)?.prepare(connection) }
  }

  // MARK: old tables

  /// Gives the old tables that are written anew another name.
  private func putAside() throws {
    try connection.execute("PRAGMA legacy_alter_table = ON")
    defer { try? connection.execute("PRAGMA legacy_alter_table = OFF") }
    var sources = Set(shape.moves.filter(\.isRebuilt).compactMap { $0.source?.name })
    for case .references(let table, _, _) in shape.moves.map(\.rows) { sources.insert(table) }
    let rebuilt = Set(shape.moves.filter { !$0.isRebuilt }.compactMap { $0.source?.name })
    sources.subtract(rebuilt)
    for table in shape.old.tables where sources.contains(table.name) || isDropped(table) {
      let aside = "trellis_old_\(table.name)"
      // Indexes keep their names, which the new ones are to have.
      let indexes = hop.hasCustomSteps ? table.indexes : []
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
    shape.dropped.contains { $0.name == table.name }
  }

  private func dropAside() throws {
    for name in asideNames.values.sorted() { try connection.execute("DROP TABLE \(name: name)") }
    asideNames = [:]
  }

  // MARK: tables that stay

  private func renameInPlace() throws {
    let staying = shape.moves.filter { !$0.isRebuilt }
    var names: [(from: String, to: String)] = []
    for move in staying {
      if let source = move.source, source.name != move.table.name {
        names.append((source.name, move.table.name))
      }
    }
    // Two may have changed names with each other, or the case of a letter.
    for (from, _) in names {
      try connection.execute("ALTER TABLE \(name: from) RENAME TO \(name: "trellis_moving_\(from)")")
    }
    for (from, to) in names {
      try connection.execute("ALTER TABLE \(name: "trellis_moving_\(from)") RENAME TO \(name: to)")
    }
    for move in staying { try renameColumns(move) }
  }

  private func renameColumns(_ move: TableMove) throws {
    let table = move.table.name
    var names: [(from: String, to: String)] = []
    for column in move.table.columns {
      if let old = move.origins[column.name]?.column, old != column.name {
        names.append((old, column.name))
      }
    }
    let taken = Set(move.source?.columns.map { $0.name.lowercased() } ?? [])
    let isInTheWay = names.contains { taken.contains($0.to.lowercased()) }
    for (from, to) in names {
      let next = isInTheWay ? "trellis_moving_\(from)" : to
      try connection.execute(
        "ALTER TABLE \(name: table) RENAME COLUMN \(name: from) TO \(name: next)")
    }
    guard isInTheWay else { return }
    for (from, to) in names {
      try connection.execute(
        """
        ALTER TABLE \(name: table) RENAME COLUMN \(name: "trellis_moving_\(from)") TO \(name: to)
        """)
    }
  }

  private func addInPlace(_ move: TableMove) throws {
    let table = move.table.name
    for column in move.table.columns {
      guard let origin = move.origins[column.name], origin.column == nil, let part = origin.parts.first
      else { continue }
      var addition: SQLFragment = "ALTER TABLE \(name: table) ADD COLUMN \(column.definition)"
      guard case .literal(let value) = part.value else {
        try connection.execute(addition)
        continue
      }
      guard let classes = part.newClasses,
        let entityColumn = move.entities.first?.new.entityColumn
      else {
        addition += " DEFAULT \(value)"
        try connection.execute(addition)
        continue
      }
      try connection.execute(addition)
      // Rows have their old classes until the end.
      let names = (part.oldClasses ?? classes).map { "\(literal: $0)" as SQLFragment }
      try connection.execute(
        """
        UPDATE \(name: table) SET \(name: column.name) = \(value)
        WHERE \(name: entityColumn) IN (\(names.joined(separator: ", ")))
        """)
    }
    try renameClasses(move)
  }

  /// Rows say what they are.
  func renameClasses(_ move: TableMove) throws {
    guard !move.renamedClasses.isEmpty else { return }
    let column = move.renamedClasses[0].column
    var cases: SQLFragment = "CASE \(name: column)"
    for (_, from, to) in move.renamedClasses { cases += " WHEN \(literal: from) THEN \(literal: to)" }
    let names = move.renamedClasses.map { "\(literal: $0.from)" as SQLFragment }
    try connection.execute(
      """
      UPDATE \(name: move.table.name) SET \(name: column) = \(cases) END
      WHERE \(name: column) IN (\(names.joined(separator: ", ")))
      """)
  }

  // MARK: what may be missing for a while

  /// The table while the stage runs.
  func working(_ table: TableDefinition) -> TableDefinition {
    guard let columns = relaxed[table.name] else { return table }
    var table = table
    for index in table.columns.indices where columns.contains(table.columns[index].name) {
      table.columns[index].isRequired = false
    }
    return table
  }

  /// Demands the values that custom steps were to give.
  private func tighten() throws {
    for (name, columns) in relaxed.sorted(by: { $0.key < $1.key }) {
      guard let table = shape.new.tables.first(where: { $0.name == name }) else { continue }
      for column in table.columns where columns.contains(column.name) && column.isRequired {
        let key = table.columns.first(where: \.isRowKey)?.name ?? "rowid"
        let missing = try connection.rows(
          "SELECT \(name: key) FROM \(name: name) WHERE \(name: column.name) IS NULL LIMIT 3")
        guard missing.isEmpty else {
          let keys = missing.compactMap { $0.first?.text }.joined(separator: ", ")
          let reasons = shape.gaps.filter { $0.table == name && $0.column == column.name }
          throw migrator.failure(
            "'\(name).\(column.name)' \(reasons.first?.reason ?? "needs a value"), and no step gave it one "
              + "in rows \(keys)")
        }
      }
      guard working(table) != table else { continue }
      let aside = "trellis_old_\(name)"
      try connection.execute("PRAGMA legacy_alter_table = ON")
      try connection.execute("ALTER TABLE \(name: name) RENAME TO \(name: aside)")
      try connection.execute("PRAGMA legacy_alter_table = OFF")
      for (index, _) in try connection.indexes(of: aside) {
        try connection.execute("DROP INDEX \(name: index)")
      }
      for statement in table.statements(withIndexes: false) { try connection.execute(statement) }
      let names = table.columns.map { "\(name: $0.name)" as SQLFragment }.joined(separator: ", ")
      try connection.execute(
        "INSERT INTO \(name: name) (\(names)) SELECT \(names) FROM \(name: aside)")
      try connection.execute("DROP TABLE \(name: aside)")
    }
  }
}

extension TableDefinition {
  /// The table alone, or with its indexes.
  func statements(withIndexes: Bool) -> [SQLFragment] {
    withIndexes ? statements : Array(statements.prefix(1))
  }
}
