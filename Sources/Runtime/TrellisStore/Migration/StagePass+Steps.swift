/// Steps that run after rows have been copied to the new tables.
extension StagePass {
  func runSteps() throws {
    for step in stage.step.plan.steps {
      switch step.kind {
      case .fill, .accept: continue
      case .dedupe(let model, let properties, let keep): try deduplicate(model, properties, keep)
      case .custom(let name, let body): try run(name, body)
      }
    }
  }

  // MARK: app code

  private func run(_ name: String, _ body: @escaping (MigrationRows) throws -> Void) throws {
    // The remaining constraints are checked after the step.
    let broken = try addIndexes(unique: true, acceptsDuplicates: true)
    var new = stage.new
    for entity in new.layout.entities where broken.contains(entity.table) { new.constraints[entity.name] = nil }
    let old = stage.old.renamingTables { asideNames[$0] ?? $0 }
    migrator.report(.custom(name: name))
    try migrator.lend(new, allowsSave: true) { newStore in
      try migrator.lend(old, allowsSave: false) { oldStore in
        try migrator.runCode(of: stage.step.to.schema) { plan in
          try plan._$run(
            from: oldStore, to: newStore, report: { [migrator] in migrator.report(.custom(name: name)) }, body)
        }
      }
    }
    try connection.updateReferences(of: stage.new)
  }

  // MARK: duplicate rows

  private func deduplicate(_ model: ModelDefinition, _ properties: [String], _ keep: MigrationStep.Kept) throws {
    guard let entity = stage.new.layout.entity(named: model.entityName) else { return }
    let columns = properties.compactMap { entity.place(of: $0)?.name }
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
    let kept: SQLFragment = keep == .newest ? "MAX(\(key))" : "MIN(\(key))"
    try connection.execute(
      """
      INSERT INTO temp."trellis_duplicates" SELECT "gone", "kept" FROM
      (SELECT \(key) AS "gone", \(kept) OVER (PARTITION BY \(values)) AS "kept"
      FROM \(name: entity.table) WHERE \(conditions.joined(separator: " AND ")))
      WHERE "gone" <> "kept"
      """)
    guard connection.changes > 0 else { return }
    for other in stage.new.layout.entities {
      for column in other.columns {
        guard let target = column.destination.flatMap({ stage.new.layout.entity(named: $0) }),
          target.table == entity.table
        else { continue }
        let inverse = other.definition.relations.toOne[column.slot]?.inverse
        if let inverse, !inverse.kind.isToMany, target.columns.indices ~= inverse.slot {
          try redirectPartners(column, of: other, target, target.columns[inverse.slot])
        } else {
          try redirect(column.name, of: other.table, isPair: false)
        }
      }
    }
    for table in stage.new.tables where !table.key.isEmpty {
      for column in table.columns where column.reference?.table == entity.table {
        try redirect(column.name, of: table.name, isPair: true)
      }
    }
    try connection.execute("DELETE FROM \(name: entity.table) WHERE \(isDuplicate(entity.keyColumn))")
  }

  private func isDuplicate(_ column: String) -> SQLFragment {
    "\(name: column) IN (SELECT \"gone\" FROM temp.\"trellis_duplicates\")"
  }

  /// Redirects references to the remaining row.
  ///
  /// - Parameter isPair: True for a join table, which may already contain the resulting pair.
  private func redirect(_ column: String, of table: String, isPair: Bool) throws {
    let update: SQLFragment = isPair ? "UPDATE OR IGNORE" : "UPDATE"
    try connection.execute(
      """
      \(update) \(name: table) SET \(name: column) =
      (SELECT "kept" FROM temp."trellis_duplicates" WHERE "gone" = \(name: column)) WHERE \(isDuplicate(column))
      """)
    if isPair { try connection.execute("DELETE FROM \(name: table) WHERE \(isDuplicate(column))") }
  }

  /// Assigns the newest deleted row's partner to the remaining row if that row has no partner. All other partners lose
  /// the reference.
  private func redirectPartners(
    _ column: ColumnLayout, of entity: EntityLayout, _ target: EntityLayout, _ back: ColumnLayout
  ) throws {
    try connection.execute(
      """
      UPDATE \(name: target.table) SET \(name: back.name) =
      (SELECT "other".\(name: entity.keyColumn) FROM \(name: entity.table) AS "other"
      JOIN temp."trellis_duplicates" ON "gone" = "other".\(name: column.name)
      WHERE "kept" = \(column: target.keyColumn, of: target.table) ORDER BY "gone" DESC LIMIT 1)
      WHERE \(name: back.name) IS NULL
      AND \(name: target.keyColumn) IN (SELECT "kept" FROM temp."trellis_duplicates")
      """)
    let isGone = isDuplicate(column.name)
    let kept: SQLFragment = """
      (SELECT "other".\(name: target.keyColumn) FROM \(name: target.table) AS "other"
      WHERE "other".\(name: back.name) = \(column: entity.keyColumn, of: entity.table)
      AND "other".\(name: target.keyColumn) NOT IN (SELECT "gone" FROM temp."trellis_duplicates"))
      """
    if !column.property.isOptional {
      let alone = try connection.integers(
        "SELECT \(name: entity.keyColumn) FROM \(name: entity.table) WHERE \(isGone) AND \(kept) IS NULL LIMIT 1")
      guard alone.isEmpty else {
        throw migrator.failure(
          "\(entity.name)/\(alone[0]) requires a '\(column.property.name)', but the \(target.name) kept "
            + "among duplicates has a different partner: resolve this in a custom step")
      }
    }
    try connection.execute("UPDATE \(name: entity.table) SET \(name: column.name) = \(kept) WHERE \(isGone)")
  }
}

/// Indexes, metadata keys and external files.
extension StagePass {
  /// Drops indexes that the new version lacks or whose names it reuses. If there is no plan, foreign indexes are
  /// kept.
  func dropOldIndexes() throws {
    for move in stage.moves where !move.isRebuilt {
      let wanted = move.table.indexes
      for (name, index) in try connection.indexes(of: move.table.name) {
        let isWanted = wanted.contains { $0.isSame(as: index) }
        let isForeign = !stage.step.isPlanned && !move.hadIndex(index)
        let isInTheWay = stage.new.tables.contains { table in
          table.indexes.contains { other in
            NameScope.areEqual(other.name, name)
              && !(table.name == move.table.name && other.isSame(as: index))
          }
        }
        if !isWanted && !isForeign || isInTheWay { try connection.execute("DROP INDEX \(name: name)") }
      }
    }
  }

  /// Creates missing indexes.
  ///
  /// - Parameters:
  ///   - unique: True to create unique indexes, false to create all other indexes.
  ///   - acceptsDuplicates: True to skip constraints that existing rows violate.
  /// - Returns: The tables with skipped constraints.
  @discardableResult
  func addIndexes(unique: Bool, acceptsDuplicates: Bool = false) throws -> Set<String> {
    var broken = Set<String>()
    for table in stage.new.tables {
      let found = try connection.indexes(of: table.name)
      for index in table.indexes where index.isUnique == unique {
        guard !found.contains(where: { $0.index.isSame(as: index) }) else { continue }
        do {
          try connection.execute(index.creation(on: table.name))
          guard unique, !acceptsDuplicates, try connection.hasHiddenDuplicates(of: index, in: table) else { continue }
        } catch let error as SQLiteError where error.code == .constraint {
          broken.insert(table.name)
        }
        guard acceptsDuplicates else { throw try duplicates(of: index, in: table) }
      }
    }
    return broken
  }

  private func duplicates(of index: IndexDefinition, in table: TableDefinition) throws -> any Error {
    let constraints = stage.new.constraints.values.flatMap(\.self)
    let constraint = constraints.first { $0.index == index.name }
    let entity = constraint?.entity ?? table.name
    let properties = constraint?.properties ?? index.columns
    let root = stage.new.layout.entity(named: entity)?.rootName ?? entity
    var violations: [SwiftDataError.Violation] = []
    for row in try connection.duplicateRows(of: index, in: table) {
      let keys = row[0].text.split(separator: ",").compactMap { Int64($0) }.sorted()
      let models = keys.map {
        PersistentIdentifier(
          token: .interned(store: migrator.metadata.identifier, entity: root), row: $0)
      }
      guard let first = models.first else { continue }
      let values = row.dropFirst().map { "'\($0.text)'" }.joined(separator: ", ")
      violations.append(
        SwiftDataError.Violation(
          model: first, properties: properties, rule: .unique,
          reason: "has the same values (\(values)) as other models", others: Array(models.dropFirst())))
    }
    return migrator.failure(
      "the values of \(properties.joined(separator: ", ")) of '\(entity)' are not unique: specify which "
        + "model to keep with '.dedupe(\(entity).self, on: \(properties))' in the stage"
    ).listing(violations)
  }

  // MARK: names

  /// Copies column flags and next keys, which are recorded under table and column names.
  func moveNames() throws {
    let sources = stage.moves.compactMap { move in move.source.map { (from: $0.name, to: move.table.name) } }
    try StoreMetadata.renameNextKeys(sources, connection)
    let marks = try StoreMetadata.marks(connection)
    for move in stage.moves {
      guard let source = move.source else { continue }
      for (column, origin) in move.origins {
        let literals = origin.parts.map { if case .literal(let value) = $0.value { value } else { nil as SQLValue? } }
        for preset in (literals + [stage.new.preset(of: column, in: move.table.name)]).compactMap(\.self) {
          try markText(of: preset, in: move.table.name, column)
        }
        for mark in marks where mark.table == source.name && origin.mentions(mark.column) {
          let moved = ColumnFlags.Mark(kind: mark.kind, table: move.table.name, column: column)
          guard !marks.contains(moved) else { continue }
          try StoreMetadata.write(.integer(1), for: moved.key, connection)
        }
      }
    }
  }

  /// Flags a column with a default text value that is not in normalization form C.
  private func markText(of preset: SQLValue, in table: String, _ column: String) throws {
    guard case .text(var text) = preset, !text.withUTF8({ TextRules.isNFC($0) }) else { return }
    try StoreMetadata.write(
      .integer(1), for: ColumnFlags.Mark(kind: .nonNFC, table: table, column: column).key, connection)
  }

  // MARK: external files

  /// Records the files that the old rows reference.
  func recordFiles() throws {
    // An in-memory database stores large values in the rows.
    guard migrator.externalFiles(stage.old) != nil else { return }
    try connection.execute("CREATE TEMP TABLE \"trellis_referenced\" AS \(Self.files(of: stage.old))")
  }

  /// Discards files for values that were dropped with a column, row or table, or replaced by a fill.
  func discardFiles() throws {
    guard migrator.externalFiles(stage.old) != nil else { return }
    try connection.execute(
      """
      INSERT OR IGNORE INTO \(name: ExternalFiles.table) ("name")
      SELECT "name" FROM temp."trellis_referenced" WHERE "name" NOT IN (\(Self.files(of: stage.new)))
      """)
    try connection.execute("DROP TABLE temp.\"trellis_referenced\"")
  }

  /// Returns a statement that selects all referenced file names.
  private static func files(of catalogue: StoreCatalogue) -> SQLFragment {
    let columns = catalogue.externalColumns.map { column -> SQLFragment in
      let value: SQLFragment = "\(name: column.name)"
      return "SELECT \(value) AS \"name\" FROM \(name: column.table) WHERE typeof(\(value)) = 'text'"
    }
    return columns.isEmpty ? "SELECT NULL WHERE 0" : columns.joined(separator: " UNION ALL ")
  }
}

extension Connection {
  /// Returns the column expressions used to compare values for uniqueness.
  func comparable(_ columns: [String], in table: String) throws -> [SQLFragment] {
    let marks = try StoreMetadata.marks(self)
    return columns.map { column in
      let mark = ColumnFlags.Mark(kind: .nonNFC, table: table, column: column)
      return marks.contains(mark) ? "swift_nfc(\(name: column))" : "\(name: column)"
    }
  }

  /// Returns true if rows contain text that is equal in Swift but differs in bytes, which an index does not detect.
  func hasHiddenDuplicates(of index: IndexDefinition, in table: TableDefinition) throws -> Bool {
    try comparable(index.columns, in: table.name) != index.columns.map { "\(name: $0)" }
      && !duplicateRows(of: index, in: table).isEmpty
  }

  /// Returns the keys and values of duplicate rows.
  func duplicateRows(of index: IndexDefinition, in table: TableDefinition) throws -> [[SQLValue]] {
    guard let key = table.columns.first(where: \.isRowKey)?.name else { return [] }
    let values = try comparable(index.columns, in: table.name).joined(separator: ", ")
    var conditions = index.columns.map { "\(name: $0) IS NOT NULL" as SQLFragment }
    if let condition = index.condition {
      conditions.append("\(name: condition.column) IN (\(literals: condition.values))")
    }
    return try rows(
      """
      SELECT group_concat(\(name: key), ','), \(values) FROM \(name: table.name)
      WHERE \(conditions.joined(separator: " AND ")) GROUP BY \(values) HAVING COUNT(*) > 1
      ORDER BY MIN(\(name: key)) LIMIT 20
      """)
  }
}
