import Foundation

/// Measures the import and export of 1,000,000 rows by `trellis-store`, compared with SQLite.
struct TransferRow {
  enum Value {
    /// The ratio of the two sides' times.
    case ratio
    /// The peak memory of `trellis-store` in MiB.
    case memory
  }

  var name: String
  var title: String
  var work: TransferWork
  var value = Value.ratio
  var limit: Double?

  static let all = [
    TransferRow(name: "import-sqlite", title: "import 1,000,000 rows from SQLite", work: .importing, limit: 2),
    TransferRow(
      name: "import-sqlite-memory", title: "the same, peak memory", work: .importing, value: .memory, limit: 64),
    TransferRow(name: "export-csv", title: "export 1,000,000 rows to CSV", work: .exporting, limit: 1.5),
    TransferRow(
      name: "export-csv-memory", title: "the same, peak memory", work: .exporting, value: .memory, limit: 64),
  ]

  /// Measures rows with the same work together.
  static func measure(_ names: Set<String>, rounds: Int, in folder: URL) throws -> [Row] {
    let wanted = all.filter { names.contains($0.name) }
    var measured: [Row] = []
    for work in [TransferWork.importing, .exporting] {
      let group = wanted.filter { $0.work == work }
      guard let first = group.first else { continue }
      Console.note(first.name)
      measured += try measure(group, of: work, rounds: min(rounds, 5), in: folder)
    }
    return measured
  }

  private static func measure(
    _ group: [TransferRow], of work: TransferWork, rounds: Int, in folder: URL
  ) throws -> [Row] {
    var rows = group.map { row in
      Row(
        name: row.name, title: row.title, unit: row.value == .ratio ? "ms" : "MiB", limit: row.limit,
        isAbsolute: row.value == .memory)
    }
    func refuse(_ reason: String) -> [Row] {
      rows.map { row in
        var row = row
        row.unavailable = reason
        return row
      }
    }
    if let missing = work.missingTool { return refuse("'\(missing)' does not exist") }
    try work.prepare(in: folder)
    for round in 0..<rounds {
      for side in round % 2 == 0 ? [Side.raw, .ours] : [.ours, .raw] {
        try work.clean(in: folder)
        let outcome = try Child.run(Child.ownExecutable, ["transfer", work.rawValue, side.rawValue, folder.path])
        if let problem = outcome.problem { return refuse("the process for the side '\(side)' \(problem)") }
        let result = try JSONDecoder().decode(TransferWork.Result.self, from: outcome.output)
        for index in rows.indices {
          switch (group[index].value, side) {
          case (.ratio, .raw): rows[index].raw.append(result.milliseconds)
          case (.ratio, .ours): rows[index].ours.append(result.milliseconds)
          case (.memory, .ours): rows[index].ours.append(result.peak)
          case (.memory, .raw): break
          }
        }
      }
      if let difference = try work.difference(in: folder) {
        for index in rows.indices { rows[index].mismatch = difference }
        break
      }
    }
    return rows
  }
}
