import Foundation
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
  /// False if the search was stopped after two seconds.
  var isComplete = true

  static let size = 50
  /// The changes of a transaction that are listed.
  static let mostChanges: Int64 = 100
}

/// The transactions that a view asks for.
struct HistoryQuery: Sendable {
  var before: Int64?
  /// A part of the author's name.
  var author: String?
  /// A row that the transactions have changed.
  var row: (entity: String, key: Int64)?

  func includes(author found: SQLValue) -> Bool {
    guard let author, !author.isEmpty else { return true }
    guard case .text(let text) = found else { return false }
    return text.localizedCaseInsensitiveContains(author)
  }

  func includes(changes: SQLValue, _ names: [Int: HistoryNames], _ schema: StudioSchema) -> Bool {
    guard let row else { return true }
    guard case .blob(let bytes) = changes, var reader = HistoryReader(bytes), let names = names[reader.epoch] else {
      return false
    }
    let root = schema.entity(row.entity)?.layout.rootName
    // Damaged changes are not those of a row.
    while let group = try? reader.next() {
      guard names.entities.indices.contains(group.entity),
        schema.entity(names.entities[group.entity].name ?? "")?.layout.rootName == root
      else { continue }
      if group.rows.runs.contains(where: { ($0.first..<$0.end).contains(row.key) }) { return true }
    }
    return false
  }
}

extension StoreReader {
  func timeline(_ query: HistoryQuery) throws -> Timeline {
    let names = try database.rows(
      "SELECT \"epoch\", \"names\" FROM \(name: database.internalTable(HistoryTables.names))"
    ).reduce(into: [Int: HistoryNames]()) { names, row in
      guard case .integer(let epoch) = row[0], case .text(let text) = row[1] else { return }
      names[Int(epoch)] = HistoryNames(text: text)
    }
    let end = ContinuousClock.now + .seconds(2)
    var timeline = Timeline(transactions: [])
    var before = query.before ?? .max
    while timeline.transactions.count < Timeline.size {
      guard ContinuousClock.now < end else {
        timeline.isComplete = false
        break
      }
      let rows = try database.rows(
        """
        SELECT "id", "time", "author", "changes" FROM \(name: database.internalTable(HistoryTables.transactions))
        WHERE "changes" IS NOT NULL AND "id" < \(value: .integer(before)) ORDER BY "id" DESC
        LIMIT \(number: Timeline.size)
        """)
      for row in rows where timeline.transactions.count < Timeline.size {
        guard case .integer(let id) = row[0] else { continue }
        before = id
        guard query.includes(author: row[2]), query.includes(changes: row[3], names, schema),
          let transaction = try transaction(row, names)
        else { continue }
        timeline.transactions.append(transaction)
      }
      guard rows.count == Timeline.size else { return timeline }
    }
    timeline.next = "\(before)"
    return timeline
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
    let label = schema.entity(name).flatMap { entity in entity.label }
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
