import CSQLite

/// Copies a class's rows in a single pass and runs the fills for each row.
///
/// Values that no fill sets are copied verbatim.
final class FillPass {
  private let pass: StagePass
  private let table: String
  private let plan: EntityStatements
  private let rows: Statement
  private let insertion: Statement
  /// Parameters copied verbatim, with the source column.
  private var copies: [(parameter: Int32, column: Int32)] = []
  private var fills: [Fill] = []
  /// True if the table stores only this class.
  private let isAlone: Bool
  /// The last written row's key; `nil` before the first row.
  private var lastKey: Int64?

  private var entity: EntityLayout { plan.entity }

  /// A fill with the rows it reads and the statement it writes to, reused for every row.
  private final class Fill {
    let fill: MigrationFill
    // Accesses never overlap: no call during an access uses these properties.
    @exclusivity(unchecked) private var old: StatementRow
    @exclusivity(unchecked) private var new: StatementRow
    @exclusivity(unchecked) private var binder: StatementBinder

    init(
      _ fill: MigrationFill, from row: Statement, old: RowShape, new: RowShape,
      into binder: StatementBinder
    ) {
      self.fill = fill
      self.old = StatementRow(statement: row.handle, shape: old)
      self.new = StatementRow(statement: row.handle, shape: new)
      self.binder = binder
    }

    /// - Returns: The column flags for the new values.
    @inline(__always) func run() throws -> [StatementBinder.Mark] {
      try fill.run(&old, &new, &binder)
      if !binder.files.isEmpty { binder.files = [] }
      return binder.marked.isEmpty ? [] : binder.drainMarks()
    }
  }

  /// - Parameters:
  ///   - entities: The old and new class.
  ///   - fills: The fills for the new class and all superclasses.
  ///   - aside: The old table's temporary name.
  init(
    _ pass: StagePass, _ move: TableMove, _ entities: (old: EntityLayout, new: EntityLayout), _ fills: [MigrationFill],
    from aside: String
  ) throws {
    let (stage, migrator, connection) = (pass.stage, pass.migrator, pass.connection)
    let (old, new) = entities
    self.pass = pass
    table = move.table.name
    isAlone = move.entities.count == 1
    let store = migrator.metadata.identifier
    let oldPlans = StoreStatements(stage.old, store: store, files: migrator.externalFiles(stage.old))
    let newPlans = StoreStatements(stage.new, store: store, files: migrator.lentFiles(for: stage.new))
    plan = try newPlans.plan(named: new.name)
    var parameters = plan.parameters
    for column in move.table.columns where !parameters.contains(where: { $0.name == column.name }) {
      parameters.append((column.name, (parameters.map(\.number).max() ?? 0) + 1))
    }
    insertion = try Statement(plan.insertion(parameters).text, on: connection.handle, isKept: false)
    let filled = Set(fills.flatMap(\.properties).compactMap { new.place(of: $0)?.slot })
    let filledColumns = Set(filled.flatMap { new.columns[$0].names })
    // Until a fill sets a value, it reads as a placeholder.
    let placeholders = filled.isEmpty ? [:] : try Self.placeholders(of: new, parameters, connection)
    var selected: [SQLFragment] = ["\(name: old.keyColumn)"]
    func select(_ value: SQLFragment) -> Int32 {
      selected.append(value)
      return Int32(selected.count - 1)
    }
    // As in other queries, a column per slot comes first, then the remaining flattened struct columns.
    var oldPositions: [String: Int32] = [:]
    for name in old.columns.map(\.name) + old.columns.flatMap(\.names) where oldPositions[name] == nil {
      oldPositions[name] = select("\(name: name)")
    }
    // A verbatim copy uses the same result column for both versions.
    var positions: [String: Int32] = [:]
    for (name, number) in parameters where number != 1 {
      let origin = move.origins[name]
      let position =
        if filledColumns.contains(name) {
          select(placeholders[name] ?? "NULL")
        } else if let same = origin?.column.flatMap({ oldPositions[$0] }) {
          same
        } else {
          select(origin?.sql(move.oldEntityColumn) ?? "NULL")
        }
      positions[name] = position
      if !filledColumns.contains(name) { copies.append((number, position)) }
    }
    let condition: SQLFragment = move.oldEntityColumn.map { " WHERE \(name: $0) = \(literal: old.name)" } ?? ""
    let statement: SQLFragment = """
      SELECT \(selected.joined(separator: ", ")) FROM \(name: aside)\(condition) ORDER BY \(selected[0])
      """
    rows = try Statement(statement.text, on: connection.handle, isKept: false)
    for fill in fills {
      guard let reads = stage.old.layout.entity(named: fill.old.entityName),
        let writes = stage.new.layout.entity(named: fill.new.entityName)
      else { continue }
      var binder = StatementBinder(insertion, arena: connection.arena, shape: plan.shape)
      var slots = PropertySet()
      for slot in fill.properties.compactMap({ writes.place(of: $0)?.slot }) { slots.insert(slot) }
      binder.changed = slots
      self.fills.append(
        Fill(
          fill, from: rows, old: try oldPlans.plan(named: reads.name).shape.reading(oldPositions),
          new: try newPlans.plan(named: writes.name).shape.reading(positions, isIncomplete: true), into: binder))
    }
  }

  func run() throws {
    var count = 0
    while try rows.step() {
      try write()
      count += 1
      if count == StagePass.rowsAtOnce {
        pass.migrator.report(.rows(entity: entity.name), adding: count)
        count = 0
      }
    }
    pass.migrator.report(.rows(entity: entity.name), adding: count)
  }

  private func write() throws {
    let key = rows.integer(0)
    // For a NULL key, SQLite assigns the highest key plus 1 and skips the conflict search.
    if isAlone, let lastKey, lastKey &+ 1 == key, key > 1 {
      sqlite3_bind_null(insertion.handle, 1)
    } else {
      insertion.bind(key, at: 1)
    }
    lastKey = key
    for copy in copies {
      insertion.bind(copyOf: sqlite3_column_value(rows.handle, copy.column), at: copy.parameter)
    }
    defer { pass.connection.arena.reset() }
    for fill in fills {
      for mark in try run(fill, key) {
        let mark = ColumnFlags.Mark(kind: mark.kind, table: table, column: plan.columnName(ofParameter: mark.slot))
        try StoreMetadata.write(.integer(1), for: mark.key, pass.connection)
      }
    }
    do {
      try insertion.run()
    } catch let error as SQLiteError where error.code == .constraint {
      throw pass.migrator.failure("row \(key) of '\(entity.name)' lacks a value: \(error.message)")
    }
  }

  /// Adds the row to the error if a file cannot be read.
  @inline(__always) private func run(_ fill: Fill, _ key: Int64) throws -> [StatementBinder.Mark] {
    do {
      return try fill.run()
    } catch let error as ExternalFileError {
      throw pass.migrator.unreadable(error, of: "\(entity.name)/\(key)")
    }
  }

  /// Returns the stored placeholder values by column.
  private static func placeholders(
    of entity: EntityLayout, _ parameters: [(name: String, number: Int32)], _ connection: Connection
  ) throws -> [String: SQLFragment] {
    let definition = entity.definition
    let buffer = definition.codec.makeBuffer(capacity: 1)
    definition.codec.addPlaceholder(definition.temporaryIdentifier(), to: buffer)
    let count = parameters.map { Int($0.number) }.max() ?? 1
    let values = (1...count).map { "?\(number: $0)" as SQLFragment }.joined(separator: ", ")
    let statement = try Statement(
      ("SELECT \(values)" as SQLFragment).text, on: connection.handle, isKept: false)
    let token = definition.temporaryToken
    let shape = RowShape(
      entity: entity, token: token, destinations: entity.columns.map { _ in token },
      columns: entity.columns.indices.map { Int32($0) })
    var binder = StatementBinder(statement, arena: connection.arena, shape: shape)
    defer { connection.arena.reset() }
    try buffer.bind(0, to: &binder)
    guard try statement.step() else { return [:] }
    return Dictionary(
      parameters.map { ($0.name, "\(literal: statement.value($0.number - 1))") },
      uniquingKeysWith: { first, _ in first })
  }
}

extension Statement {
  /// Binds a value from the current row in another statement. Text is not copied: the bytes remain valid until the
  /// other statement steps.
  @inline(__always) func bind(copyOf value: OpaquePointer?, at parameter: Int32) {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: sqlite3_bind_int64(handle, parameter, sqlite3_value_int64(value))
    case SQLITE_FLOAT: sqlite3_bind_double(handle, parameter, sqlite3_value_double(value))
    case SQLITE_NULL: sqlite3_bind_null(handle, parameter)
    case SQLITE_TEXT:
      let text = sqlite3_value_text(value)
      text?.withMemoryRebound(to: CChar.self, capacity: 1) {
        _ = sqlite3_bind_text64(
          handle, parameter, $0, UInt64(sqlite3_value_bytes(value)), nil, UInt8(SQLITE_UTF8))
      }
    default: sqlite3_bind_value(handle, parameter, value)
    }
  }
}

extension RowShape {
  /// Returns the same shape for a statement with different column positions.
  ///
  /// - Parameter isIncomplete: True if the rows lack the values that fills set.
  fileprivate func reading(_ positions: [String: Int32], isIncomplete: Bool = false) -> RowShape {
    RowShape(
      entity: entity, token: token, destinations: destinations,
      columns: entity.columns.map { positions[$0.name] ?? 0 },
      members: Dictionary(
        entity.columns.filter { !$0.members.isEmpty }.map { column in
          (column.slot, column.members.map { positions[$0.name] ?? 0 })
        }, uniquingKeysWith: { first, _ in first }),
      files: files, isIncomplete: isIncomplete)
  }
}
