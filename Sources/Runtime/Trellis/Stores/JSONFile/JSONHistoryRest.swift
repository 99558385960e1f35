import Foundation

/// The lines of a history that nobody has asked for yet, on the way back from its end to its beginning.
struct JSONHistoryRest {
  let tail: JSONHistoryTail
  /// Where the lines end that are left.
  private(set) var position: Int64
  /// The number of the transaction that is looked for.
  private(set) var next: Int64
  /// The first transaction that is remembered.
  let first: Int64
  /// Which names the line before has, where that is known.
  private var names: String?
  /// How they became those of today, step by step.
  private var renamings: [JSONHistoryRenaming]

  /// - Parameter renaming: how the names of the last line became those of today.
  init(_ end: JSONHistoryEnd, renaming: JSONHistoryRenaming?) {
    tail = end.tail
    position = end.position
    next = end.line?.id ?? 0
    first = end.line?.from ?? 1
    names = end.line?.names
    renamings = renaming.map { [$0] } ?? []
  }

  /// Whether nothing is left.
  var isEmpty: Bool { next < first }

  /// Enters the transactions from a number on into the tables, and the places of those that led nowhere.
  ///
  /// - Throws: ``JSONHistoryTail/Damage``: what was read before that stays.
  mutating func read(through number: Int64, _ coding: JSONHistoryCoding) throws {
    while !isEmpty, next >= number {
      guard let found = try tail.line(before: position) else {
        // A line that somebody has taken out: nothing leads across.
        try HistoryLog.raiseFloor(to: next, coding.connection)
        next = first - 1
        return
      }
      let line = try Self.decoded(found, tail)
      position = found.start
      guard line.id == next else { continue }
      guard line.time != nil else {
        // The file has had other contents: as long as it was of the same version as what came after.
        if line.models != nil, line.names == names { pass(line) }
        continue
      }
      let before = min(line.after ?? next - 1, next - 1)
      try coding.insert(line, renamings)
      for hole in (max(before, next - Self.holes, 0) + 1)..<max(next, 1) { try coding.insertHole(hole) }
      if line.models != nil { pass(line) }
      next = before
    }
  }

  /// Earlier lines have the names that this one tells of.
  private mutating func pass(_ line: JSONHistoryLine) {
    names = line.namesBefore
    let renaming = line.renaming
    if !renaming.isEmpty { renamings.insert(renaming, at: 0) }
  }

  /// So many numbers that lead nowhere are looked at.
  static let holes: Int64 = 100_000

  static func decoded(
    _ found: (text: Data, start: Int64), _ tail: JSONHistoryTail
  ) throws -> JSONHistoryLine {
    let line = try? JSONDocument.decoder.decode(JSONHistoryLine.self, from: found.text)
    guard let line else { throw JSONHistoryTail.Damage("its line \(tail.number(at: found.start)) cannot be read") }
    let numbers = [line.id, line.after ?? 0, line.from ?? 0, line.floor ?? 0]
    guard numbers.allSatisfy(JSONHistoryLine.numbers.contains) else {
      throw JSONHistoryTail.Damage(
        "its line \(tail.number(at: found.start)) has the number of a transaction that cannot be")
    }
    return line
  }
}

/// The line of the contents that a JSON file has.
struct JSONHistoryEnd {
  let tail: JSONHistoryTail
  /// Nil where there is none at all.
  private(set) var line: JSONHistoryLine?
  /// Where it ends.
  private(set) var position: Int64
  /// Whether it is of these contents; the last line of all, where none is.
  private(set) var isOfTheFile = false
  /// The highest number any line has, also of those that were taken back.
  private(set) var highest: Int64 = 0

  /// - Throws: ``JSONHistoryTail/Damage``.
  init(_ tail: JSONHistoryTail, digest: String) throws {
    self.tail = tail
    position = tail.end
    var place = tail.end
    while let found = try tail.line(before: place) {
      let line = try JSONHistoryRest.decoded(found, tail)
      if self.line == nil { self.line = line }
      highest = max(highest, line.id)
      if line.file == digest {
        isOfTheFile = true
        self.line = line
        position = place
        return
      }
      place = found.start
    }
  }

  /// What the line calls models and properties; nil where nobody has noted it.
  func names() throws -> JSONHistoryNames? {
    guard let digest = line?.names else { return nil }
    var place = position
    while let found = try tail.line(before: place) {
      let line = try JSONHistoryRest.decoded(found, tail)
      if line.names == digest, let models = line.models { return JSONHistoryNames(models) }
      place = found.start
    }
    return nil
  }
}
