import Foundation
import Trellis

/// Measures the migration of a ten-column store to the next version, in a separate process.
struct MigrationRow {
  enum Value {
    /// The ratio of the two sides' times.
    case ratio
    /// Milliseconds.
    case time
    /// Microseconds per row.
    case row
    /// The additional peak memory in MiB.
    case memory
  }

  var name: String
  var title: String
  var hop: MigrationWork.Hop
  var rows = 1_000_000
  var value = Value.ratio
  var limit: Double?

  static let all = [
    MigrationRow(
      name: "migrate-in-place", title: "1,000,000 rows, columns added and renamed", hop: .inPlace,
      value: .time, limit: 100),
    MigrationRow(
      name: "migrate-fill", title: "1,000,000 rows filled", hop: .fill,
      limit: 1.5),
    // Equivalent to 300,000 and 450,000 rows per second.
    MigrationRow(
      name: "migrate-fill-row", title: "1,000,000 rows filled, a row", hop: .fill, value: .row,
      limit: 3.33),
    MigrationRow(
      name: "migrate-copy", title: "1,000,000 rows, a column removed", hop: .copy,
      limit: 1.3),
    MigrationRow(
      name: "migrate-memory-100k", title: "peak memory, 100,000 rows filled", hop: .fill,
      rows: 100_000, value: .memory, limit: 64),
    MigrationRow(
      name: "migrate-memory", title: "peak memory, 1,000,000 rows filled", hop: .fill, value: .memory,
      limit: 64),
    MigrationRow(
      name: "open-current", title: "open a store, nothing to do", hop: .none, rows: 100, value: .time),
    MigrationRow(
      name: "open-planned", title: "the same with a plan of 4 versions", hop: .planned, rows: 100,
      value: .time, limit: 5),
  ]

  /// Measures rows together if they use the same migration and store.
  static func measure(_ names: Set<String>, rounds: Int, in folder: URL) throws -> [Row] {
    let wanted = all.filter { names.contains($0.name) }
    var measured: [Row] = []
    for (index, row) in wanted.enumerated() {
      let key = Key(hop: row.hop, rows: row.rows)
      guard !wanted[..<index].contains(where: { Key(hop: $0.hop, rows: $0.rows) == key }) else { continue }
      Console.note(row.name)
      let together = wanted[index...].filter { Key(hop: $0.hop, rows: $0.rows) == key }
      measured += try measure(together, rounds: rounds, in: folder)
    }
    return wanted.compactMap { row in measured.first { $0.name == row.name } }
  }

  private struct Key: Hashable {
    var hop: MigrationWork.Hop
    var rows: Int
  }

  private static func measure(_ group: [MigrationRow], rounds: Int, in folder: URL) throws -> [Row] {
    guard let first = group.first else { return [] }
    var rows = group.map { row in
      Row(
        name: row.name, title: row.title, unit: row.unit, limit: row.limit,
        isAbsolute: row.value != .ratio)
    }
    let fixture = folder.appendingPathComponent("readings-\(first.hop.start)-\(first.rows).store")
    if !FileManager.default.fileExists(atPath: fixture.path) {
      let outcome = try Child.run(
        Child.ownExecutable, ["migrate-build", first.hop.rawValue, "\(first.rows)", fixture.path])
      if let problem = outcome.problem {
        return rows.map { row in
          var row = row
          row.unavailable = "building the store \(problem)"
          return row
        }
      }
    }
    for round in 0..<rounds {
      var checksums: [String] = []
      for side in round % 2 == 0 ? [Side.raw, .ours] : [.ours, .raw] {
        if side == .raw, !first.hop.hasRaw { continue }
        let store = folder.appendingPathComponent("migrating.store")
        try copy(fixture, to: store)
        let outcome = try Child.run(
          Child.ownExecutable, ["migrate", first.hop.rawValue, side.rawValue, store.path])
        if let problem = outcome.problem {
          for index in rows.indices { rows[index].unavailable = "the process for the side '\(side)' \(problem)" }
          return rows
        }
        let result = try JSONDecoder().decode(MigrationWork.Result.self, from: outcome.output)
        checksums.append(result.checksum)
        for index in rows.indices {
          let value = group[index].value(of: result)
          if side == .raw { rows[index].raw.append(value) } else { rows[index].ours.append(value) }
        }
      }
      if Set(checksums).count > 1 {
        for index in rows.indices { rows[index].mismatch = checksums.joined(separator: " and ") }
        break
      }
    }
    return rows
  }

  private var unit: String {
    switch value {
    case .ratio, .time: "ms"
    case .row: "µs"
    case .memory: "MiB"
    }
  }

  private func value(of result: MigrationWork.Result) -> Double {
    switch value {
    case .ratio, .time: result.milliseconds
    case .row: result.milliseconds * 1000 / Double(rows)
    case .memory: result.peak
    }
  }

  /// Copies the store for a process. The copy is synced before the process starts, because closing a store waits for
  /// the disk.
  private static func copy(_ fixture: URL, to store: URL) throws {
    let manager = FileManager.default
    let folder = store.deletingLastPathComponent()
    for name in try manager.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix(store.lastPathComponent) {
      try manager.removeItem(at: folder.appendingPathComponent(name))
    }
    try manager.copyItem(at: fixture, to: store)
    let handle = try FileHandle(forUpdating: store)
    try handle.synchronize()
    try handle.close()
  }
}
