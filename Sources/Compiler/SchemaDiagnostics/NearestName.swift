/// "Did you mean": the one known name that an unknown one was probably meant to be.
package enum NearestName {
  /// The closest candidate at a distance of at most a third of the name's length.
  ///
  /// Upper and lower case count as equal first, so `string` finds `String`. Ties go to the
  /// candidate that comes first, so the answer does not depend on anything but the input.
  package static func find(_ name: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().utf8.prefix(maximumLength))
    let limit = max(wanted.count / 3, wanted.count >= 2 ? 1 : 0)
    var best: (name: String, distance: Int)?
    for candidate in candidates where candidate != name {
      // Most candidates differ in length; making them lower case is the expensive part.
      guard abs(candidate.utf8.count - name.utf8.count) <= limit || wanted.count == maximumLength
      else { continue }
      let other = Array(candidate.lowercased().utf8.prefix(maximumLength))
      guard abs(other.count - wanted.count) <= limit else { continue }
      let allowed = min(limit, (best?.distance ?? limit + 1) - 1)
      guard allowed >= 0, let distance = distance(wanted, other, atMost: allowed) else { continue }
      // A two-letter name that differs in one letter is another name.
      if wanted.count < 3, distance > 0 { continue }
      best = (candidate, distance)
      if distance == 0 { break }
    }
    return best?.name
  }

  /// The closest candidate, or the only one that a name abbreviates, as `Relation` does `Relationship`.
  package static func find(_ name: String, orBeginningOf candidates: [String]) -> String? {
    if let nearest = find(name, in: candidates) { return nearest }
    let wanted = name.lowercased()
    let longer = candidates.filter { $0.lowercased().hasPrefix(wanted) }
    return wanted.utf8.count >= 3 && longer.count == 1 ? longer[0] : nil
  }

  /// Names longer than this are compared by their beginning.
  private static let maximumLength = 64

  /// Insertions, deletions, replacements and swaps of neighbours; nil when there are more than
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
