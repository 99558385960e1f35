/// The steps that run when the rows are in the new tables.
extension StagePass {
  func runSteps() throws {
    for step in stage.step.plan.steps {
      switch step.kind {
      case .fill, .accept: continue
      case .dedupe(let dedupe): try run(dedupe)
      case .custom(let name, let body): try run(name, body)
      }
    }
  }

  // MARK: code of the program

  private func run(_ name: String, _ body: @escaping (MigrationRows) throws -> Void) throws {
    let reliable = try addPossibleConstraints()
    let new = stage.new.with(
      constraints: stage.new.constraints.filter { reliable.contains($0.key) })
    let old = stage.old.renamingTables(asideNames)
    migrator.report(.custom(name: name))
    try migrator.lend(new, allowsSave: true) { newStore in
      try migrator.lend(old, allowsSave: false, firstSlot: newStore.plans.endSlot) { oldStore in
        try ModelContext.runMigration(
          body, from: oldStore, to: newStore, report: { [migrator] _ in migrator.report(.custom(name: name)) }
        ) { code in try migrator.runCode(of: stage.step.to.schema, code) }
      }
    }
    try connection.settleReferences(of: stage.new)
  }

  // MARK: equal rows

  private func run(_ dedupe: MigrationDedupe) throws {
    guard let entity = stage.new.layout.entity(named: dedupe.model.entityName) else { return }
    let columns = dedupe.properties.compactMap { entity.place(of: $0)?.name }
    try connection.execute(
      """
      CREATE TEMP TABLE "trellis_duplicates" ("gone" INTEGER PRIMARY KEY, "kept" INTEGER NOT NULL)
      """)
    defer { try? connection.execute("DROP TABLE IF EXISTS temp.\"trellis_duplicates\"") }
    let values = try connection.comparable(columns, in: entity.table).joined(separator: ", ")
    var conditions = columns.map { "\(name: $0) IS NOT NULL" as SQLFragment }
    if !entity.discriminators.isEmpty {
      conditions.append("\(name: entity.entityColumn) IN (\(literals: entity.discriminators))")
    }
    let key: SQLFragment = "\(name: entity.keyColumn)"
    let kept: SQLFragment = dedupe.keep == .newest ? "MAX(\(key))" : "MIN(\(key))"
    try connection.execute(
      """
      INSERT INTO temp."trellis_duplicates" SELECT "gone", "kept" FROM
      (SELECT \(key) AS "gone", \(kept) OVER (PARTITION BY \(values)) AS "kept"
      FROM \(name: entity.table) WHERE \(conditions.joined(separator: " AND ")))
      WHERE "gone" <> "kept"
      """)
    guard connection.changes > 0 else { return }
    for other in stage.new.layout.entities {
      // Inherited references are those of the root, in the same column.
      let inherited = other.name == other.rootName ? 0 : inheritedColumns(of: other)
      for column in other.columns.dropFirst(inherited) {
        guard let target = column.destination.flatMap({ stage.new.layout.entity(named: $0) }),
          target.table == entity.table
        else { continue }
        try redirect(column, of: other, to: target)
      }
    }
    for table in stage.new.tables where !table.key.isEmpty { try redirectPairs(table, entity.table) }
    try connection.execute(
      """
      DELETE FROM \(name: entity.table) WHERE \(key) IN
      (SELECT "gone" FROM temp."trellis_duplicates")
      """)
  }

  private func inheritedColumns(of entity: EntityLayout) -> Int {
    Schema.superclass(of: entity.definition.modelType)?._$definition.layout.columns.count ?? 0
  }

  /// Leads references to the row that stays, where it may have another one.
  private func redirect(
    _ column: ColumnLayout, of entity: EntityLayout, to target: EntityLayout
  ) throws {
    let reference: SQLFragment = "\(name: column.name)"
    let kept: SQLFragment = """
      (SELECT "kept" FROM temp."trellis_duplicates" WHERE "gone" = \(reference))
      """
    let relation = entity.definition.relations.toOne[column.slot]
    guard let relation, let inverse = relation.inverse, !inverse.kind.isToMany,
      target.columns.indices ~= inverse.slot
    else {
      try connection.execute(
        """
        UPDATE \(name: entity.table) SET \(reference) = \(kept)
        WHERE \(reference) IN (SELECT "gone" FROM temp."trellis_duplicates")
        """)
      return
    }
    try redirectPartners(column, of: entity, target, target.columns[inverse.slot], kept)
  }

  /// One partner goes to the row that stays, if that has none; the others lose theirs.
  private func redirectPartners(
    _ column: ColumnLayout, of entity: EntityLayout, _ target: EntityLayout,
    _ back: ColumnLayout, _ kept: SQLFragment
  ) throws {
    let reference: SQLFragment = "\(name: column.name)"
    let rows = try connection.rows(
      """
      SELECT \(name: entity.keyColumn), \(kept) FROM \(name: entity.table)
      WHERE \(reference) IN (SELECT "gone" FROM temp."trellis_duplicates")
      ORDER BY \(reference) DESC
      """)
    for row in rows {
      guard case .integer(let partner) = row[0], case .integer(let stays) = row[1] else { continue }
      let free = try connection.rows(
        """
        SELECT 1 FROM \(name: target.table) WHERE \(name: target.keyColumn) = \(value: .integer(stays))
        AND \(name: back.name) IS NULL
        """)
      guard !free.isEmpty || column.property.isOptional else {
        throw migrator.failure(
          "\(entity.name)/\(partner) needs a '\(column.property.name)', and the \(target.name) that stays "
            + "of several equal ones has another partner: decide in a custom step")
      }
      let new: SQLValue = free.isEmpty ? .null : .integer(stays)
      try connection.executeCached(
        """
        UPDATE \(name: entity.table) SET \(reference) = \(value: new)
        WHERE \(name: entity.keyColumn) = \(value: .integer(partner))
        """)
      guard !free.isEmpty else { continue }
      try connection.executeCached(
        """
        UPDATE \(name: target.table) SET \(name: back.name) = \(value: .integer(partner))
        WHERE \(name: target.keyColumn) = \(value: .integer(stays))
        """)
    }
  }

  private func redirectPairs(_ table: TableDefinition, _ target: String) throws {
    for column in table.columns where column.reference?.table == target {
      let reference: SQLFragment = "\(name: column.name)"
      try connection.execute(
        """
        UPDATE OR IGNORE \(name: table.name) SET \(reference) =
        (SELECT "kept" FROM temp."trellis_duplicates" WHERE "gone" = \(reference))
        WHERE \(reference) IN (SELECT "gone" FROM temp."trellis_duplicates")
        """)
      try connection.execute(
        """
        DELETE FROM \(name: table.name)
        WHERE \(reference) IN (SELECT "gone" FROM temp."trellis_duplicates")
        """)
    }
  }
}
