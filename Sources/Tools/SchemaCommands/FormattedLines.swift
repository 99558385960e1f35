/// Limits the formatter's changes to some lines.
struct FormattedLines {
  /// The lines, counted from 1.
  let lines: ClosedRange<Int>

  /// Parses `12:20`, or `12` for a single line.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), let first = parts[0], let last = parts[parts.count - 1], first >= 1,
      last >= first
    else { return nil }
    lines = first...last
  }

  /// Old lines and the new lines that replace them.
  private struct Change {
    var old: Range<Int>
    var new: Range<Int>

    /// The affected lines. An insertion between two lines affects both.
    var lines: ClosedRange<Int> {
      old.isEmpty ? max(1, old.lowerBound)...old.lowerBound + 1 : old.lowerBound + 1...old.upperBound
    }
  }

  /// - Parameter format: Returns the canonical form of source text, or nil if the text does not parse.
  func select(from old: [UInt8], to new: [UInt8], format: ([UInt8]) -> [UInt8]?) -> [UInt8] {
    let (before, after) = (UnifiedDiff.lines(old), UnifiedDiff.lines(new))
    let changes = Self.changes(before, after)
    guard let first = changes.firstIndex(where: { $0.lines.overlaps(lines) }),
      let last = changes.lastIndex(where: { $0.lines.overlaps(lines) })
    else { return old }
    var chosen = first..<last + 1
    while true {
      let text = Self.text(before, after, changes[chosen])
      // A word that moves between lines joins two changes. Extend the selection until the result is consistent.
      if chosen == changes.indices || format(text) == new { return text }
      chosen = max(0, chosen.lowerBound - 1)..<min(changes.count, chosen.upperBound + 1)
    }
  }

  /// Splits the old and new lines at positions with equal words, and returns the parts that differ.
  private static func changes(_ old: [String], _ new: [String]) -> [Change] {
    // Ignore the characters that the formatter adds or removes.
    func words(_ line: String) -> String {
      String(String.UnicodeScalarView(line.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != ";" }))
    }
    var changes: [Change] = []
    var change = Change(old: 0..<0, new: 0..<0)
    var (before, after) = ("", "")
    while change.old.upperBound < old.count || change.new.upperBound < new.count {
      let takesOld =
        change.new.upperBound == new.count
        || change.old.upperBound < old.count && before.utf8.count <= after.utf8.count
      if takesOld {
        before += words(old[change.old.upperBound])
        change.old = change.old.lowerBound..<change.old.upperBound + 1
      } else {
        after += words(new[change.new.upperBound])
        change.new = change.new.lowerBound..<change.new.upperBound + 1
      }
      guard before == after, !change.old.isEmpty, !change.new.isEmpty else { continue }
      changes.append(change)
      change = Change(
        old: change.old.upperBound..<change.old.upperBound, new: change.new.upperBound..<change.new.upperBound)
      (before, after) = ("", "")
    }
    changes.append(change)
    return changes.compactMap { change in
      let same = zip(old[change.old], new[change.new]).prefix { $0 == $1 }.count
      let rest = Change(old: change.old.dropFirst(same), new: change.new.dropFirst(same))
      return rest.old.isEmpty && rest.new.isEmpty ? nil : rest
    }
  }

  private static func text(_ old: [String], _ new: [String], _ chosen: ArraySlice<Change>) -> [UInt8] {
    var result: [UInt8] = []
    var next = 0
    for change in chosen {
      for line in old[next..<change.old.lowerBound] { result += line.utf8 }
      for line in new[change.new] { result += line.utf8 }
      next = change.old.upperBound
    }
    for line in old[next...] { result += line.utf8 }
    return result
  }
}
