extension CatalogueDifference.Change {
  /// When a change is made.
  enum Phase: CaseIterable {
    case tables
    /// Under the new names of classes.
    case values
    /// With all of their columns.
    case rebuiltTables
    /// A name must be free before it is used again.
    case droppedIndexes
    /// They may be over new columns.
    case addedIndexes
  }

  var phase: Phase {
    switch self {
    case .addTable, .renameEntity, .renameTable, .renameColumn: .tables
    case .addColumn(_, _, _, let holders): holders == nil ? .tables : .values
    case .fillColumn, .dropClass: .values
    case .rebuildTable: .rebuiltTables
    case .dropIndex: .droppedIndexes
    case .addIndex: .addedIndexes
    }
  }

  /// Why the change cannot be made with the rows there are.
  func obstacle(_ connection: Connection) throws -> String? {
    func hasRow(_ table: String, where condition: SQLFragment) throws -> Bool {
      try !connection.rows("SELECT 1 FROM \(name: table) WHERE \(condition) LIMIT 1").isEmpty
    }
    switch self {
    case .addColumn(let table, let column, nil, let holders?):
      return try hasRow(table, where: holders) ? CatalogueDifference.missingValue(of: column, in: table) : nil
    case .fillColumn(let table, let column, nil, let holders):
      let isMissing = try hasRow(table, where: "\(name: column) IS NULL AND \(holders)")
      return isMissing ? Self.wasOptional(column, of: table) : nil
    case .dropClass(let table, let column, let former):
      let isUsed = try hasRow(table, where: "\(name: column) = \(value: .text(former))")
      return isUsed ? CatalogueDifference.goneClass(former) : nil
    case .rebuildTable(let table, let required):
      let missing = try required.first { column, preset in
        try preset == nil && hasRow(table.name, where: "\(name: column) IS NULL")
      }
      return missing.map { Self.wasOptional($0.column, of: table.name) }
    default: return nil
    }
  }

  private static func wasOptional(_ column: String, of table: String) -> String {
    "'\(table).\(column)' was optional, and has no default value for the rows without a value"
  }

  func run(_ connection: Connection) throws {
    if case .rebuildTable(let table, let required) = self {
      var presets: [String: SQLFragment] = [:]
      for case (let column, let preset?) in required {
        presets[column] = "\(literal: try connection.stored(preset, in: table.name, column))"
      }
      return try connection.rebuild(table, presets: presets)
    }
    for statement in try statements(connection) { try connection.execute(statement) }
  }

  private func statements(_ connection: Connection) throws -> [SQLFragment] {
    switch self {
    case .rebuildTable: []
    case .addTable(let table): table.statements
    case .renameEntity(let entity):
      [
        """
        UPDATE \(name: entity.table) SET \(name: entity.column) = \(value: .text(entity.to))
        WHERE \(name: entity.column) = \(value: .text(entity.from))
        """
      ]
    case .renameTable(let from, let to): ["ALTER TABLE \(name: from) RENAME TO \(name: to)"]
    case .renameColumn(let table, let from, let to):
      ["ALTER TABLE \(name: table) RENAME COLUMN \(name: from) TO \(name: to)"]
    case .dropClass, .fillColumn(_, _, nil, _): []
    case .fillColumn(let table, let column, let preset?, let holders):
      [
        """
        UPDATE \(name: table) SET \(name: column) = \(literal: try connection.stored(preset, in: table, column))
        WHERE \(name: column) IS NULL AND \(holders)
        """
      ]
    case .addColumn(let table, let column, nil, _):
      ["ALTER TABLE \(name: table) ADD COLUMN \(column.definition)"]
    case .addColumn(let table, let column, let preset?, let holders?):
      // A default would give the value to the rows of other classes too.
      [
        "ALTER TABLE \(name: table) ADD COLUMN \(column.definition)",
        """
        UPDATE \(name: table) SET \(name: column.name) = \(literal: try connection.stored(preset, in: table, column.name))
        WHERE \(holders)
        """,
      ]
    case .addColumn(let table, let column, let preset?, nil):
      [
        """
        ALTER TABLE \(name: table) ADD COLUMN \(column.definition)
        DEFAULT \(literal: try connection.stored(preset, in: table, column.name))
        """
      ]
    case .addIndex(let index, let table):
      try connection.clearing(index.name) + [index.creation(on: table)]
    case .dropIndex(let index, let table):
      // It may have the name it had before its column was renamed.
      try connection.indexes(of: table).filter { $0.index.isSame(as: index) }
        .map { "DROP INDEX \(name: $0.name)" }
    }
  }

  /// The change in words.
  var summary: String {
    switch self {
    case .addTable(let table): "table '\(table.name)' is new"
    case .renameEntity(let entity): "model '\(entity.from)' is called '\(entity.to)' now"
    case .renameTable(let from, let to): "table '\(from)' is called '\(to)' now"
    case .renameColumn(let table, let from, let to):
      "'\(table).\(from)' is called '\(to)' now"
    case .addColumn(let table, let column, _, _): "'\(table).\(column.name)' is new"
    case .fillColumn(let table, let column, _, _): "'\(table).\(column)' has a value in more rows"
    case .dropClass(_, _, let former): "model '\(former)' is gone"
    case .rebuildTable(let table, _): "columns of '\(table.name)' have other constraints"
    case .addIndex(let index, let table):
      "\(index.isUnique ? "unique constraint" : "index") on '\(table)' "
        + "(\(index.columns.joined(separator: ", "))) is new"
    case .dropIndex(let index, let table):
      "the index on '\(table)' (\(index.columns.joined(separator: ", "))) is gone"
    }
  }

  /// The marks under the names after the change. The old ones stay: no column has their names.
  func renamed(_ marks: Set<ColumnFlags.Mark>) -> Set<ColumnFlags.Mark> {
    marks.union(
      marks.compactMap { mark in
        var mark = mark
        switch self {
        case .renameTable(let from, let to) where mark.table == from: mark.table = to
        case .renameColumn(let table, let from, let to)
        where mark.table == table && mark.column == from:
          mark.column = to
        default: return nil
        }
        return mark
      })
  }
}

extension TableDefinition {
  /// The same with references to the new names of tables.
  func followingTables(_ changes: [CatalogueDifference.Change]) -> TableDefinition {
    var table = self
    for case .renameTable(let from, let to) in changes {
      for index in table.columns.indices where table.columns[index].reference?.table == from {
        table.columns[index].reference?.table = to
      }
    }
    return table
  }
}

extension Connection {
  /// The form in which a column has a value. Records that the column has a text that is not in normalization form C.
  func stored(_ value: some ColumnValue, in table: String, _ column: String) throws -> SQLValue {
    let stored = try ColumnForm(value).value
    if case .text(var text) = stored, !text.withUTF8({ TextRules.isNFC($0) }) {
      let mark = ColumnFlags.Mark(kind: .nonNFC, table: table, column: column)
      try StoreMetadata.write(.integer(1), for: mark.key, self)
    }
    return stored
  }
}
