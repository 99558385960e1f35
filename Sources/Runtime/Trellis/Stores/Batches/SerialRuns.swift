/// The temporary identifiers of rows: both follow each other as a rule, and take the room of one then.
struct SerialRuns {
  private struct Run {
    var serial: Int64
    var row: Int64
    var count: Int64
  }

  private var runs: [Run] = []

  mutating func append(_ serial: Int64, row: Int64) {
    if let last = runs.last, last.serial + last.count == serial, last.row + last.count == row {
      runs[runs.count - 1].count += 1
    } else {
      runs.append(Run(serial: serial, row: row, count: 1))
    }
  }

  func serial(of row: Int64) -> Int64? {
    guard let run = runs.first(where: { $0.row <= row && row < $0.row + $0.count }) else {
      return nil
    }
    return run.serial + (row - run.row)
  }
}
