import Trellis

/// The line of the contents that a JSON file has.
struct JSONHistoryEnd {
  let lines: JSONHistoryLines
  /// The last line of all, if none is of these contents; nil if there is no line.
  private(set) var line: JSONHistoryLine?
  /// Where the line ends.
  private(set) var position: Int
  private(set) var isOfTheFile = false
  /// The highest number that any line has, also one that was taken back.
  private(set) var highest: Int64 = 0

  /// - Throws: ``HistoryExchange/Damage``.
  init(_ lines: JSONHistoryLines, digest: String) throws {
    self.lines = lines
    position = lines.end
    var place = lines.end
    while let found = try lines.line(before: place) {
      if line == nil { line = found.line }
      highest = max(highest, found.line.id)
      if found.line.notes.file == digest {
        isOfTheFile = true
        line = found.line
        position = place
        return
      }
      place = found.start
    }
  }

  /// The names that the line uses; nil without a line.
  ///
  /// - Throws: ``HistoryExchange/Damage`` if no line has them.
  func names() throws -> HistoryModelNames? {
    guard let line else { return nil }
    let digest = line.notes.names
    var place = position
    while let found = try lines.line(before: place) {
      if found.line.notes.names == digest, let models = found.line.notes.models { return HistoryModelNames(models) }
      place = found.start
    }
    throw HistoryExchange.Damage("no line has the names that transaction \(line.id) uses")
  }
}

/// The lines of a history that are not in the tables yet. They are read from the end of the history to its beginning.
struct JSONHistoryRest {
  private let lines: JSONHistoryLines
  /// Where the remaining lines end.
  private var position: Int
  /// The number of the next transaction to read.
  private(set) var next: Int64
  /// The first transaction that is not forgotten.
  let first: Int64
  /// The digest of the names of the line before, if it is known.
  private var names: String?
  /// How these names became those of today, step by step.
  private var renamings: [HistoryRenaming]

  /// - Parameter renaming: how the names of the last line became those of today.
  init(_ end: JSONHistoryEnd, renaming: HistoryRenaming?) {
    lines = end.lines
    position = end.position
    next = end.line?.id ?? 0
    first = end.line?.notes.from ?? 1
    names = end.line?.notes.names
    renamings = renaming.map { [$0] } ?? []
  }

  var isEmpty: Bool { next < first }

  /// Enters the transactions from a number on into the tables, and the places of transactions that were taken back.
  ///
  /// - Throws: ``HistoryExchange/Damage``; what was read before that stays.
  mutating func read(through number: Int64, _ exchange: HistoryExchange) throws {
    while !isEmpty, next >= number {
      guard let (line, start) = try lines.line(before: position) else {
        // A line was deleted: no token leads across.
        try exchange.raiseFloor(to: next)
        next = first - 1
        return
      }
      position = start
      guard line.id == next else { continue }
      guard line.transaction.time != nil else {
        // The file has had other contents, in the same version as the line that follows.
        if line.notes.models != nil, line.notes.names == names { pass(line.notes) }
        continue
      }
      let before = min(line.notes.after ?? next - 1, next - 1)
      try exchange.insert(line.transaction, renamings)
      for hole in (max(before, next - Self.holes, 0) + 1)..<max(next, 1) { try exchange.insertHole(hole) }
      if line.notes.models != nil { pass(line.notes) }
      next = before
    }
  }

  /// Notes that earlier lines use the names before these.
  private mutating func pass(_ notes: JSONHistoryLine.Notes) {
    names = notes.namesBefore
    let renaming = HistoryRenaming(names: notes.was ?? [:], unlike: Set(notes.unlike ?? []))
    if !renaming.isEmpty { renamings.insert(renaming, at: 0) }
  }

  /// The most numbers without a transaction that are entered between two lines.
  static let holes: Int64 = 100_000
}
