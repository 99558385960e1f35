import Foundation
import SchemaDiagnostics
import SchemaModel
import Testing

@testable import SchemaGraph

/// Tests of the positions of cards and lines.
struct GraphLayoutTests {
  /// A reproducible random schema with the given number of models.
  static func schema(_ count: Int, seed: UInt64) throws -> ResolvedSchema {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state >> 33) % limit
    }
    var models = Array(repeating: "", count: count)
    for link in 0..<(count * 5 / 4) {
      let (a, b) = (random(count), random(count))
      let rule = ["nullify", "cascade", "deny", "noAction"][random(4)]
      switch random(4) {
      case 0:
        models[a] += "@Relationship(inverse: nil) var lonely\(link): M\(b)?\n"
      case 1 where a == b: models[a] += "@Relationship(inverse: \\M\(a).own\(link)) var own\(link): [M\(a)] = []\n"
      default:
        models[a] +=
          "@Relationship(deleteRule: .\(rule), inverse: \\M\(b).back\(link)) var forth\(link): [M\(b)] = []\n"
        models[b] += "var back\(link): M\(a)?\n"
      }
    }
    var text = "schema S 1.0.0\nenum K: String, Codable { case x }\n"
    for (index, body) in models.enumerated() {
      let fields = (0..<random(8)).map { "var value\($0)WithAName: String = \"\"\n" }.joined()
      // Classes with up to three levels.
      let parent = index > 0 && random(6) == 0 ? ": M\(index - 1)" : ""
      text += "@Model class M\(index)\(parent) {\n\(parent.isEmpty ? fields : "")\(body)}\n"
    }
    let compilation = SchemaCompiler.compile([SourceFile(path: "S.schema", text: text)])
    let errors = compilation.diagnostics.filter { $0.severity == .error }.map(\.message)
    #expect(errors.isEmpty, "\(errors.prefix(3)) \(text.prefix(600))")
    return try #require(compilation.schemas.first)
  }

  @Test(arguments: [(1, 1), (3, 2), (12, 3), (30, 4), (30, 5), (80, 6), (150, 7)] as [(Int, UInt64)])
  func cardsDoNotOverlap(_ count: Int, _ seed: UInt64) throws {
    let diagram = Diagram([try Self.schema(count, seed: seed)])
    let layout = DiagramLayout(diagram)
    let page = Rectangle(x: 0, y: 0, width: layout.width, height: layout.height)
    for (index, frame) in layout.frames.enumerated() {
      #expect(page.contains(frame))
      for other in layout.frames[(index + 1)...] { #expect(!frame.overlaps(other), "\(seed)") }
    }
    for (edge, corners) in zip(diagram.edges, layout.paths) {
      guard edge.kind != .use else {
        #expect(corners.isEmpty)
        continue
      }
      let (first, last) = (try #require(corners.first), try #require(corners.last))
      #expect(Self.touches(layout.frames[edge.from], first))
      #expect(Self.touches(layout.frames[edge.to], last))
      for (a, b) in zip(corners, corners.dropFirst()) {
        // Ignore the borders of the line's own cards.
        let box = Rectangle(
          x: min(a.x, b.x) + 0.5, y: min(a.y, b.y) + 0.5, width: abs(a.x - b.x) - 1, height: abs(a.y - b.y) - 1)
        let line = Rectangle(x: box.x, y: box.y, width: max(box.width, 0), height: max(box.height, 0))
        #expect(page.contains(line))
        for frame in layout.frames { #expect(!frame.overlaps(line), "\(seed): \(edge)") }
      }
    }
  }

  private static func touches(_ frame: Rectangle, _ point: Point) -> Bool {
    abs(point.x - frame.x) < 1 || abs(point.x - frame.right) < 1
      ? point.y > frame.y && point.y < frame.bottom : false
  }

  /// Lines of a channel that overlap vertically have separate tracks.
  @Test func linesUseSeparateTracks() {
    let passages = [(0.0, 100.0), (10, 110), (50, 20), (120, 300), (100, 0), (7, 9)].map {
      Channel.Passage(start: $0.0, end: $0.1)
    }
    let channel = Channel(passages)
    #expect(channel.tracks[5] == nil)
    for a in passages.indices.dropLast() {
      for b in passages.indices.dropLast() where a < b && channel.tracks[a] == channel.tracks[b] {
        let (x, y) = (passages[a], passages[b])
        #expect(max(x.start, x.end) < min(y.start, y.end) || max(y.start, y.end) < min(x.start, x.end))
      }
    }
  }

  @Test func inversionsAreCounted() {
    let cases: [([Double], Int)] = [
      ([], 0), ([1], 0), ([1, 1], 0), ([2, 1], 1), ([3, 2, 1], 3), ([2, 3, 1, 5, 4], 3),
    ]
    for (values, count) in cases { #expect(CrossingReduction.inversions(values) == count) }
  }

  @Test func cyclesAreLaidOutInColumns() {
    // 0 → 1 → 2 → 0, and 2 → 3.
    let layers = Layering(
      heights: [10, 10, 10, 10], links: [(0, 1), (1, 2), (2, 0), (2, 3)], limit: 10
    ).layers
    #expect(Set(layers).count == 4)
    #expect(layers[1] != layers[0] && layers[1] != layers[2])
  }

  @Test func largeFamiliesAreSplitIntoColumns() {
    let layers = Layering(
      heights: Array(repeating: 10, count: 41), links: (1...40).map { (0, $0) }, limit: 100
    ).layers
    let columns = Dictionary(grouping: layers, by: { $0 }).values.map(\.count)
    #expect((columns.max() ?? 0) <= 10)
    // There are nodes in layers on both sides of node 0.
    #expect(layers.contains { $0 < layers[0] } && layers.contains { $0 > layers[0] })
  }

  @Test func layoutIsDeterministic() throws {
    let schema = try Self.schema(40, seed: 11)
    #expect(DiagramPage(Diagram([schema])).text == DiagramPage(Diagram([schema])).text)
  }

  @Test func largeSchemasAreLaidOutQuickly() throws {
    let diagram = Diagram([try Self.schema(400, seed: 12)])
    // Returns the CPU time of this thread, which excludes other tests and processes.
    func now() -> Duration {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
    }
    let start = now()
    _ = DiagramLayout(diagram)
    #expect(now() - start < .seconds(20))
  }
}
