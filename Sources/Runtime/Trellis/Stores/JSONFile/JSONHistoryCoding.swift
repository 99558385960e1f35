import Foundation

/// The history in the engine's tables as lines, and lines as rows of the tables: names stand for what the
/// tables have numbers for.
struct JSONHistoryCoding {
  let engine: DefaultStore
  let connection: Connection
  private let names: HistoryNames
  private let numbers: [String: Int]
  private let epoch: Int
  private let kept = JSONKeptNames()

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
      // The place of one that was forgotten, and not one that never came to be.
      guard row[5] != .null || (id == last && row[4] != .text("")) else { return nil }
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
    let names = reader.epoch == epoch ? names : try kept.names(of: reader.epoch, connection) ?? names
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
  ///
  /// - Parameter renamings: how the names of the line became those of today, step by step.
  func insert(_ line: JSONHistoryLine, _ renamings: [JSONHistoryRenaming]) throws {
    var bytes: SQLValue = .null
    if let changes = line.changes {
      let parts = changes.compactMap { Part($0, renamings, self) }
      let layout = self.layout(of: parts)
      var flags: HistoryWriter.Flags = line.isIncomplete == true ? .isIncomplete : []
      if parts.contains(where: { !$0.left.isEmpty }) { flags.insert(.hasTombstones) }
      let epoch = layout == names ? epoch : try kept.epoch(of: layout, connection)
      var writer = HistoryWriter(epoch: epoch, flags)
      writer.write(try record(parts, of: line.id))
      bytes = .blob(writer.bytes)
      for part in parts {
        for (key, values) in part.left {
          try insert(values, of: key, layout.entities[part.entity], part.entity, transaction: line.id)
        }
      }
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

  /// A change under the names of today.
  private struct Part {
    let change: JSONHistoryLine.Change
    let entity: Int
    var columns = PropertySet()
    var lists = PropertySet()
    /// Of deleted rows what still means what it meant, by property.
    var left: [Int64: [String: [SQLValue]]] = [:]

    /// - Returns: nil for a model that is gone.
    init?(
      _ change: JSONHistoryLine.Change, _ renamings: [JSONHistoryRenaming], _ coding: JSONHistoryCoding
    ) {
      guard let name = change.insert ?? change.update ?? change.delete,
        let model = JSONHistoryModel(name, renamings), let entity = coding.numbers[model.name]
      else { return nil }
      self.change = change
      self.entity = entity
      let layout = coding.names.entities[entity]
      for property in (change.of ?? []).compactMap(model.property) {
        if let slot = layout.columns.firstIndex(of: property) { columns.insert(slot) }
        if let slot = layout.lists.firstIndex(of: property) { lists.insert(slot) }
      }
      for (key, values) in change.left ?? [:] {
        if let key = Int64(key) { left[key] = model.left(values).mapValues { $0.map(\.value) } }
      }
    }
  }

  /// - Throws: ``JSONHistoryTail/Damage`` for rows that no transaction has.
  private func record(_ parts: [Part], of transaction: Int64) throws -> HistoryRecord {
    var record = HistoryRecord()
    for part in parts {
      var rows = RowRuns()
      for run in part.change.rows {
        guard let first = run.first, let last = run.last, first <= last, last < .max,
          case (let distance, false) = last.subtractingReportingOverflow(first), distance < HistoryReader.mostRows
        else {
          throw JSONHistoryTail.Damage("transaction \(transaction) has \(run) as numbers of rows")
        }
        rows.append(first..<last + 1)
      }
      if part.change.insert != nil { record.insert(rows, of: part.entity) }
      if part.change.update != nil {
        record.update(rows, of: part.entity, columns: part.columns, lists: part.lists)
      }
      if part.change.delete != nil { record.delete(rows, of: part.entity) }
    }
    return record
  }

  /// The names of today, with those values kept that there are: what a property meant before, or was not
  /// there yet, is not nil but nothing.
  private func layout(of parts: [Part]) -> HistoryNames {
    var layout = names
    for part in parts where !part.left.isEmpty {
      layout.entities[part.entity].preserved.removeAll { preserved in
        let name = names.entities[part.entity].columns[preserved.slot]
        return !part.left.values.contains { $0[name ?? ""]?.count == preserved.columns }
      }
    }
    return layout
  }

  private func insert(
    _ values: [String: [SQLValue]], of key: Int64, _ layout: HistoryNames.Entity, _ entity: Int,
    transaction: Int64
  ) throws {
    var stored: [SQLValue] = []
    for preserved in layout.preserved {
      let known = layout.columns[preserved.slot].flatMap { values[$0] }
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
