import Foundation
import Trellis

/// Measures the cost of history: saves with history on and off, and reading new changes.
struct HistoryRow {
  enum Work {
    /// An operation with history on and off.
    case writing(String)
    /// Ten changes after a token, preceded by a number of changes.
    case reading(behind: Int)
  }

  var name: String
  var title: String
  var work: Work
  var limit: Double?

  static let all = [
    writing("insert-bulk", "insert 100,000, one save"), writing("insert-batches", "100 saves of 100"),
    writing("insert-singles", "1,000 saves of 1"),
    writing("insert-steady", "10,000 saves of 1"),
    writing("update", "update 10,000, one save"),
    writing("delete", "delete 10,000 + cascade"), writing("batch-insert", "insert 100,000 snapshots"),
    HistoryRow(
      name: "history-new-1k", title: "10 new changes after 1,000", work: .reading(behind: 1_000),
      limit: 1),
    HistoryRow(
      name: "history-new-1m", title: "10 new changes after 1,000,000", work: .reading(behind: 1_000_000),
      limit: 1),
  ]

  private static func writing(_ name: String, _ title: String, limit: Double = 1.5) -> HistoryRow {
    HistoryRow(
      name: "history-\(name)", title: "\(title), with history", work: .writing(name),
      limit: nil)
  }

  // MARK: Child process

  /// The sides to measure: history on, off, or both.
  struct Sides {
    var all: [Bool]

    init(_ name: String) throws {
      switch name {
      case "on": all = [true]
      case "off": all = [false]
      case "both": all = [false, true]
      default: throw UsageFailure("history must be 'on', 'off' or 'both', not '\(name)'")
      }
    }
  }

  /// The milliseconds of each measured side. Reading has a single side.
  struct Times: Codable {
    var without: [Double] = []
    var with: [Double] = []
  }

  /// Runs a row in this process.
  static func execute(_ name: String, _ sides: Sides, _ folder: URL) throws -> Times {
    guard let row = all.first(where: { $0.name == name }) else {
      throw UsageFailure("unknown row '\(name)'")
    }
    switch row.work {
    case .reading(let count): return Times(with: try HistoryWork.read(behind: count, folder))
    case .writing(let name):
      guard let operation = Operation.all.first(where: { $0.name == name }) else {
        throw UsageFailure("unknown operation '\(name)'")
      }
      let fixtures = Fixtures(folder: folder)
      var times = Times()
      for round in 0..<operation.warmups + operation.samples {
        for records in round % 2 == 0 ? sides.all : sides.all.reversed() {
          let url = try fixtures.url(operation.fixture, .ours, 2 * round + (records ? 1 : 0))
          let value = try write(operation, records: records, at: url, fixtures)
          guard round >= operation.warmups else { continue }
          if records { times.with.append(value) } else { times.without.append(value) }
        }
      }
      return times
    }
  }

  private static func write(
    _ operation: Operation, records: Bool, at url: URL, _ fixtures: Fixtures
  ) throws -> Double {
    let container = try fixtures.openOurs(url, operation.fixture, recordsHistory: records)
    let sample = try withExtendedLifetime(container) { try operation.ours(container) }
    let found = try ModelContext(container).fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    guard found.contains(where: { !$0.changes.isEmpty }) == records else {
      throw RawFailure(description: records ? "nothing was recorded" : "something was recorded")
    }
    return sample.value
  }

  // MARK: Row

  var needsFullStore: Bool {
    guard case .writing(let name) = work else { return false }
    return Operation.all.first { $0.name == name }?.fixture == .copy
  }

  func measure(rounds: Int, in folder: URL) throws -> Row {
    var row = Row(name: name, title: title, unit: "ms", limit: limit, isAbsolute: isReading, isPaired: true)
    for _ in 0..<rounds {
      let outcome = try Child.run(Child.ownExecutable, ["history", name, "both", folder.path])
      if let problem = outcome.problem {
        row.unavailable = "the process \(problem)"
        return row
      }
      let times = try JSONDecoder().decode(Times.self, from: outcome.output)
      row.raw += times.without
      row.ours += times.with
    }
    return row
  }

  private var isReading: Bool { if case .reading = work { true } else { false } }
}

/// Reads a history.
enum HistoryWork {
  /// Measures the milliseconds to find ten new changes.
  static func read(behind count: Int, _ folder: URL) throws -> [Double] {
    let url = folder.appendingPathComponent("history-\(count).store")
    let isNew = !FileManager.default.fileExists(atPath: url.path)
    let container = try ModelContainer(for: Station.self, configurations: ModelConfiguration(url: url))
    let context = ModelContext(container)
    if isNew {
      let stations = Workload.stations(0..<count, seed: 1).map(Station.Snapshot.init)
      for start in stride(from: 0, to: count, by: 100) {
        try context.insert(contentsOf: stations[start..<start + 100])
      }
    }
    func latest() throws -> DefaultHistoryToken? {
      var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
        sortBy: [SortDescriptor(\.transactionIdentifier, order: .reverse)])
      descriptor.fetchLimit = 1
      return try context.fetchHistory(descriptor).first?.token
    }
    guard let token = try latest() else { throw RawFailure(description: "nothing was recorded") }
    let models = try context.fetch(
      {
        var descriptor = FetchDescriptor<Station>()
        descriptor.fetchLimit = 10
        return descriptor
      }())
    for model in models {
      model.height += 1
      try context.save()
    }
    let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token })
    var values: [Double] = []
    for _ in 0..<30 {
      let (found, time) = try Sample.time { try context.fetchHistory(descriptor) }
      guard found.reduce(0, { $0 + $1.changes.count }) == 10 else {
        throw RawFailure(description: "\(found.count) transactions were found")
      }
      values.append(time)
    }
    return values
  }
}
