import Foundation
import TestSupport
import Trellis

/// A temporary folder that is removed after the test.
final class Scratch: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func file(_ name: String) -> URL { folder.appending(path: name) }

  var names: Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
  }
}

/// Random edits of keeps, the same for every store, and a description of all contents.
enum KeepWorld {
  static func container(_ configuration: any DataStoreConfiguration) throws -> ModelContainer {
    try ModelContainer(for: Keep.self, KeepScrew.self, configurations: configuration)
  }

  static func keeps(_ context: ModelContext) throws -> [Keep] {
    try context.fetch(FetchDescriptor<Keep>(sortBy: [SortDescriptor(\.code)]))
  }

  static func edit(_ context: ModelContext, _ number: Int, _ dice: inout SeededGenerator) throws {
    let all = try keeps(context)
    let tags = try context.fetch(FetchDescriptor<KeepTag>(sortBy: [SortDescriptor(\.word)]))
    guard let keep = all.isEmpty ? nil : dice.pick(all), dice.roll(5) > 0 else {
      let new = Keep(code: "k\(number)")
      fill(new, &dice)
      context.insert(new)
      return
    }
    switch dice.roll(12) {
    case 0: context.delete(keep)
    case 1: fill(keep, &dice)
    case 2: keep.parts.append(KeepPart(title: "part \(number)"))
    case 3:
      let screw = KeepScrew(title: "screw \(number)")
      screw.length = Double(number) / 3
      screw.nut = keep.parts.first
      keep.parts.append(screw)
    case 4: if !keep.parts.isEmpty { keep.parts.removeLast() }
    case 5: keep.tags.insert(KeepTag(word: "tag \(number)"), at: dice.roll(keep.tags.count + 1))
    case 6: keep.tags = tags.shuffled(using: &dice).filter { _ in dice.roll(2) == 0 }
    case 7: if let tag = tags.first { context.delete(tag) }
    case 8: keep.friends = all.filter { _ in dice.roll(3) == 0 }
    case 9: keep.lid = KeepLid(color: "lid \(number)", keep: keep)
    case 10: if let lid = keep.lid { context.delete(lid) }
    default: keep.tags.reverse()
    }
  }

  private static func fill(_ keep: Keep, _ dice: inout SeededGenerator) {
    keep.count = dice.pick([0, 1, -1, .max, .min])
    keep.size = dice.pick([0, -0.0, 0.1, 1e300, .infinity, -.infinity, .leastNonzeroMagnitude])
    keep.big = dice.pick([0, .max, 1 << 63])
    keep.price = dice.pick([nil, 0, Decimal(string: "12345678901234567890.123456789"), -1])
    keep.note = dice.pick([nil, "", "e\u{301} \"quoted\" \\ / \u{0}\r\n\t\u{1F4DA}", "Ålesund"])
    keep.date = dice.pick([nil, Date(timeIntervalSinceReferenceDate: 0.1), .distantPast])
    keep.uid = dice.pick([nil, UUID(uuidString: "8A1B3C5D-0000-4000-8000-0123456789AB")])
    keep.link = dice.pick([nil, URL(string: "https://example.com/a?b=c#d")])
    keep.data = dice.pick([nil, Data(), Data([0, 255, 1]), Data(repeating: 7, count: 140_000)])
    keep.mood = dice.pick(Keep.Mood.allCases)
    keep.origin = dice.pick([.unknown, .bought(price: 3), .found(place: "a\"b")])
    keep.scale = dice.pick([nil, Keep.Scale(width: 1.5), Keep.Scale(width: -0.0, height: 1e-300)])
    keep.frame = dice.pick([nil, Keep.Scale(width: 1.5), Keep.Scale(width: 2, height: 3)])
    keep.words = dice.pick([[], [""], ["a,b", "\"c\""]])
    keep.table = dice.pick([nil, [:], ["x": [1, 2], "": []]])
  }

  /// All values and relationships in a new context.
  static func text(_ container: ModelContainer) throws -> [String] {
    let context = ModelContext(container)
    var lines: [String] = []
    for keep in try keeps(context) {
      lines.append(
        """
        \(keep.code) \(keep.count) \(keep.size) \(keep.big) \(keep.price as Any) \
        \(keep.note.map { Array($0.utf8) } as Any) \
        \(keep.date?.timeIntervalSinceReferenceDate as Any) \(keep.uid as Any) \(keep.link as Any) \
        \(keep.data.map { [$0.count, $0.hashValue] } as Any) \(keep.mood) \(keep.origin) \
        \(keep.scale as Any) \(keep.frame as Any) \(keep.words) \
        \(keep.table?.sorted { $0.key < $1.key } as Any) \
        parts \(keep.parts.map(text).sorted()) tags \(keep.tags.map(\.word)) \
        friends \(keep.friends.map(\.code).sorted()) lid \(keep.lid?.color ?? "none")
        """)
    }
    for tag in try context.fetch(FetchDescriptor<KeepTag>(sortBy: [SortDescriptor(\.word)])) {
      lines.append("\(tag.word): \(tag.keeps.map(\.code).sorted())")
    }
    for part in try context.fetch(FetchDescriptor<KeepPart>(sortBy: [SortDescriptor(\.title)])) {
      lines.append("\(text(part)) of \(part.keep?.code ?? "none")")
    }
    for lid in try context.fetch(FetchDescriptor<KeepLid>(sortBy: [SortDescriptor(\.color)])) {
      lines.append("\(lid.color) on \(lid.keep.code)")
    }
    return lines
  }

  private static func text(_ part: KeepPart) -> String {
    guard let screw = part as? KeepScrew else { return part.title }
    return "\(screw.title) of \(screw.length) with \(screw.nut?.title ?? "none")"
  }
}
