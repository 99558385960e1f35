/// Indexes, names and what belongs to rows beside their values.
extension StagePass {
  /// Drops what is not wanted any more, and what has a name that another one is to have.
  func dropOldIndexes() throws {
    for move in shape.moves where !move.isRebuilt {
      let wanted = move.table.indexes
      for (name, index) in try connection.indexes(of: move.table.name) {
        let isWanted = wanted.contains { $0.isSame(as: index) }
        let isInTheWay = shape.new.tables.contains { table in
          table.indexes.contains { other in
            NameScope.areEqual(other.name, name)
              && !(table.name == move.table.name && other.isSame(as: index))
          }
        }
        if !isWanted || isInTheWay { try connection.execute("DROP INDEX \(name: name)") }
      }
    }
  }

  /// Makes the indexes that are not there.
  ///
  /// - Parameter unique: whether those of constraints, or the others.
  func addIndexes(unique: Bool) throws {
    for table in shape.new.tables {
      let found = try connection.indexes(of: table.name)
      for index in table.indexes where index.isUnique == unique {
        guard !found.contains(where: { $0.index.isSame(as: index) }) else { continue }
        do {
          try connection.execute(index.creation(on: table.name))
        } catch let error as SQLiteError where error.code == .constraint {
          throw try duplicates(of: index, in: table)
        }
        if unique { try checkHiddenDuplicates(of: index, in: table) }
      }
    }
  }

  /// Makes those of constraints that hold already, for the time of a custom step.
  ///
  /// - Returns: the entities all of whose constraints can be relied upon.
  func addPossibleConstraints() throws -> Set<String> {
    var missing = Set<String>()
    for table in shape.new.tables {
      let found = try connection.indexes(of: table.name)
      for index in table.indexes where index.isUnique {
        guard !found.contains(where: { $0.index.isSame(as: index) }) else { continue }
        do {
          try connection.execute(index.creation(on: table.name))
        } catch let error as SQLiteError where error.code == .constraint {
          missing.insert(table.name)
        }
      }
    }
    return Set(
      shape.new.layout.entities.filter { !missing.contains($0.table) }.map(\.name))
  }

  /// The values of a constraint as they compare.
  func comparable(_ columns: [String], in table: String) throws -> [SQLFragment] {
    let marks = try StoreMetadata.marks(connection)
    return columns.map { column in
      let mark = ColumnFlags.Mark(kind: .nonNFC, table: table, column: column)
      return marks.contains(mark) ? "swift_nfc(\(name: column))" : "\(name: column)"
    }
  }

  /// Text that is the same for Swift may have other bytes, which an index does not see.
  private func checkHiddenDuplicates(of index: IndexDefinition, in table: TableDefinition) throws {
    let plain = index.columns.map { "\(name: $0)" as SQLFragment }
    guard try comparable(index.columns, in: table.name) != plain else { return }
    if try !duplicateRows(of: index, in: table).isEmpty { throw try duplicates(of: index, in: table) }
  }

  private func duplicateRows(
    of index: IndexDefinition, in table: TableDefinition
  ) throws -> [[SQLValue]] {
    guard let key = table.columns.first(where: \.isRowKey)?.name else { return [] }
    let values = try comparable(index.columns, in: table.name).joined(separator: ", ")
    var conditions = index.columns.map { "\(name: $0) IS NOT NULL" as SQLFragment }
    if let condition = index.condition {
      let names = condition.values.map { "\(literal: $0)" as SQLFragment }
      conditions.append("\(name: condition.column) IN (\(names.joined(separator: ", ")))")
    }
    return try connection.rows(
      """
      SELECT group_concat(\(name: key), ','), \(values) FROM \(name: table.name)
      WHERE \(conditions.joined(separator: " AND ")) GROUP BY \(values) HAVING COUNT(*) > 1
      ORDER BY MIN(\(name: key)) LIMIT 20
      """)
  }

  private func duplicates(of index: IndexDefinition, in table: TableDefinition) throws -> any Error {
    let constraints = shape.new.constraints.values.flatMap(\.self)
    let constraint = constraints.first { $0.index == index.name }
    let entity = constraint?.entity ?? table.name
    let properties = constraint?.properties ?? index.columns
    let root = shape.new.layout.entity(named: entity)?.rootName ?? entity
    var violations: [SwiftDataError.Violation] = []
    for row in try duplicateRows(of: index, in: table) {
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
          reason: "has the values (\(values)) of other models", others: Array(models.dropFirst())))
    }
    return migrator.failure(
      "the values of \(properties.joined(separator: ", ")) of '\(entity)' are not unique: say which model "
        + "stays with '.dedupe(\(entity).self, on: \(properties))' in the stage"
    ).listing(violations)
  }

  // MARK: names

  /// From where on the keys of tables are free.
  func nextKeyRows() throws -> [String: SQLValue] {
    let prefix = StoreMetadata.Key.nextPrefix
    var values: [String: SQLValue] = [:]
    for table in shape.old.tables {
      let rows = try connection.rows(
        """
        SELECT "value" FROM \(name: StoreCatalogue.metadataTable)
        WHERE "key" = \(value: .text(prefix + table.name))
        """)
      if let value = rows.first?.first { values[table.name] = value }
    }
    return values
  }

  /// Marks and keys go by the names of tables and columns.
  func moveNames(_ nextKeys: [String: SQLValue]) throws {
    let marks = try StoreMetadata.marks(connection)
    for move in shape.moves {
      guard let source = move.source else { continue }
      if source.name != move.table.name, let next = nextKeys[source.name] {
        try StoreMetadata.write(
          next, for: StoreMetadata.Key.nextPrefix + move.table.name, connection)
      }
      for (column, origin) in move.origins {
        for mark in marks where mark.table == source.name && origin.mentions(mark.column) {
          let moved = ColumnFlags.Mark(kind: mark.kind, table: move.table.name, column: column)
          guard !marks.contains(moved) else { continue }
          try StoreMetadata.write(.integer(1), for: moved.key, connection)
        }
      }
    }
  }

  // MARK: external files

  /// Notes the files of values that go with their column, their row or their table, or are replaced.
  func noteDiscardedFiles() throws {
    for column in shape.old.externalColumns {
      // A class that is a root now has some rows of the table, and others have the rest.
      let keeping = shape.moves.filter { $0.source?.name == column.table && isKept(column.name, by: $0) }
      guard keeping.allSatisfy(\.leavesRowsBehind) else { continue }
      var lost: SQLFragment = "typeof(\(name: column.name)) = 'text'"
      for case .table(_, let condition?) in keeping.map(\.rows) { lost += " AND NOT (\(condition))" }
      try connection.execute(
        """
        INSERT OR IGNORE INTO \(name: ExternalFiles.table) ("name")
        SELECT \(name: column.name) FROM \(name: column.table) WHERE \(lost)
        """)
    }
  }

  /// Whether values of an old column are among the new ones.
  private func isKept(_ column: String, by move: TableMove) -> Bool {
    let fills = hop.fills
    let filled = Set(
      move.entities.flatMap { _, new in
        new.columns.filter { fills.contains("\(new.name).\($0.property.name)") }.flatMap(\.names)
      })
    return move.origins.contains { name, origin in
      !filled.contains(name) && origin.mentions(column)
    }
  }

  /// They name columns that come and go; the new ones are made when the tables are there.
  func dropTriggers() throws {
    let triggers = try connection.rows(
      """
      SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name LIKE 'trellis\\_%' ESCAPE '\\'
      """)
    for case .text(let name)? in triggers.map(\.first) {
      try connection.execute("DROP TRIGGER \(name: name)")
    }
  }
}

extension ColumnOrigin {
  /// Whether values of the old column may be among the new ones.
  func mentions(_ column: String) -> Bool {
    parts.contains { part in
      switch part.value {
      case .column(let name): name == column
      case .expression(let fragment):
        fragment.text.contains(("\(name: column)" as SQLFragment).text)
      case .literal, .null: false
      }
    }
  }
}
