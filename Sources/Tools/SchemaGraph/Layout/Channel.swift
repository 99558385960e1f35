/// The space between two columns. Vertical line segments are assigned to tracks so that they do not overlap.
struct Channel {
  struct Passage {
    /// The y coordinates of both ends.
    var start: Double
    var end: Double
    var returns = false
    /// Lines in the same group form a branching line.
    var group: Int?
  }

  static let trackWidth = 9.0
  /// The maximum vertical offset that is drawn as a slightly sloped line.
  static let slope = 4.0

  /// The track for each passage; `nil` if it needs none.
  private(set) var tracks: [Int?]
  private(set) var trackCount = 0

  init(_ passages: [Passage]) {
    tracks = Array(repeating: nil, count: passages.count)
    func rank(_ passage: Passage) -> (Int, Double) {
      if passage.returns { return (0, abs(passage.end - passage.start)) }
      // This order prevents crossings between lines that run in the same direction.
      return passage.end > passage.start ? (1, -passage.start) : (1, passage.start)
    }
    let order = passages.indices.filter {
      passages[$0].returns || abs(passages[$0].end - passages[$0].start) > Self.slope
    }
    .sorted { a, b in
      let (x, y) = (rank(passages[a]), rank(passages[b]))
      return x == y ? a < b : x < y
    }
    var used: [[ClosedRange<Double>]] = []
    var groups: [Int: Int] = [:]
    for index in order {
      let passage = passages[index]
      if let group = passage.group, let track = groups[group] {
        tracks[index] = track
        continue
      }
      let members = passage.group.map { group in passages.filter { $0.group == group } } ?? [passage]
      let start = (members.map { min($0.start, $0.end) }.min() ?? 0) - 5
      let end = (members.map { max($0.start, $0.end) }.max() ?? 0) + 5
      let range = start...end
      var track = 0
      while track < used.count, used[track].contains(where: { $0.overlaps(range) }) { track += 1 }
      if track == used.count { used.append([]) }
      used[track].append(range)
      tracks[index] = track
      if let group = passage.group { groups[group] = track }
    }
    trackCount = used.count
  }
}
