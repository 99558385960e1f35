import Foundation

/// The cost per row for each size, compared with the limits.
struct ScaleReport: Codable {
  struct Row: Codable {
    var name: String
    var title: String
    var shape: ScaleOperation.Shape
    /// The nanoseconds per row, by size.
    var costs: [Double] = []

    init(_ operation: ScaleOperation) {
      name = operation.name
      title = operation.title
      shape = operation.shape
    }

    /// The largest growth of the cost per row from the previous size.
    ///
    /// It is rarely exactly 1, because larger data does not fit into the CPU caches. If sizes grow tenfold, quadratic
    /// work results in 10.
    var growth: Double { zip(costs.dropFirst(), costs).map { $0 / $1 }.max() ?? 1 }

    /// The costs as a bar chart.
    var curve: String {
      let bars = Array("▁▂▃▄▅▆▇█")
      let largest = costs.max() ?? 1
      return String(costs.map { bars[min(bars.count - 1, Int($0 / largest * Double(bars.count - 1) + 0.5))] })
    }
  }

  var sizes: [Int]
  var growth: Double
  var flat: Double
  var rows: [Row]

  func bound(of row: Row) -> Double { row.shape == .linear ? growth : flat }

  /// The failed rows, one line each.
  var failures: [String] {
    rows.filter { $0.growth > bound(of: $0) }.map { row in
      String(
        format: "%@: the cost per row grew by a factor of %.1f from one size to the next; the limit is %.1f", row.name,
        row.growth, bound(of: row))
    }
  }

  var table: String {
    let header =
      ["operation", "should be"] + sizes.map(ScaleOptions.text) + ["curve", "growth", "allowed", ""]
    let lines =
      [header]
      + rows.map { row in
        [row.title, row.shape.rawValue] + row.costs.map(Self.time)
          + [
            row.curve, String(format: "%.2f×", row.growth), String(format: "%.1f×", bound(of: row)),
            row.growth > bound(of: row) ? "MISSES" : "ok",
          ]
      }
    let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
    return lines.map { line in
      zip(line, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - cell.0.count)
        return column < 2 ? cell.0 + padding : padding + cell.0
      }.joined(separator: "  ").trimmingCharacters(in: .whitespaces)
    }.joined(separator: "\n")
  }

  private static func time(_ nanoseconds: Double) -> String {
    if nanoseconds < 100 { return String(format: "%.1f ns", nanoseconds) }
    return nanoseconds < 10_000
      ? String(format: "%.0f ns", nanoseconds) : String(format: "%.1f µs", nanoseconds / 1_000)
  }

  func write(to url: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: url, options: .atomic)
  }
}
