import CSQLite

/// Copies the rows of one table in one pass and runs fills for each row.
///
/// Values that no fill gives are copied verbatim.
final class FillPass {
  private let pass: StagePass
  private let move: TableMove
  private let rows: Statement
  /// The key of the row that was written last; nil before there is one.
  private var lastKey: Int64?
  /// By old class name; one entry under the empty name if the old table holds one class.
  private var targets: [String: Target] = [:]
  private let entityColumn: Int32?

  /// The statement that writes the rows of one class.
  private final class Target {
    let entity: EntityLayout
    let plan: EntityStatements
    let insertion: Statement
    /// Parameters whose value is copied verbatim, and its column in the row.
    var copies: [(parameter: Int32, column: Int32)] = []
    /// By column.
    var parameters: [String: Int32] = [:]
    var fills: [Fill] = []

    init(_ entity: EntityLayout, _ plan: EntityStatements, _ insertion: Statement) {
      self.entity = entity
      self.plan = plan
      self.insertion = insertion
    }
  }

  /// A fill with the rows that it reads and the statement that it writes to, made once for all rows.
  private final class Fill {
    let fill: MigrationFill
    // No call during an access accesses them again.
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

    /// - Returns: the column flags of the new values.
    @inline(__always) func run() throws -> [StatementBinder.Mark] {
      try fill.run(old: &old, new: &new, into: &binder)
      if !binder.files.isEmpty { binder.files = [] }
      return binder.marked.isEmpty ? [] : binder.takeMarked()
    }
  }

  private static let rowsBetweenReports = 10_000

  init(
    _ pass: StagePass, _ move: TableMove, _ fills: [MigrationFill], from aside: String,
    where condition: SQLFragment?
  ) throws {
    self.pass = pass
    self.move = move
    let migrator = pass.migrator
    let store = migrator.metadata.identifier
    let oldPlans = StoreStatements(
      pass.stage.old, store: store, files: migrator.externalFiles(pass.stage.old))
    let newFiles = migrator.lentFiles(for: pass.stage.new)
    let newPlans = StoreStatements(pass.stage.new, store: store, files: newFiles)
    let oldColumns = Self.columns(of: move.entities.map(\.old))
    let newColumns = Self.columns(of: move.entities.map(\.new))
    let rest = move.table.columns.map(\.name).filter {
      !newColumns.contains($0) && $0 != move.keyColumns?.new
    }
    let keys: [SQLFragment] = ["\(name: move.keyColumns?.old ?? "rowid")"]
    let entity = move.oldEntityColumn.map { ["\(name: $0)" as SQLFragment] } ?? []
    entityColumn = entity.isEmpty ? nil : 1
    let oldStart = Int32(1 + entity.count)
    // Placeholders are read for the values that fills have not given yet.
    var standIns: [String: SQLFragment] = [:]
    for (_, new) in move.entities {
      let filled = Set(fills.filter { new.definition.isKind(of: $0.new) }.flatMap(\.properties))
      try Self.addStandIns(for: filled, of: new, &standIns, pass.connection)
    }
    // A value that is copied verbatim is one column of the row, for both versions.
    let oldPositions = Self.positions(of: oldColumns, from: oldStart)
    var positions: [String: Int32] = [:]
    var all = keys + entity + oldColumns.map { "\(name: $0)" as SQLFragment }
    for name in newColumns + rest where positions[name] == nil {
      let origin = move.origins[name]
      if standIns[name] == nil, let same = origin?.column.flatMap({ oldPositions[$0] }) {
        positions[name] = same
      } else {
        positions[name] = Int32(all.count)
        all.append(standIns[name] ?? origin?.sql(move.oldEntityColumn) ?? "NULL")
      }
    }
    let restriction: SQLFragment = condition.map { " WHERE \($0)" } ?? ""
    let select: SQLFragment = """
      SELECT \(all.joined(separator: ", ")) FROM \(name: aside)\(restriction) ORDER BY \(keys[0])
      """
    rows = try Statement(select.text, on: pass.connection.handle, isKept: false)
    for (old, new) in move.entities {
      let plan = try newPlans.plan(named: new.name)
      let target = try Self.target(new, plan, move, rest, positions, pass.connection)
      for fill in fills where new.definition.isKind(of: fill.new) {
        guard let reads = pass.stage.old.layout.entity(named: fill.old.entityName),
          let writes = pass.stage.new.layout.entity(named: fill.new.entityName)
        else { continue }
        var slots = PropertySet()
        for property in fill.properties {
          if let place = writes.place(of: property) { slots.insert(place.slot) }
        }
        let filled = Set(
          slots.slots.flatMap { new.columns[$0].names }.compactMap { target.parameters[$0] })
        target.copies.removeAll { filled.contains($0.parameter) }
        var binder = StatementBinder(
          target.insertion, arena: pass.connection.arena, shape: plan.shape)
        binder.changed = slots
        target.fills.append(
          Fill(
            fill, from: rows,
            old: try oldPlans.plan(named: reads.name).shape.reading(oldPositions),
            new: try newPlans.plan(named: writes.name).shape.reading(positions, isIncomplete: true), into: binder))
      }
      targets[entityColumn == nil ? "" : old.name] = target
    }
  }

  func run() throws {
    let connection = pass.connection
    let statement = rows
    let entity = move.entities.first?.new.name ?? move.table.name
    let single = targets[""]
    var last: (name: String, target: Target)?
    var count = 0
    while try statement.step() {
      let target: Target
      if let single {
        target = single
      } else if let last, statement.isText(1, last.name) {
        target = last.target
      } else {
        let name = statement.text(1) ?? ""
        guard let found = targets[name] else { continue }
        last = (name, found)
        target = found
      }
      try write(statement, target, connection)
      count += 1
      if count == Self.rowsBetweenReports {
        pass.migrator.report(.rows(entity: entity), adding: count)
        count = 0
      }
    }
    pass.migrator.report(.rows(entity: entity), adding: count)
  }

  private func write(_ row: Statement, _ target: Target, _ connection: Connection) throws {
    let insertion = target.insertion
    let key = row.integer(0)
    // SQLite gives a row without a key the key after the highest one, and does not search the table for a conflict.
    if let lastKey, lastKey &+ 1 == key, key > 1 {
      sqlite3_bind_null(insertion.handle, 1)
    } else {
      insertion.bind(key, at: 1)
    }
    lastKey = key
    for copy in target.copies {
      insertion.bind(copyOf: sqlite3_column_value(row.handle, copy.column), at: copy.parameter)
    }
    defer { connection.arena.reset() }
    for fill in target.fills {
      for mark in try run(fill, key, target) {
        let column = target.plan.columnName(ofParameter: mark.slot)
        let mark = ColumnFlags.Mark(kind: mark.kind, table: move.table.name, column: column)
        try StoreMetadata.write(.integer(1), for: mark.key, connection)
      }
    }
    do {
      try insertion.run()
    } catch let error as SQLiteError where error.code == .constraint {
      throw pass.migrator.failure(
        "row \(row.integer(0)) of '\(target.entity.name)' lacks a value: \(error.message)")
    }
  }

  /// Names the row if a file cannot be read.
  @inline(__always) private func run(
    _ fill: Fill, _ key: Int64, _ target: Target
  ) throws -> [StatementBinder.Mark] {
    do {
      return try fill.run()
    } catch let error as ExternalFileError {
      throw pass.migrator.unreadable(error, of: "\(target.entity.name)/\(key)")
    }
  }

  // MARK: statements

  private static func columns(of entities: [EntityLayout]) -> [String] {
    var names: [String] = []
    let all = entities.flatMap(\.columns)
    for name in all.map(\.name) + all.flatMap(\.names) where !names.contains(name) {
      names.append(name)
    }
    return names
  }

  private static func positions(of names: [String], from start: Int32) -> [String: Int32] {
    Dictionary(
      names.enumerated().map { ($1, start + Int32($0)) }, uniquingKeysWith: { first, _ in first })
  }

  private static func target(
    _ entity: EntityLayout, _ plan: EntityStatements, _ move: TableMove, _ rest: [String],
    _ positions: [String: Int32], _ connection: Connection
  ) throws -> Target {
    var parameters = plan.parameters
    for name in rest where !parameters.contains(where: { $0.name == name }) {
      parameters.append((name, (parameters.map(\.number).max() ?? 0) + 1))
    }
    let insertion = plan.insertion(parameters)
    let target = Target(
      entity, plan, try Statement(insertion.text, on: connection.handle, isKept: false))
    for (name, number) in parameters where number != 1 {
      target.parameters[name] = number
      target.copies.append((number, positions[name] ?? 0))
    }
    return target
  }

  /// Adds the stored forms of placeholders.
  private static func addStandIns(
    for properties: Set<String>, of entity: EntityLayout, _ standIns: inout [String: SQLFragment],
    _ connection: Connection
  ) throws {
    let slots = Set(properties.compactMap { entity.place(of: $0)?.slot })
    guard !slots.isEmpty else { return }
    let buffer = entity.definition.codec.makeBuffer(capacity: 1)
    entity.definition.codec.addPlaceholder(entity.definition.temporaryIdentifier(), to: buffer)
    let members = entity.columns.flatMap(\.members).map { Int($0.parameter) }
    let count = max(entity.columns.count + 1, members.max() ?? 0)
    let parameters = (1...max(count, 1)).map { "?\(number: $0)" as SQLFragment }
    let statement = try Statement(
      ("SELECT \(parameters.joined(separator: ", "))" as SQLFragment).text, on: connection.handle,
      isKept: false)
    let shape = RowShape(
      entity: entity, token: entity.definition.temporaryToken,
      destinations: entity.columns.map { _ in entity.definition.temporaryToken },
      columns: entity.columns.indices.map { Int32($0) })
    var binder = StatementBinder(statement, arena: connection.arena, shape: shape)
    defer { connection.arena.reset() }
    try buffer.bind(0, to: &binder)
    guard try statement.step() else { return }
    for column in entity.columns where slots.contains(column.slot) {
      standIns[column.name] = "\(literal: statement.value(Int32(column.slot) + 1))"
      for member in column.members where member.name != column.name {
        standIns[member.name] = "\(literal: statement.value(member.parameter - 1))"
      }
    }
  }
}

extension Statement {
  /// Binds the value of another statement's row as it is. Its bytes stay where they are until that
  /// statement moves on, and are not copied.
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
  /// The same for a statement that has the columns in other places.
  ///
  /// - Parameter isIncomplete: true for rows that lack the values of fills.
  package func reading(_ positions: [String: Int32], isIncomplete: Bool = false) -> RowShape {
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
