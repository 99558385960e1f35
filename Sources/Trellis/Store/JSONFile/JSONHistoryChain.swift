/// The lines of a history that tell how the JSON file has become what it is.
struct JSONHistoryChain {
  /// In the order in which they were saved.
  let lines: [JSONHistoryLine]
  /// Whether the last one is that of the contents the file has.
  let isOfTheFile: Bool
  /// The number of the last one; of the transaction of the last line where it tells of none.
  let last: Int64
  let floor: Int64
  /// The highest number any line has, also of those that were taken back.
  let highest: Int64
  init(_ all: [JSONHistoryLine], _ digest: String) {
    let match = all.last { $0.file == digest }
    isOfTheFile = match != nil
    let end = match ?? all.last
    var byNumber: [Int64: JSONHistoryLine] = [:]
    for line in all where line.time != nil { byNumber[line.id] = line }
    var lines: [JSONHistoryLine] = []
    var number = end?.id ?? 0
    let first = end?.from ?? 1
    while number >= first, let line = byNumber.removeValue(forKey: number) {
      lines.append(line)
      number = line.after ?? number - 1
    }
    self.lines = lines.reversed()
    last = end?.id ?? 0
    highest = all.map(\.id).max() ?? 0
    // A line that somebody has taken out: nothing leads across.
    let missing = number >= first ? number : 0
    let floor = max(end?.floor ?? 0, missing, (lines.last?.id ?? 1) - 1)
    self.floor = floor
  }

  /// Numbers that lead nowhere: of saves that never came to be, or were taken back.
  ///
  /// - Parameter highest: the highest number there was.
  func holes(upTo highest: Int64) -> [Int64] {
    let known = Set(lines.map(\.id))
    guard highest > floor else { return [] }
    return (max(floor, highest - 100_000) + 1...highest).filter { !known.contains($0) }
  }
}
