/// Suggestions for unknown words ("Did you mean").
enum Suggestion {
  /// The nearest candidate, if at most a third of the letters differ.
  static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased())
    var best: (word: String, distance: Int)?
    for candidate in candidates {
      let letters = Array(candidate.lowercased())
      guard abs(letters.count - wanted.count) <= max(1, letters.count / 3) else { continue }
      let distance = distance(wanted, letters)
      guard distance <= max(1, letters.count / 3), distance < best?.distance ?? .max else {
        continue
      }
      best = (candidate, distance)
    }
    return best?.word
  }

  /// The edit distance: the number of letters to insert, delete or replace.
  private static func distance(_ first: [Character], _ second: [Character]) -> Int {
    var previous = Array(0...second.count)
    for (row, letter) in first.enumerated() {
      var current = [row + 1]
      for (column, other) in second.enumerated() {
        current.append(
          min(
            previous[column] + (letter == other ? 0 : 1), previous[column + 1] + 1,
            current[column] + 1))
      }
      previous = current
    }
    return previous[second.count]
  }
}
