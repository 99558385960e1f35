import Foundation
import TestSupport
import Testing
import Trellis
import TrellisJSON

@Suite struct JSONFileStoreTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private func container(_ name: String = "keeps.json") throws -> ModelContainer {
    try KeepWorld.container(JSONFileConfiguration(url: scratch.file(name)))
  }

  private func bytes(_ name: String = "keeps.json") -> Data? {
    try? Data(contentsOf: scratch.file(name))
  }

  private func save(_ codes: String..., in container: ModelContainer) throws {
    let context = ModelContext(container)
    for code in codes { context.insert(Keep(code: code)) }
    try context.save()
  }

  private func problem(_ name: String = "keeps.json") -> StoreProblem? {
    do {
      _ = try container(name)
      return nil
    } catch {
      return (error as? SwiftDataError)?.storeProblem
    }
  }

  // MARK: Contents

  /// Applies random edits to a SQLite store and to a JSON file that is reopened repeatedly.
  @Test func isTheSameAsADatabase() throws {
    var dice = SeededGenerator(seed: SeededGenerator.seed())
    let (worlds, edits) = Repetitions.isThorough ? (3, 120) : (1, 40)
    for world in 0..<worlds {
      let name = "world \(world).json"
      let database = try KeepWorld.container(ModelConfiguration(isStoredInMemoryOnly: true))
      var json = try container(name)
      var contexts = [ModelContext(database), ModelContext(json)]
      for number in 0..<edits {
        let before = dice
        for context in contexts {
          dice = before
          try KeepWorld.edit(context, number, &dice)
        }
        guard dice.roll(4) == 0 else { continue }
        if dice.roll(6) == 0 {
          for context in contexts { context.rollback() }
          continue
        }
        // Violations of schema rules must be equal in both.
        let outcomes = contexts.map { context in
          do {
            try context.save()
            return "saved"
          } catch {
            context.rollback()
            return "\(error)"
          }
        }
        #expect(outcomes[0].hasPrefix("saved") == outcomes[1].hasPrefix("saved"), "\(outcomes)")
        if dice.roll(4) == 0 {
          contexts.removeLast()
          json = try container("another.json")
          #expect(OpenFile(scratch.file(name)).isFree)
          json = try container(name)
          contexts.append(ModelContext(json))
        }
        #expect(try KeepWorld.text(json) == KeepWorld.text(database), "world \(world), edit \(number)")
      }
    }
  }

  @Test func isReadable() throws {
    let context = ModelContext(try container())
    let keep = Keep(code: "Tromsø/1")
    keep.size = 1.5
    keep.tags = [KeepTag(word: "b"), KeepTag(word: "a")]
    let screw = KeepScrew(title: "screw")
    screw.length = 2
    keep.parts = [screw]
    context.insert(keep)
    try context.save()
    let text = String(decoding: try #require(bytes()), as: UTF8.self)
    let identifier = try #require(context.container.storeIdentifier(forConfigurationNamed: "keeps"))
    #expect(
      text == """
        {
        "format": "trellis models",
        "version": 1,
        "identifier": "\(identifier)",
        "nextKeys": {"$history":1,"Keep":2,"KeepPart":2,"KeepTag":3},
        "models": {
        "Keep": [
        {"$id":1,"big":0,"code":"Tromsø/1","count":0,"mood":"calm","origin":{"unknown":{}},"size":1.5,"tags":[1,2],"words":[]}
        ],
        "KeepScrew": [
        {"$id":1,"keep":1,"length":2,"title":"screw"}
        ],
        "KeepTag": [
        {"$id":1,"keeps":[1],"word":"b"},
        {"$id":2,"keeps":[1],"word":"a"}
        ]
        }
        }

        """)
  }

  @Test func keysAreNotUsedAgain() throws {
    var last: PersistentIdentifier?
    for _ in 0..<3 {
      let context = ModelContext(try container())
      let keep = Keep(code: "x")
      context.insert(keep)
      try context.save()
      #expect(last.map { $0 < keep.persistentModelID } != false)
      #expect(last?.storeIdentifier == nil || last?.storeIdentifier == keep.persistentModelID.storeIdentifier)
      last = keep.persistentModelID
      context.delete(keep)
      try context.save()
    }
  }

  @Test func uniqueValuesAreThoseOfTheFile() throws {
    try save("a", "b", in: container())
    let container = try container()
    let context = ModelContext(container)
    let again = Keep(code: "a")
    again.count = 7
    context.insert(again)
    try context.save()
    #expect(try KeepWorld.keeps(ModelContext(container)).map(\.count) == [7, 0])
  }

  @Test func containersOfOneFileShareIt() throws {
    let first = try container()
    let second = try container()
    try save("a", in: first)
    #expect(try KeepWorld.keeps(ModelContext(second)).map(\.code) == ["a"])
    try save("b", in: second)
    #expect(try KeepWorld.keeps(ModelContext(first)).map(\.code) == ["a", "b"])
  }

  @Test func batchesReachTheFile() throws {
    do {
      let context = ModelContext(try container())
      try context.insert(contentsOf: (0..<50).map { Keep.Snapshot(code: "k\($0)", count: $0) })
      let keeps = try context.fetchIdentifiers(FetchDescriptor<Keep>())
      try context.insert(
        contentsOf: (0..<50).map { KeepPart.Snapshot(title: "p\($0)", keep: keeps[$0 % 7]) })
      try context.upsert(
        contentsOf: (40..<60).map { Keep.Snapshot(code: "k\($0)", count: -$0) })
    }
    let context = ModelContext(try container())
    let keeps = try KeepWorld.keeps(context)
    #expect(keeps.count == 60)
    #expect(keeps.first { $0.code == "k45" }?.count == -45)
    #expect(keeps.reduce(0) { $0 + $1.parts.count } == 50)
    // An error during a save leaves the file unchanged.
    let before = bytes()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try context.insert(
        contentsOf: (0..<9_000).lazy.map { Keep.Snapshot(code: "x\($0)") }
      ) { _ in throw Stop() }
    }
    #expect(bytes() == before)
  }

  @Test func erasing() throws {
    let container = try container()
    try save("a", "b", in: container)
    try container.erase()
    #expect(try KeepWorld.keeps(ModelContext(self.container())).isEmpty)
    #expect(bytes("keeps.json.previous").map { String(decoding: $0, as: UTF8.self).contains("\"a\"") } == true)
  }

  // MARK: Safety

  @Test func thePreviousFileIsKept() throws {
    let container = try container()
    try save("a", in: container)
    let before = bytes()
    #expect(!scratch.names.contains("keeps.json.previous"))
    try save("b", in: container)
    #expect(bytes("keeps.json.previous") == before)
    #expect(scratch.names == ["keeps.json", "keeps.json.history", "keeps.json.previous", "keeps.json.lock"])
  }

  @Test func nothingIsWrittenForNothing() throws {
    let container = try container()
    #expect(bytes() == nil)
    let context = ModelContext(container)
    try context.save()
    let keep = Keep(code: "a")
    context.insert(keep)
    context.delete(keep)
    try context.save()
    #expect(bytes() == nil)
  }

  /// Truncated files and files with a missing byte.
  @Test func aDamagedFileIsReportedAndStays() throws {
    try { try save("a", "b", in: container()) }()
    let whole = try #require(bytes())
    let closings = "}\n}\n".utf8.count
    for length in stride(from: 0, to: whole.count - closings, by: 7) {
      let damaged = whole.prefix(length)
      try damaged.write(to: scratch.file("damaged.json"))
      #expect(problem("damaged.json") == .damaged, "the first \(length) bytes")
      #expect(bytes("damaged.json") == damaged)
    }
    for place in stride(from: 0, to: whole.count, by: 5) {
      var damaged = whole
      damaged.remove(at: place)
      try damaged.write(to: scratch.file("damaged.json"))
      _ = try? container("damaged.json")
      #expect(bytes("damaged.json") == damaged)
    }
  }

  @Test(arguments: [
    ("{\"format\": \"other\"}", StoreProblem.foreign),
    ("{\"some\": \"thing\"}", .foreign),
    ("[1, 2]", .damaged),
    ("{\"format\": \"trellis models\", \"version\": 2}", .newerFormat),
    (file("\"Gone\": []"), .differentSchema),
    (file("\"Keep\": [{\"$id\": 1, \"code\": \"a\", \"colour\": 1}]"), .differentSchema),
    (file("\"Keep\": [{\"$id\": 1}]"), .damaged),
    (file("\"Keep\": [{\"code\": \"a\"}]"), .damaged),
    (file("\"Keep\": [{\"$id\": 1, \"code\": 7}]"), .damaged),
    (file("\"Keep\": [{\"$id\": 1, \"code\": null}]"), .damaged),
    (file("\"Keep\": [{\"$id\": 1, \"code\": \"a\", \"mood\": \"odd\"}]"), .damaged),
    (file("\"Keep\": [{\"$id\": 1, \"code\": \"a\"}, {\"$id\": 1, \"code\": \"b\"}]"), .damaged),
    (file("\"Keep\": [{\"$id\": 1, \"code\": \"a\"}, {\"$id\": 2, \"code\": \"a\"}]"), .damaged),
    (file("\"Keep\": [{\"$id\": 1, \"code\": \"a\", \"lid\": 9}]"), .damaged),
    (file("\"Keep\": [{\"$id\": 1, \"code\": \"a\", \"tags\": [9]}]"), .damaged),
    (file("\"KeepLid\": [{\"$id\": 1, \"color\": \"red\"}]"), .damaged),
    (file("\"Keep\": [{\"$id\": 1, \"code\": \"a\"}], \"Keep\": [{\"$id\": 2, \"code\": \"b\"}]"), .damaged),
    (file("\"Keep\": [{\"$id\": 1, \"code\": \"a\", \"cod\\u0065\": \"b\"}]"), .damaged),
    (
      file("\"Keep\": [{\"$id\": 1, \"code\": \"a\", \"parts\": [1]}], \"KeepPart\": [{\"$id\": 1, \"title\": \"b\"}]"),
      .damaged
    ),
    (
      file(
        "\"Keep\": [{\"$id\": 1, \"code\": \"a\"}], \"KeepLid\": [{\"$id\": 1, \"color\": \"red\", \"keep\": 1}, {\"$id\": 2, \"color\": \"red\", \"keep\": 1}]"
      ), .damaged
    ),
    (file("}, \"comment\": {"), .differentSchema),
  ])
  func aFileThatDoesNotFitStays(text: String, problem expected: StoreProblem) throws {
    try text.write(to: scratch.file(), atomically: true, encoding: .utf8)
    #expect(problem() == expected)
    #expect(bytes() == Data(text.utf8))
  }

  private static func file(_ models: String) -> String {
    "{\"format\":\"trellis models\",\"version\":1,\"identifier\":\"X\",\"models\":{\(models)}}"
  }

  /// A new property has its default value; an omitted value is nil.
  @Test func whatIsNotThereHasItsDefault() throws {
    let text = Self.file("\"Keep\": [{\"$id\": 4, \"code\": \"a\"}], \"KeepPart\": []")
    try text.write(to: scratch.file(), atomically: true, encoding: .utf8)
    let keep = try #require(KeepWorld.keeps(ModelContext(container())).first)
    #expect(keep.count == 0 && keep.mood == .calm && keep.note == nil && keep.words == [])
  }

  /// One end of a relationship in the file is sufficient; the other one is derived.
  @Test func oneEndOfAPairIsEnough() throws {
    let text = Self.file(
      "\"Keep\": [{\"$id\": 1, \"code\": \"a\"}], \"KeepLid\": [{\"$id\": 2, \"color\": \"red\", \"keep\": 1}]")
    try text.write(to: scratch.file(), atomically: true, encoding: .utf8)
    let context = ModelContext(try container())
    let keep = try #require(KeepWorld.keeps(context).first)
    #expect(keep.lid?.color == "red" && keep.lid?.keep === keep)
  }

  /// A decimal that JSON cannot express as a number is preserved.
  @Test func aDecimalThatIsNoNumberComesBack() throws {
    try {
      let context = ModelContext(try container())
      let keep = Keep(code: "a")
      keep.price = .nan
      context.insert(keep)
      try context.save()
    }()
    let context = ModelContext(try container())
    #expect(try KeepWorld.keeps(context).first?.price?.isNaN == true)
  }

  /// A symbolic link with the name of the temporary file is not followed.
  @Test func aLinkInTheWayIsNotFollowed() throws {
    let other = scratch.file("other.txt")
    try "theirs".write(to: other, atomically: true, encoding: .utf8)
    try FileManager.default.createSymbolicLink(
      at: scratch.file("keeps.json.new"), withDestinationURL: other)
    try save("a", in: container())
    #expect(try String(contentsOf: other, encoding: .utf8) == "theirs")
    #expect(bytes() != nil)
  }

  @Test func whatSomebodyElseHasWrittenIsNotOverwritten() throws {
    let container = try container()
    try save("a", in: container)
    let context = ModelContext(container)
    let edited = try String(contentsOf: scratch.file(), encoding: .utf8)
      .replacing("\"count\":0", with: "\"count\":5")
    try edited.write(to: scratch.file(), atomically: true, encoding: .utf8)
    context.insert(Keep(code: "b"))
    #expect {
      try context.save()
    } throws: { ($0 as? SwiftDataError)?.storeProblem == .drifted }
    #expect(context.hasChanges)
    #expect(bytes() == Data(edited.utf8))
    #expect(try KeepWorld.keeps(ModelContext(container)).map(\.code) == ["a"])
  }

  @Test func aFileThatCannotBeWrittenFailsTheSave() throws {
    let container = try container()
    try save("a", in: container)
    let before = bytes()
    let obstacle = scratch.file("keeps.json.new")
    try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
    let context = ModelContext(container)
    context.insert(Keep(code: "b"))
    #expect {
      try context.save()
    } throws: { ($0 as? SwiftDataError)?.storeProblem == .notWritable }
    #expect(bytes() == before)
    #expect(try KeepWorld.keeps(ModelContext(container)).map(\.code) == ["a"])
    try FileManager.default.removeItem(at: obstacle)
    try context.save()
    #expect(try KeepWorld.keeps(ModelContext(container)).map(\.code) == ["a", "b"])
    #expect(bytes("keeps.json.previous") == before)
  }

  @Test func aFailedSaveWritesNothing() throws {
    let container = try container()
    try save("a", in: container)
    let before = bytes()
    let context = ModelContext(container)
    context.insert(Keep(code: "b"))
    context.insert(KeepLid(color: "none", keep: Keep(code: "c")))
    // Another container with the file, which is not notified.
    let other = ModelContext(try self.container())
    let gone = try #require(KeepWorld.keeps(other).first)
    let mine = try #require(KeepWorld.keeps(context).first { $0.code == "a" })
    other.delete(gone)
    try other.save()
    let after = bytes()
    #expect(after != before)
    mine.count = 3
    #expect(throws: SwiftDataError.self) { try context.save() }
    #expect(bytes() == after)
  }

  // MARK: Locks

  @Test func anotherProgramHasToWait() throws {
    let lock = open(scratch.file("keeps.json.lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    defer { close(lock) }
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    #expect(problem() == .locked)
    flock(lock, LOCK_UN)
    let container = try container()
    #expect(flock(lock, LOCK_EX | LOCK_NB) != 0)
    try save("a", in: container)
    let reading = JSONFileConfiguration(url: scratch.file(), allowsSave: false)
    #expect(try KeepWorld.keeps(ModelContext(KeepWorld.container(reading))).map(\.code) == ["a"])
  }

  @Test func theLockGoesWithTheContainer() throws {
    do { try save("a", in: container()) }
    #expect(OpenFile(scratch.file()).isFree)
  }

  /// Tests the lock of a file like another program.
  private struct OpenFile {
    let isFree: Bool

    init(_ file: URL) {
      let lock = open(file.path + ".lock", O_RDWR | O_CLOEXEC)
      isFree = lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0
      flock(lock, LOCK_UN)
      close(lock)
    }
  }

  @Test func oneProgramOneSchema() throws {
    let container = try container()
    defer { withExtendedLifetime(container) {} }
    #expect {
      try ModelContainer(
        for: KeepTag.self, KeepScrew.self, KeepPart.self,
        configurations: JSONFileConfiguration(schema: Schema(), url: scratch.file()))
    } throws: { ($0 as? SwiftDataError) != nil }
  }

  @Test func onlyToBeRead() throws {
    #expect {
      try KeepWorld.container(JSONFileConfiguration(url: scratch.file(), allowsSave: false))
    } throws: { ($0 as? SwiftDataError)?.storeProblem == .missing }
    #expect(scratch.names.isEmpty)
    do { try save("a", in: container()) }
    let before = bytes()
    let container = try KeepWorld.container(
      JSONFileConfiguration(url: scratch.file(), allowsSave: false))
    #expect(throws: SwiftDataError.self) { try save("b", in: container) }
    #expect(throws: SwiftDataError.self) { try container.erase() }
    #expect(bytes() == before)
  }

  @Test func twoConfigurationsOfOneFile() throws {
    #expect(throws: SwiftDataError.duplicateConfiguration) {
      try ModelContainer(
        for: Schema(Keep.self),
        configurations: [
          JSONFileConfiguration("a", schema: Schema(Keep.self), url: scratch.file()),
          JSONFileConfiguration("b", schema: Schema(KeepTag.self), url: scratch.file()),
        ])
    }
  }

  @Test func symbolicLinksStay() throws {
    try FileManager.default.createSymbolicLink(
      at: scratch.file("link.json"), withDestinationURL: scratch.file())
    do { try save("a", in: container()) }
    do { try save("b", in: container("link.json")) }
    let attributes = try FileManager.default.attributesOfItem(atPath: scratch.file("link.json").path)
    #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
    #expect(try KeepWorld.keeps(ModelContext(container())).map(\.code) == ["a", "b"])
  }
}
