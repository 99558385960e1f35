import Foundation
import Trellis
import TrellisPostgres

/// Compares the server store with the same work in libpq calls. Both sides alternate in a single process and use the
/// same server.
struct PostgresRow: Sendable {
  var name: String
  var title: String
  var unit = "ms"
  var limit: Double?
  var isAbsolute = false
  /// Runs both sides once.
  var work: @Sendable (PostgresWork) throws -> (raw: Double?, ours: Double)

  static let all = [
    PostgresRow(name: "postgres-insert", title: "PostgreSQL, insert 100,000 snapshots / COPY", limit: 1.4) {
      (try $0.rawInsert(), try $0.insert())
    },
    PostgresRow(name: "postgres-insert-models", title: "PostgreSQL, insert 100,000 models, one save / COPY") {
      (try $0.rawInsert(), try $0.insertModels())
    },
    PostgresRow(name: "postgres-fetch", title: "PostgreSQL, fetch 100,000", limit: 1.5) {
      (try $0.rawFetch(), try $0.fetch())
    },
    PostgresRow(name: "postgres-save", title: "PostgreSQL, 200 saves of 1 / pipelined", limit: 1.2) {
      (try $0.rawSaves(), try $0.saves())
    },
    PostgresRow(name: "postgres-lists", title: "PostgreSQL, 1,000 lists prefetched", limit: 1.5) {
      (try $0.rawLists(), try $0.lists())
    },
    PostgresRow(name: "postgres-keys", title: "PostgreSQL, fetch 5,000 by key", limit: 1.5) {
      (try $0.rawKeys(), try $0.fetchByKey())
    },
    PostgresRow(
      name: "postgres-memory", title: "PostgreSQL, memory of 100,000 fetched / libpq", unit: "MiB",
      limit: 1.5
    ) { (try $0.rawMemory(), try $0.memory()) },
    PostgresRow(
      name: "postgres-enumerate-memory", title: "PostgreSQL, memory of enumerating 100,000", unit: "MiB",
      limit: 12, isAbsolute: true
    ) { (nil, try $0.enumerateMemory()) },
  ]

  /// A process's values.
  struct Values: Codable {
    var raw: [Double] = []
    var ours: [Double] = []
  }

  /// Runs a row in this process.
  static func execute(_ name: String, _ url: String) throws -> Values {
    guard let row = all.first(where: { $0.name == name }) else { throw UsageFailure("no row is called '\(name)'") }
    let work = try PostgresWork(url)
    var values = Values()
    let isMemory = row.unit == "MiB"
    for round in 0..<(isMemory ? 1 : 8) {
      let (raw, ours) = try row.work(work)
      // The first execution warms up both sides.
      guard round > 0 || isMemory else { continue }
      if let raw { values.raw.append(raw) }
      values.ours.append(ours)
    }
    return values
  }

  func measure(rounds: Int, _ url: String) throws -> Row {
    var row = Row(name: name, title: title, unit: unit, limit: limit, isAbsolute: isAbsolute, isPaired: !isAbsolute)
    for _ in 0..<rounds {
      let outcome = try Child.run(Child.ownExecutable, ["postgres", name, url])
      if let problem = outcome.problem {
        row.unavailable = "the process \(problem)"
        return row
      }
      let values = try JSONDecoder().decode(Values.self, from: outcome.output)
      row.raw += values.raw
      row.ours += values.ours
    }
    return row
  }
}
