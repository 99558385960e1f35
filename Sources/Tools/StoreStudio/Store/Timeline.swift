import StoreTransfer
import Trellis

/// A part of a store's history, newest first.
struct Timeline: Encodable, Sendable {
  struct Change: Encodable, Sendable {
    var kind: String
    var entity: String
    var key: String
    var label: String
    /// The properties that an update changed.
    var properties: [String]
    /// Preserved values of a deleted row.
    var tombstone: [String: String]
  }

  struct Transaction: Encodable, Sendable {
    var id: String
    var date: String
    var author: String?
    var changes: [Change]
    /// The number of changes that are not listed.
    var omitted: Int64 = 0
    /// The reason why the changes cannot be listed.
    var problem: String?
  }

  var transactions: [Transaction]
  /// Continues before the last transaction; nil at the end.
  var next: String?

  static let size = 50
  /// The changes of a transaction that are listed.
  static let mostChanges: Int64 = 100
}

extension StoreReader {
  func timeline(before: Int64?) throws -> Timeline {
    let rows = try database.rows(
      """
      SELECT "id", "time", "author", "changes" FROM \(name: database.internalTable(HistoryTables.transactions))
      WHERE "changes" IS NOT NULL AND "id" < \(value: .integer(before ?? .max)) ORDER BY "id" DESC
      LIMIT \(number: Timeline.size + 1)
      """)
    let names = try database.rows(
      "SELECT \"epoch\", \"names\" FROM \(name: database.internalTable(HistoryTables.names))"
    ).reduce(into: [Int: HistoryNames]()) { names, row in
      guard case .integer(let epoch) = row[0], case .text(let text) = row[1] else { return }
      names[Int(epoch)] = HistoryNames(text: text)
    }
    let transactions = try rows.prefix(Timeline.size).compactMap { try transaction($0, names) }
    return Timeline(transactions: transactions, next: rows.count > Timeline.size ? transactions.last?.id : nil)
  }

  private func transaction(
    _ row: [SQLValue], _ names: [Int: HistoryNames]
  ) throws -> Timeline.Transaction? {
    guard case .integer(let id) = row[0] else { return nil }
    let time: Double =
      switch row[1] {
      case .real(let time): time
      case .integer(let time): Double(time)
      default: 0
      }
    var author: String?
    if case .text(let name) = row[2] { author = name }
    var transaction = Timeline.Transaction(
      id: "\(id)", date: CellView.dateText(time.rounded()), author: author, changes: [])
    guard case .blob(let bytes) = row[3] else { return transaction }
    if bytes.isEmpty { return transaction }
    guard var reader = HistoryReader(bytes), let names = names[reader.epoch] else {
      transaction.problem = "the changes cannot be read"
      return transaction
    }
    do {
      while let group = try reader.next() { try add(group, names, to: &transaction, id) }
    } catch is HistoryReader.Damage {
      transaction.problem = "some changes cannot be read"
    }
    return transaction
  }

  private func add(
    _ group: HistoryGroup, _ names: HistoryNames, to transaction: inout Timeline.Transaction, _ id: Int64
  ) throws {
    guard names.entities.indices.contains(group.entity) else { return }
    let recorded = names.entities[group.entity]
    let name = recorded.name ?? "a removed entity"
    var keys: [Int64] = []
    for run in group.rows.runs {
      let room = Timeline.mostChanges - Int64(transaction.changes.count + keys.count)
      keys += run.keys.prefix(Int(max(0, room)))
      transaction.omitted += max(0, run.end - run.first - max(0, room))
    }
    let labels = try schema.entity(name).map { try self.labels($0, keys) } ?? [:]
    var properties: [String] = []
    group.columns.forEach { slot in
      if recorded.columns.indices.contains(slot) { properties.append(recorded.columns[slot] ?? "a removed property") }
    }
    group.lists.forEach { slot in
      if recorded.lists.indices.contains(slot) { properties.append(recorded.lists[slot] ?? "a removed property") }
    }
    let label = schema.entity(name).flatMap { entity in entity.columns.first { $0.sql == entity.label } }
    for key in keys {
      let tombstone = group.kind == .deletion ? try tombstone(id, group.entity, key, recorded) : [:]
      let preserved = label.flatMap { tombstone[$0.property] }
      transaction.changes.append(
        .init(
          kind: group.kind.word, entity: name, key: "\(key)", label: labels[key] ?? preserved ?? "\(key)",
          properties: properties, tombstone: tombstone))
    }
  }

  /// Returns the preserved values of a deleted row.
  private func tombstone(
    _ transaction: Int64, _ entity: Int, _ key: Int64, _ recorded: HistoryNames.Entity
  ) throws -> [String: String] {
    guard !recorded.preserved.isEmpty else { return [:] }
    let values = try database.preservedValues(transaction, entity, key)
    var result: [String: String] = [:]
    var position = 0
    for preserved in recorded.preserved {
      defer { position += preserved.columns }
      guard recorded.columns.indices.contains(preserved.slot), let name = recorded.columns[preserved.slot],
        values.indices.contains(position)
      else { continue }
      let column = schema.entity(recorded.name ?? "")?.columns.first { $0.property == name }
      result[name] = text(values[position], column)
    }
    return result
  }

  private func text(_ value: SQLValue, _ column: StudioSchema.Column?) -> String {
    switch value {
    case .null: "nil"
    case .integer(let number): column?.cases["\(number)"] ?? "\(number)"
    case .real(let number): column?.form == .date ? CellView.dateText(number) : "\(number)"
    case .text(let text): String((column?.cases[text] ?? text).prefix(CellView.longest))
    case .blob(let bytes): "\(bytes.count) bytes"
    case .list: ""
    }
  }
}

extension HistoryGroup.Kind {
  fileprivate var word: String {
    switch self {
    case .insertion: "insert"
    case .update: "update"
    case .deletion: "delete"
    }
  }
}
