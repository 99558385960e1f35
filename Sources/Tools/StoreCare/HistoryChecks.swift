import Trellis

/// Checks recorded changes, the names that they use, and tombstones.
struct HistoryChecks {
  private let store: ExaminedStore
  private var connection: Connection { store.connection }

  init(_ store: ExaminedStore) { self.store = store }

  var parts: [() throws -> [Finding]] { [transactions, tombstones, floor] }

  private func transactions() throws -> [Finding] {
    let names = Dictionary(
      try HistoryNames.all(connection).map { ($0.epoch, $0.names) }, uniquingKeysWith: { first, _ in first })
    var unreadable: [Int64] = []
    var misdated: [Int64] = []
    let query: SQLFragment = "SELECT \"id\", \"time\", \"changes\" FROM \(name: HistoryTables.transactions)"
    let statement = try Statement(query.text, on: connection.handle, isKept: false)
    while try statement.step() {
      switch statement.value(1) {
      case .real(let time) where time.isFinite: break
      case .integer: break
      default: misdated.append(statement.integer(0))
      }
      guard case .blob(let bytes) = statement.value(2) else {
        if !statement.isNull(2) { unreadable.append(statement.integer(0)) }
        continue
      }
      if !bytes.isEmpty, !Self.isReadable(bytes, names) { unreadable.append(statement.integer(0)) }
    }
    var findings: [Finding] = []
    if !unreadable.isEmpty {
      findings.append(
        Finding(
          .history, HistoryTables.transactions, "changes", count: unreadable.count,
          examples: unreadable.map { "\($0)" },
          "the changes of a transaction cannot be read"))
    }
    if !misdated.isEmpty {
      findings.append(
        Finding(
          .history, HistoryTables.transactions, "time", count: misdated.count, examples: misdated.map { "\($0)" },
          "the time of a transaction is not a finite number"))
    }
    return findings
  }

  private static func isReadable(_ bytes: [UInt8], _ names: [Int: HistoryNames]) -> Bool {
    guard var reader = HistoryReader(bytes), let names = names[reader.epoch] else { return false }
    do {
      while let group = try reader.next() {
        guard names.entities.indices.contains(group.entity) else { return false }
      }
      return true
    } catch {
      return false
    }
  }

  private func tombstones() throws -> [Finding] {
    let found = try store.examples(
      """
      SELECT DISTINCT "transaction" FROM \(name: HistoryTables.tombstones) WHERE "transaction" NOT IN
      (SELECT "id" FROM \(name: HistoryTables.transactions))
      """)
    guard found.count > 0 else { return [] }
    return [
      Finding(
        .history, HistoryTables.tombstones, "transaction", count: found.count, examples: found.examples,
        "preserved values belong to a transaction that is missing")
    ]
  }

  private func floor() throws -> [Finding] {
    guard case .integer(let floor)? = try StoreMetadata.value(for: StoreMetadata.Key.historyFloor, connection) else {
      return []
    }
    let found = try store.examples(
      """
      SELECT "id" FROM \(name: HistoryTables.transactions) WHERE "id" <= \(value: .integer(floor))
      AND "changes" IS NOT NULL AND "id" < (SELECT max("id") FROM \(name: HistoryTables.transactions))
      """)
    guard found.count > 0 else { return [] }
    return [
      Finding(
        .history, HistoryTables.transactions, "id", count: found.count, examples: found.examples,
        "a transaction remains although the history up to \(floor) was deleted")
    ]
  }
}
