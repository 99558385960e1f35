import Foundation
import Testing
import Trellis

/// Tests of conflicting values and relationships in all kinds of stores.
@MainActor @Suite struct ConflictValueTests {
  typealias Kind = ConflictPlace.Kind

  private static func fill(_ keep: Keep, _ turn: Int) {
    keep.count = turn
    keep.size = [Double.nan, -0.0, -Double.nan, .infinity][turn % 4]
    keep.big = .max - UInt64(turn)
    keep.price = Decimal(string: "1.50").map { $0 + Decimal(turn) }
    keep.note = "e\u{301} \(turn)"
    keep.date = Date(timeIntervalSinceReferenceDate: turn % 2 == 0 ? -0.0 : 0.1 + Double(turn))
    keep.uid = UUID()
    keep.link = URL(string: "a/\(turn)", relativeTo: URL(string: "https://example.com/"))
    keep.data = Data(repeating: UInt8(turn), count: turn % 2 == 0 ? 200_000 : 10)
    keep.mood = turn % 2 == 0 ? .wild : .calm
    keep.origin = .found(place: "\(turn)")
    keep.scale = Keep.Scale(width: Double(turn))
    // A property list does not preserve the sign of zero.
    keep.frame = Keep.Scale(width: Double(turn), height: 2.5)
    keep.words = ["\(turn)", "b"]
    keep.table = ["x": [turn], "y": [], "z": [1]]
  }

  private static let properties: Set<String> = [
    "count", "size", "big", "price", "note", "date", "uid", "link", "data", "mood", "origin", "scale", "frame",
    "words", "table",
  ]

  /// A value that a store does not preserve exactly is not a conflict.
  @Test(arguments: Kind.allCases) func valuesSavedByTheContextDoNotConflict(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    let keep = Keep(code: "a")
    place.mine.insert(keep)
    for turn in 0..<6 {
      Self.fill(keep, turn)
      let found = try place.conflicts()?.map(\.description)
      #expect(found == nil, "turn \(turn)")
    }
    // Fetched values are not a conflict either.
    let context = ModelContext(place.container)
    context.conflictPolicy = .fail
    for turn in 6..<10 {
      Self.fill(try place.keep(context), turn)
      try context.save()
    }
  }

  /// The encoded order of a set differs each time.
  @Test(arguments: Kind.allCases) func setsAreComparedWithoutOrder(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    func team(_ names: Range<Int>) -> Set<Permit.Holder> {
      Set(names.map { Permit.Holder(name: "n\($0)", mail: nil) })
    }
    let permit = Permit(name: "p")
    permit.team = team(0..<40)
    place.mine.insert(permit)
    for turn in 1..<20 {
      permit.team = team(turn..<(turn + 40))
      #expect(try place.conflicts()?.map(\.property) == nil)
    }
    let other = try #require(try place.other.fetch(FetchDescriptor<Permit>()).first)
    other.team?.remove(Permit.Holder(name: "n20", mail: nil))
    try place.other.save()
    permit.team = []
    #expect(try place.conflicts()?.map(\.property) == ["team"])
  }

  @Test(arguments: Kind.allCases) func everyKindOfValueCanConflict(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add { Self.fill($0, 1) }
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    Self.fill(other, 3)
    other.size = 1
    try place.other.save()
    Self.fill(mine, 2)
    let conflicts = try #require(try place.conflicts())
    #expect(Set(conflicts.map(\.property)) == Self.properties.subtracting(["mood"]))
    let stored = Dictionary(uniqueKeysWithValues: conflicts.map { ($0.property, $0.stored) })
    #expect(stored["frame"] as? Keep.Scale == Keep.Scale(width: 3, height: 2.5))
    #expect(stored["data"] as? Data == Data(repeating: 3, count: 10))
    #expect(stored["words"] as? [String] == ["3", "b"])
    #expect(conflicts.first { $0.property == "data" }?.new as? Data == Data(repeating: 2, count: 200_000))
  }

  @Test(arguments: [Kind.memory, .disk]) func movedModelsConflict(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    for code in ["a", "b", "c"] { try place.add(code) { if code == "a" { $0.parts = [KeepPart(title: "p")] } } }
    let part = try #require(try place.mine.fetch(FetchDescriptor<KeepPart>()).first)
    let new = try place.keep(place.mine, "c")
    let twin = try #require(try place.other.fetch(FetchDescriptor<KeepPart>()).first)
    try place.keep(place.other, "b").parts.append(twin)
    try place.other.save()
    new.parts.append(part)
    let conflict = try #require(try place.conflicts()?.first)
    #expect(conflict.model == part.persistentModelID && conflict.property == "keep")
    #expect(conflict.committed as? PersistentIdentifier == (try place.keep(place.mine, "a").persistentModelID))
    #expect(conflict.stored as? PersistentIdentifier == (try place.keep(place.mine, "b").persistentModelID))
    #expect(conflict.new as? PersistentIdentifier == new.persistentModelID)
    #expect(try place.stored("b") { $0.parts.count } == 1)
  }

  /// Members are added and removed individually, so no change is lost.
  @Test(arguments: [Kind.memory, .disk]) func membersOfListsAreMerged(_ kind: Kind) throws {
    let place = try ConflictPlace(kind)
    try place.add { $0.tags = [KeepTag(word: "x"), KeepTag(word: "y")] }
    try place.add("b")
    try place.add("c")
    let (mine, other) = (try place.keep(place.mine), try place.keep(place.other))
    #expect(mine.tags.count == 2 && other.tags.count == 2)
    other.tags.append(KeepTag(word: "z"))
    other.friends.append(try place.keep(place.other, "b"))
    other.parts.append(KeepPart(title: "p"))
    try place.other.save()
    mine.tags.removeFirst()
    mine.friends.append(try place.keep(place.mine, "c"))
    mine.parts.append(KeepPart(title: "q"))
    #expect(try place.conflicts() == nil)
    #expect(try place.stored { $0.tags.map(\.word) } == ["y", "z"])
    #expect(try place.stored { $0.friends.map(\.code).sorted() } == ["b", "c"])
    #expect(try place.stored { $0.parts.map(\.title).sorted() } == ["p", "q"])
  }
}
