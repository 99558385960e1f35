import Foundation

/// The results of a run, as a table and JSON, compared with the limits.
struct Report: Codable {
  var rounds: Int
  /// The machine load before the run. A load above 1 makes the times unreliable.
  var load: Double?
  var rows: [Row] = []

  /// All row names.
  static let names =
    Operation.all.map(\.name) + GeneratorRow.all.map(\.name) + OpeningRow.all.map(\.name)
    + EditingRow.all.map(\.name) + StudioRow.all.map(\.name) + MigrationRow.all.map(\.name)
    + TransferRow.all.map(\.name)
    + HistoryRow.all.map(\.name) + PostgresRow.all.map(\.name)

  var table: String {
    let header = ["operation", "raw", "ours", "ratio", "limit", ""]
    let lines = [header] + rows.map(cells)
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    let text = lines.map { line in
      zip(line, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return column == 0 || column == line.count - 1 ? cell.0 + padding : padding + cell.0
      }.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
    }
    return (text + notes).joined(separator: "\n")
  }

  private func cells(_ row: Row) -> [String] {
    func value(_ value: Double?) -> String {
      value.map { String(format: $0 < 1 ? "%.3f %@" : $0 < 100 ? "%.2f %@" : "%.0f %@", $0, row.unit) } ?? "-"
    }
    func ratio(_ value: Double?) -> String { value.map { String(format: "%.2f×", $0) } ?? "" }
    return [row.title, row.raw.isEmpty ? "" : value(row.rawMedian), value(row.oursMedian)]
      + [row.isAbsolute ? "" : ratio(row.score)]
      + [row.isAbsolute ? row.limit.map { String(format: "%g %@", $0, row.unit) } ?? "" : ratio(row.limit)]
      + [row.verdict]
  }

  private var notes: [String] {
    rows.compactMap { row in
      (row.mismatch ?? row.unavailable).map { "\(row.name): \(row.verdict): \($0)" }
    }
  }

  /// The failed rows, one line each. Values up to 10 % above the limit count as noise.
  var failures: [String] {
    rows.compactMap { row in
      guard let limit = row.limit else { return nil }
      if let reason = row.unavailable { return "\(row.name): \(reason)" }
      guard let score = row.score, score > limit * 1.1 else { return nil }
      return String(format: "%@: %.2f, the limit is %.2f", row.name, score, limit)
    }
  }

  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: url, options: .atomic)
  }
}
