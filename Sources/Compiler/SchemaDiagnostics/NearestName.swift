/// Finds the known name that a misspelled name probably refers to.
package enum NearestName {
  /// Returns the closest candidate within a distance of at most a third of the name's length.
  ///
  /// Case is ignored, so `string` finds `String`. Among equally close candidates the first is returned, so that the
  /// result depends only on the input.
  package static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().utf8.prefix(maximumLength))
    let limit = max(wanted.count / 3, wanted.count >= 2 ? 1 : 0)
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
      // Most candidates differ in length, and lowercasing them is the expensive part.
      guard abs(candidate.utf8.count - name.utf8.count) <= limit || wanted.count == maximumLength
      else { continue }
      let other = Array(candidate.lowercased().utf8.prefix(maximumLength))
      guard abs(other.count - wanted.count) <= limit else { continue }
      let allowed = min(limit, (best?.distance ?? limit + 1) - 1)
      guard allowed >= 0, let distance = distance(wanted, other, atMost: allowed) else { continue }
      // A two-letter name that differs in a letter is a different name.
      if wanted.count < 3, distance > 0 { continue }
      best = (candidate, distance)
      if distance == 0 { break }
    }
    return best?.name
  }

  /// Returns the closest candidate, or the only candidate that the name abbreviates, as `Relation` does
  /// `Relationship`.
  package static func find(_ name: String, orBeginningOf candidates: [String]) -> String? {
    if let nearest = find(name, in: candidates) { return nearest }
    let wanted = name.lowercased()
    let longer = candidates.filter { $0.lowercased().hasPrefix(wanted) }
    return wanted.utf8.count >= 3 && longer.count == 1 ? longer[0] : nil
  }

  /// Longer names are compared by this many leading bytes.
  private static let maximumLength = 64

  /// Returns the number of insertions, deletions, replacements and swaps of adjacent bytes, or `nil` if it exceeds
  /// `limit`.
  private static func distance(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int? {
    if a == b { return 0 }
    if limit == 0 { return nil }
    var beforePrevious: [Int] = []
    var previous = Array(0...b.count)
    for i in 0..<a.count {
      var current = [i + 1]
      current.reserveCapacity(b.count + 1)
      var smallest = i + 1
      for j in 0..<b.count {
        var cost = min(previous[j + 1] + 1, current[j] + 1, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforePrevious[j - 1] + 1)
        }
        current.append(cost)
        smallest = min(smallest, cost)
      }
      if smallest > limit { return nil }
      beforePrevious = previous
      previous = current
    }
    let result = previous[b.count]
    return result <= limit ? result : nil
  }
}
