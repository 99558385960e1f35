import Foundation

/// A transaction of the history under the names of models and properties, for a store that keeps its history in another
/// form than tables. The names of the members are those of the lines in the history of a JSON file.
package struct NamedTransaction: Codable, Sendable {
  package var id: Int64
  /// Nil in a line that belongs to no transaction.
  package var time: Double?
  var author: String?
  var program: String?
  var process: String?
  /// Nil if the transaction is forgotten, and its number stays.
  package var changes: [Change]?
  /// True if there were changes that the history does not name.
  var isIncomplete: Bool?

  package init(id: Int64) { self.id = id }

  /// Rows of one class that were changed alike.
  package struct Change: Codable, Sendable {
    var insert: String?
    var update: String?
    var delete: String?
    /// The changed properties of an update.
    var of: [String]?
    /// The first of several rows in succession, and the last one if it is another.
    var rows: [[Int64]]
    /// The preserved values of deleted rows, by number and property.
    var left: [String: [String: [Value]]]?
  }

  /// A value as tables have it.
  package struct Value: Codable, Sendable {
    var value: SQLValue

    private enum Key: String, CodingKey { case real, data }

    init(_ value: SQLValue) { self.value = value }

    package init(from decoder: any Decoder) throws {
      if let keyed = try? decoder.container(keyedBy: Key.self) {
        if let real = try keyed.decodeIfPresent(Double.self, forKey: .real) {
          value = .real(real)
        } else {
          value = .blob([UInt8](try keyed.decode(Data.self, forKey: .data)))
        }
        return
      }
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        value = .null
      } else if let number = try? container.decode(Int64.self) {
        value = .integer(number)
      } else {
        value = .text(try container.decode(String.self))
      }
    }

    package func encode(to encoder: any Encoder) throws {
      switch value {
      case .real(let real):
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(real, forKey: .real)
      case .blob(let bytes):
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(Data(bytes), forKey: .data)
      case .integer(let number):
        var container = encoder.singleValueContainer()
        try container.encode(number)
      case .text(let text):
        var container = encoder.singleValueContainer()
        try container.encode(text)
      case .null, .list:
        var container = encoder.singleValueContainer()
        try container.encodeNil()
      }
    }
  }
}

/// Reads the history in the tables of a store as named transactions, and enters named transactions into the tables.
package struct HistoryExchange {
  /// The name under which a file of another form keeps the number of its last transaction among its next keys: no model
  /// can have this name.
  package static let numberKey = HistoryTables.numberKey
  /// The numbers that a transaction may have, and 0 before the first.
  package static let numbers = 0..<Int64.max

  /// Why a history cannot be read.
  package struct Damage: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
  }

  package let store: DefaultStore
  package let connection: Connection
  private let names: HistoryNames
  private let numbers: [String: Int]
  private let epoch: Int
  private let kept = EpochCache()

  package init(_ store: DefaultStore, _ connection: Connection) {
    self.store = store
    self.connection = connection
    names = HistoryNames(store.catalogue.layout)
    numbers = Dictionary(
      names.entities.enumerated().compactMap { number, entity in entity.name.map { ($0, number) } },
      uniquingKeysWith: { first, _ in first })
    epoch = Int(store.metadata.historyEpoch)
  }

  package func last() throws -> Int64 { try HistoryTables.last(connection) }
  /// Tokens of positions before this one are expired.
  package func floor() throws -> Int64 { try HistoryLog.floor(connection) }
  package func raiseFloor(to number: Int64) throws { try HistoryLog.raiseFloor(to: number, connection) }

  /// The first transaction that is not forgotten.
  package func first() throws -> Int64? {
    let found = try connection.rows(
      """
      SELECT MIN("id") FROM \(name: HistoryTables.transactions) WHERE "changes" IS NOT NULL
      """)
    guard case .integer(let first)? = found.first?.first else { return nil }
    return first
  }

  /// Adds a transaction that is not complete: rows were changed, and the history does not name them.
  package func noteGap() throws -> Int64 {
    try HistoryLog.noteGap(author: nil, epoch: Int64(epoch), connection)
  }

  // MARK: writing

  /// The transactions after a number, in their order; what is forgotten only where it is the last one.
  package func transactions(after number: Int64) throws -> [NamedTransaction] {
    let last = try HistoryTables.last(connection)
    let fragment: SQLFragment = """
      SELECT \(HistoryColumn.names) FROM \(name: HistoryTables.transactions)
      WHERE "id" > \(value: .integer(number)) ORDER BY "id"
      """
    let statement = try connection.take(fragment.text)
    defer { connection.giveBack(statement) }
    try statement.bind(fragment.values)
    var lines: [NamedTransaction] = []
    while try statement.step() {
      let row = HistoryRow(statement)
      // A transaction that was forgotten has a process; a number that was never used has none.
      guard row.changes != nil || (row.id == last && row.process != "") else { continue }
      var line = NamedTransaction(id: row.id)
      line.time = row.time
      line.author = row.author
      line.program = row.program
      line.process = row.process
      if let changes = row.changes { try write(changes, of: row.id, into: &line) }
      lines.append(line)
    }
    return lines
  }

  private func write(_ bytes: [UInt8], of id: Int64, into line: inout NamedTransaction) throws {
    guard var reader = HistoryReader(bytes) else { return }
    let names = reader.epoch == epoch ? names : try kept.names(of: reader.epoch, connection) ?? names
    if reader.flags.contains(.isIncomplete) { line.isIncomplete = true }
    let tombstones = reader.flags.contains(.hasTombstones) ? try TombstoneReader.rows(of: id, connection) : [:]
    var changes: [NamedTransaction.Change] = []
    while let group = try reader.next() {
      guard names.entities.indices ~= group.entity, let name = names.entities[group.entity].name
      else { continue }
      let rows = group.runs.map { $0.end - $0.first == 1 ? [$0.first] : [$0.first, $0.end - 1] }
      var change = NamedTransaction.Change(rows: rows)
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

  private func values(
    _ stored: [SQLValue], of entity: HistoryNames.Entity
  ) -> [String: [NamedTransaction.Value]] {
    var values: [String: [NamedTransaction.Value]] = [:]
    var place = 0
    for preserved in entity.preserved {
      defer { place += preserved.columns }
      guard entity.columns.indices ~= preserved.slot, let name = entity.columns[preserved.slot],
        place + preserved.columns <= stored.count
      else { continue }
      values[name] = stored[place..<place + preserved.columns].map(NamedTransaction.Value.init)
    }
    return values
  }

  // MARK: reading

  /// Enters a transaction.
  ///
  /// - Parameter renamings: how the names of the line became those of today, step by step.
  package func insert(_ line: NamedTransaction, _ renamings: [HistoryRenaming]) throws {
    var row = HistoryRow(
      id: line.id, time: line.time, author: line.author, program: line.program, process: line.process)
    if let changes = line.changes {
      let parts = changes.compactMap { Part($0, renamings, self) }
      let layout = self.layout(of: parts)
      var flags: HistoryWriter.Flags = line.isIncomplete == true ? .isIncomplete : []
      if parts.contains(where: { !$0.left.isEmpty }) { flags.insert(.hasTombstones) }
      let epoch = layout == names ? epoch : try kept.epoch(of: layout, connection)
      var writer = HistoryWriter(epoch: epoch, flags)
      writer.write(try record(parts, of: line.id))
      row.changes = writer.bytes
      for part in parts {
        for (key, values) in part.left {
          try insert(values, of: key, layout.entities[part.entity], part.entity, transaction: line.id)
        }
      }
    }
    try row.insert(connection)
  }

  /// Enters the place of a transaction that never came to be, or was taken back.
  package func insertHole(_ id: Int64) throws { try HistoryRow(id: id).insert(connection) }

  /// A change under the names of today.
  private struct Part {
    let change: NamedTransaction.Change
    let entity: Int
    var columns = PropertySet()
    var lists = PropertySet()
    /// Of deleted rows what still means what it meant, by property.
    var left: [Int64: [String: [SQLValue]]] = [:]

    /// - Returns: nil for a model that is gone.
    init?(
      _ change: NamedTransaction.Change, _ renamings: [HistoryRenaming], _ coding: HistoryExchange
    ) {
      guard let name = change.insert ?? change.update ?? change.delete,
        let model = RenamedModel(name, renamings), let entity = coding.numbers[model.name]
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

  /// - Throws: ``Damage`` for rows that no transaction has.
  private func record(_ parts: [Part], of transaction: Int64) throws -> HistoryRecord {
    var record = HistoryRecord()
    for part in parts {
      var rows = RowRuns()
      for run in part.change.rows {
        guard let first = run.first, let last = run.last, first <= last, last < .max,
          case (let distance, false) = last.subtractingReportingOverflow(first), distance < HistoryReader.mostRows
        else {
          throw Damage("transaction \(transaction) has \(run) as numbers of rows")
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
        ("transaction", "entity", "key", "part", \(HistoryTables.values)) VALUES (\(places.joined(separator: ", ")))
        """)
    }
  }
}
