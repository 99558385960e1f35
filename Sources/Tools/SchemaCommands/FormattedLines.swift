/// Of what formatting changes, the changes in some lines.
struct FormattedLines {
  /// Counted from 1.
  let lines: ClosedRange<Int>

  /// `12:20`, or `12` for one line.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard (1...2).contains(parts.count), let first = parts[0], let last = parts[parts.count - 1], first >= 1,
      last >= first
    else { return nil }
    lines = first...last
  }

  /// Lines of the old text, and those of the new one that take their place.
  private struct Change {
    var old: Range<Int>
    var new: Range<Int>

    /// What comes between two lines is about both.
    var lines: ClosedRange<Int> {
      old.isEmpty ? max(1, old.lowerBound)...old.lowerBound + 1 : old.lowerBound + 1...old.upperBound
    }
  }

  /// - Parameter format: the canonical form of a text; nil where it has none.
  func select(from old: [UInt8], to new: [UInt8], format: ([UInt8]) -> [UInt8]?) -> [UInt8] {
    let (before, after) = (UnifiedDiff.lines(old), UnifiedDiff.lines(new))
    let changes = Self.changes(before, after)
    guard let first = changes.firstIndex(where: { $0.lines.overlaps(lines) }),
      let last = changes.lastIndex(where: { $0.lines.overlaps(lines) })
    else { return old }
    var chosen = first..<last + 1
    while true {
      let text = Self.text(before, after, changes[chosen])
      // A word that moved to a line between two changes came with one and went with the other.
      if chosen == changes.indices || format(text) == new { return text }
      chosen = max(0, chosen.lowerBound - 1)..<min(changes.count, chosen.upperBound + 1)
    }
  }

  /// Cuts the texts wherever both have come to the same words, and leaves out what is the same.
  private static func changes(_ old: [String], _ new: [String]) -> [Change] {
    // Without what the formatter takes away or brings.
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
