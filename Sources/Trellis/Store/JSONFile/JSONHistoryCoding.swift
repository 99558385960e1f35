import Foundation

/// The history in the engine's tables as lines, and lines as rows of the tables: names stand for what the
/// tables have numbers for, so that lines say the same under every schema.
struct JSONHistoryCoding {
  let engine: DefaultStore
  let connection: Connection
  private let names: HistoryNames
  private let numbers: [String: Int]
  private let epoch: Int

  init(_ engine: DefaultStore, _ connection: Connection) {
    self.engine = engine
    self.connection = connection
    names = HistoryNames(engine.catalogue.layout)
    numbers = Dictionary(
      names.entities.enumerated().compactMap { number, entity in entity.name.map { ($0, number) } },
      uniquingKeysWith: { first, _ in first })
    epoch = Int(engine.metadata.historyEpoch)
  }

  // MARK: writing

  /// The transactions after a number, in their order; what is forgotten only where it is the last one.
  func lines(after number: Int64) throws -> [JSONHistoryLine] {
    let last = try HistoryTables.last(connection)
    let rows = try connection.rows(
      """
      SELECT "id", "time", "author", "bundle", "process", "changes"
      FROM \(name: HistoryTables.transactions) WHERE "id" > \(value: .integer(number)) ORDER BY "id"
      """)
    return try rows.compactMap { row in
      guard case .integer(let id) = row[0] else { return nil }
      guard row[5] != .null || id == last else { return nil }
      var line = JSONHistoryLine(id: id)
      if case .real(let time) = row[1] { line.time = time }
      if case .text(let author) = row[2] { line.author = author }
      if case .text(let program) = row[3] { line.program = program }
      if case .text(let process) = row[4] { line.process = process }
      if case .blob(let bytes) = row[5] { try write(bytes, of: id, into: &line) }
      return line
    }
  }

  private func write(_ bytes: [UInt8], of id: Int64, into line: inout JSONHistoryLine) throws {
    guard var reader = HistoryReader(bytes) else { return }
    if reader.flags.contains(.isIncomplete) { line.isIncomplete = true }
    let tombstones = reader.flags.contains(.hasTombstones) ? try tombstones(of: id) : [:]
    var changes: [JSONHistoryLine.Change] = []
    while let group = try reader.next() {
      guard names.entities.indices ~= group.entity, let name = names.entities[group.entity].name
      else { continue }
      let rows = group.runs.map { $0.end - $0.first == 1 ? [$0.first] : [$0.first, $0.end - 1] }
      var change = JSONHistoryLine.Change(rows: rows)
      switch group.kind {
      case .insertion: change.insert = name
      case .update:
        let entity = names.entities[group.entity]
        change.update = name
        change.of =
          group.columns.compactMap { entity.columns.indices ~= $0 ? entity.columns[$0] : nil }
          + group.lists.compactMap { entity.lists.indices ~= $0 ? entity.lists[$0] : nil }
      case .deletion:
        change.delete = name
        for run in group.runs {
          for row in run.keys {
            guard let stored = tombstones[.init(entity: group.entity, row: row)] else { continue }
            change.left = change.left ?? [:]
            change.left?["\(row)"] = values(stored, of: names.entities[group.entity])
          }
        }
      }
      changes.append(change)
    }
    line.changes = changes
  }

  private func tombstones(of id: Int64) throws -> [TombstoneReader.Key: [SQLValue]] {
    var found: [TombstoneReader.Key: [SQLValue]] = [:]
    let rows = try connection.rows(
      """
      SELECT "entity", "key", \(Self.columns) FROM \(name: HistoryTables.tombstones)
      WHERE "transaction" = \(value: .integer(id)) ORDER BY "entity", "key", "part"
      """)
    for row in rows {
      guard case .integer(let entity) = row[0], case .integer(let key) = row[1] else { continue }
      found[.init(entity: Int(entity), row: key), default: []] += row.dropFirst(2)
    }
    return found
  }

  private func values(
    _ stored: [SQLValue], of entity: HistoryNames.Entity
  ) -> [String: [JSONHistoryLine.Value]] {
    var values: [String: [JSONHistoryLine.Value]] = [:]
    var place = 0
    for preserved in entity.preserved {
      defer { place += preserved.columns }
      guard entity.columns.indices ~= preserved.slot, let name = entity.columns[preserved.slot],
        place + preserved.columns <= stored.count
      else { continue }
      values[name] = stored[place..<place + preserved.columns].map(JSONHistoryLine.Value.init)
    }
    return values
  }

  // MARK: reading

  /// Enters a transaction.
  func insert(_ line: JSONHistoryLine) throws {
    var bytes: SQLValue = .null
    if let changes = line.changes {
      var flags: HistoryWriter.Flags = line.isIncomplete == true ? .isIncomplete : []
      if changes.contains(where: { $0.left != nil }) { flags.insert(.hasTombstones) }
      var writer = HistoryWriter(epoch: epoch, flags)
      writer.write(try record(changes, of: line.id))
      bytes = .blob(writer.bytes)
    }
    try insert(
      line.id, line.time ?? 0, line.author, line.program ?? "", line.process ?? "", bytes)
  }

  /// Enters the place of a transaction that never came to be, or was taken back.
  func insertHole(_ id: Int64) throws { try insert(id, 0, nil, "", "", .null) }

  private func insert(
    _ id: Int64, _ time: Double, _ author: String?, _ program: String, _ process: String,
    _ changes: SQLValue
  ) throws {
    try connection.executeCached(
      """
      INSERT OR REPLACE INTO \(name: HistoryTables.transactions)
      ("id", "time", "author", "bundle", "process", "changes")
      VALUES (\(value: .integer(id)), \(value: .real(time)), \(value: author.map { .text($0) } ?? .null),
      \(value: .text(program)), \(value: .text(process)), \(value: changes))
      """)
  }

  private func record(
    _ changes: [JSONHistoryLine.Change], of id: Int64
  ) throws -> HistoryRecord {
    var record = HistoryRecord()
    for change in changes {
      guard let name = change.insert ?? change.update ?? change.delete, let entity = numbers[name]
      else { continue }
      let layout = names.entities[entity]
      var columns = PropertySet()
      var lists = PropertySet()
      for property in change.of ?? [] {
        if let slot = layout.columns.firstIndex(of: property) { columns.insert(slot) }
        if let slot = layout.lists.firstIndex(of: property) { lists.insert(slot) }
      }
      for run in change.rows {
        guard let first = run.first, let last = run.last, first <= last, last - first < 1 << 24
        else { continue }
        for row in first...last {
          if change.insert != nil { record.insert(row, of: entity) }
          if change.update != nil { record.update(row, of: entity, columns: columns, lists: lists) }
          if change.delete != nil { record.delete([row], of: entity) }
        }
      }
      for (key, values) in change.left ?? [:] {
        if let key = Int64(key) { try insert(values, of: key, entity, transaction: id) }
      }
    }
    return record
  }

  private func insert(
    _ values: [String: [JSONHistoryLine.Value]], of key: Int64, _ entity: Int, transaction: Int64
  ) throws {
    let layout = names.entities[entity]
    var stored: [SQLValue] = []
    for preserved in layout.preserved {
      let name = layout.columns.indices ~= preserved.slot ? layout.columns[preserved.slot] : nil
      let known = name.flatMap { values[$0] }?.map(\.value)
      stored +=
        known?.count == preserved.columns
        ? known ?? [] : [SQLValue](repeating: .null, count: preserved.columns)
    }
    let width = HistoryTables.valuesPerRow
    for part in 0..<((stored.count + width - 1) / width) {
      var cells = Array(stored[part * width..<min(stored.count, (part + 1) * width)])
      cells += [SQLValue](repeating: .null, count: width - cells.count)
      let row = [transaction, Int64(entity), key, Int64(part)].map(SQLValue.integer) + cells
      let places = row.map { "\(value: $0)" as SQLFragment }
      try connection.executeCached(
        """
        INSERT OR REPLACE INTO \(name: HistoryTables.tombstones)
        ("transaction", "entity", "key", "part", \(Self.columns)) VALUES (\(places.joined(separator: ", ")))
        """)
    }
  }

  private static var columns: SQLFragment {
    (0..<HistoryTables.valuesPerRow).map { "\(name: HistoryTables.value($0))" as SQLFragment }
      .joined(separator: ", ")
  }
}
