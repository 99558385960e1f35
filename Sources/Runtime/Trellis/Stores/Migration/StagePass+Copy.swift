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
