import Foundation
import JSONStore
import TestSupport
import Testing
import Trellis

/// The example of a custom store in `Sources/Sample/JSONStore`. `StoreConformanceTests` runs the conformance suite.
@Suite struct JSONFileStoreTests {
  private let scratch: Scratch
  private var file: URL { scratch.file("keeps.json") }
  private var text: String { get throws { try String(contentsOf: file, encoding: .utf8) } }

  init() throws { scratch = try Scratch() }

  private func open(
    _ models: [any PersistentModel.Type] = [Keep.self, KeepScrew.self],
    version: Schema.Version = Schema.Version(1, 0, 0), historyLimit: Int = 1_000,
    migrate: JSONFileConfiguration.Migration? = nil
  ) throws -> ModelContext {
    var configuration = JSONFileConfiguration(url: file, migrate: migrate)
    configuration.historyLimit = historyLimit
    return ModelContext(
      try ModelContainer(for: Schema(models, version: version), configurations: [configuration]))
  }

  private func history(_ context: ModelContext) throws -> [JSONFileTransaction] {
    try context.fetchHistory(HistoryDescriptor<JSONFileTransaction>())
  }

  @Test func theExampleIsShort() throws {
    let folder = Repository.root.appending(path: "Sources/Sample/JSONStore").path
    var lines = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      lines += try Repository.text("Sources/Sample/JSONStore/\(name)").count { $0 == "\n" }
    }
    #expect((1...500).contains(lines))
  }

  /// The file is opened again after each save. Rule violations must match as well.
  @Test func randomEditsMatchADatabase() throws {
    var dice = SeededGenerator(seed: SeededGenerator.seed())
    let database = try KeepWorld.container(ModelConfiguration(isStoredInMemoryOnly: true))
    var json = try KeepWorld.container(JSONFileConfiguration(url: file))
    var contexts = [ModelContext(database), ModelContext(json)]
    var saves = 0
    for number in 0..<Repetitions.scaled(60, upTo: 400) {
      let before = dice
      for context in contexts {
        dice = before
        try KeepWorld.edit(context, number, &dice)
      }
      guard dice.roll(3) == 0 else { continue }
      let isSaved = contexts.map { context in
        do {
          try context.save()
          return true
        } catch {
          context.rollback()
          return false
        }
      }
      #expect(isSaved[0] == isSaved[1], "after edit \(number)")
      saves += isSaved[0] ? 1 : 0
      json = try KeepWorld.container(JSONFileConfiguration(url: file))
      contexts[1] = ModelContext(json)
      let (seen, expected) = (try KeepWorld.text(json), try KeepWorld.text(database))
      #expect(seen == expected, "after edit \(number)")
      guard seen == expected else { return }
    }
    #expect(saves > 5)
  }

  @Test func theHistoryIsKept() throws {
    let context = try open(Self.loans)
    context.author = "me"
    let loan = Loan(reader: "Ida", due: Date(timeIntervalSinceReferenceDate: 0.1), fee: .nan)
    context.insert(loan)
    try context.save()
    (loan.note, loan.fee) = ("late", .nan)
    try context.save()
    context.delete(loan)
    try context.save()
    let identifier = loan.persistentModelID
    let found = try history(open(Self.loans))
    #expect(found == (try history(context)))
    #expect(found.map(\.author) == ["me", "me", "me"])
    #expect(found.flatMap(\.changes).map(\.changedPersistentIdentifier) == [identifier, identifier, identifier])
    guard case .insert(let insert) = found[0].changes[0], case .update(let update) = found[1].changes[0],
      case .delete(let delete) = found[2].changes[0]
    else {
      Issue.record("\(found)")
      return
    }
    #expect(insert is any HistoryInsert<Loan>)
    #expect((update as? JSONFileChange<Loan>)?.updatedAttributes.map { $0 == \Loan.note } == [true])
    let tombstone = (delete as? JSONFileChange<Loan>)?.tombstone
    #expect(tombstone?[\.reader] as? String == "Ida")
    #expect(tombstone?[\.due] as? Date == Date(timeIntervalSinceReferenceDate: 0.1))
    #expect((tombstone?[\.fee] as? Decimal)?.isNaN == true)
    #expect(tombstone?[\.note] == nil)
    #expect(try !text.contains("late"))
  }

  private static let loans: [any PersistentModel.Type] = [Loan.self]

  @Test func theHistoryHasALimit() throws {
    let context = try open(historyLimit: 2)
    var tokens: [JSONFileToken] = []
    for code in ["a", "b", "c"] {
      context.insert(Keep(code: code))
      try context.save()
      tokens += try history(context).suffix(1).map(\.token)
    }
    #expect(try history(context).map(\.token) == Array(tokens.suffix(2)))
    func since(_ token: JSONFileToken) throws -> Int {
      try context.fetchHistory(HistoryDescriptor<JSONFileTransaction>(predicate: #Predicate { $0.token > token })).count
    }
    #expect(try since(tokens[0]) == 2)
    context.insert(Keep(code: "d"))
    try context.save()
    #expect(throws: SwiftDataError.historyTokenExpired) { try since(tokens[0]) }
    try context.container.erase()
    #expect(throws: SwiftDataError.historyTokenExpired) { try since(tokens[2]) }
    #expect(try KeepWorld.keeps(open()).isEmpty)
  }

  // MARK: Versions

  private static let second = Schema.Version(2, 0, 0)

  /// A file whose tags have a `label` instead of a `word`, and additionally a `shape`.
  ///
  /// - Returns: The token of the file's last transaction.
  @discardableResult private func writeFirstVersion() throws -> JSONFileToken {
    let context = try open([KeepTag.self])
    for word in ["red", "blue", "no"] { context.insert(KeepTag(word: word)) }
    let keep = Keep(code: "a")
    keep.price = Decimal(string: "12345678901234567890.123456789")
    (keep.size, keep.count, keep.big, keep.date) = (1e300, .min, .max, Date(timeIntervalSinceReferenceDate: 0.1))
    keep.tags = try context.fetch(FetchDescriptor<KeepTag>(sortBy: [SortDescriptor(\.word, order: .reverse)]))
    context.insert(keep)
    try context.save()
    let token = try #require(history(context).last?.token)
    let old = try text.replacing("\"word\" :", with: "\"shape\" : [1.5], \"label\" :")
    try old.replacing("\"word\"", with: "\"label\"").write(to: file, atomically: false, encoding: .utf8)
    return token
  }

  private static let migration: JSONFileConfiguration.Migration = { version, entity, tag in
    guard entity == "KeepTag", version < Schema.Version(2, 0, 0) else { return }
    let word = tag?.removeValue(forKey: "label")
    tag?["word"] = word
    tag?["shape"] = nil
  }

  @Test func theStoreMigratesItself() throws {
    let token = try writeFirstVersion()
    for _ in 0..<2 {
      let context = try open([KeepTag.self], version: Self.second, migrate: Self.migration)
      let keep = try #require(try KeepWorld.keeps(context).first)
      #expect(keep.tags.map(\.word) == ["red", "no", "blue"])
      #expect(keep.price == Decimal(string: "12345678901234567890.123456789"))
      #expect(keep.size == 1e300 && keep.count == .min && keep.big == .max)
      #expect(keep.date == Date(timeIntervalSinceReferenceDate: 0.1))
      #expect(try history(context).isEmpty)
      #expect(throws: SwiftDataError.historyTokenExpired) {
        try context.fetchHistory(HistoryDescriptor<JSONFileTransaction>(predicate: #Predicate { $0.token > token }))
      }
    }
    #expect(throws: JSONFileError.newerVersion(path: file.path, version: Self.second)) { try open([KeepTag.self]) }
  }

  @Test func migrationsCanDeleteModels() throws {
    try writeFirstVersion()
    let context = try open([KeepTag.self], version: Self.second) { version, entity, model in
      try Self.migration(version, entity, &model)
      if entity == "Keep" { model?["tags"] = .array([]) }
      if model?["word"] == .string("no") { model = nil }
    }
    let tags = try context.fetch(FetchDescriptor<KeepTag>(sortBy: [SortDescriptor(\.word)]))
    #expect(tags.map(\.word) == ["blue", "red"])
  }

  /// Nothing is lost: the program must specify where the values go.
  @Test func unknownValuesAreRejected() throws {
    try writeFirstVersion()
    let before = try text
    let names = ["KeepTag.label", "KeepTag.shape"]
    func expect(
      _ error: JSONFileError, _ version: Schema.Version, _ migrate: JSONFileConfiguration.Migration? = nil
    ) throws {
      #expect(throws: error) { try open([KeepTag.self], version: version, migrate: migrate) }
      #expect(try text == before)
    }
    try expect(.unknownProperties(path: file.path, names: ["KeepTag.label"]), Schema.Version(1, 0, 0))
    try expect(.needsMigration(path: file.path, version: Schema.Version(1, 0, 0)), Self.second)
    try expect(.unknownProperties(path: file.path, names: names), Self.second) { _, _, _ in }
    try expect(.unknownProperties(path: file.path, names: ["KeepTag.shape"]), Self.second) { _, _, model in
      if let word = model?.removeValue(forKey: "label") { model?["word"] = word }
    }
    // The file contains models that the program does not have.
    #expect(throws: JSONFileError.self) { try open([Grain.self]) }
    #expect(try text == before)
  }

  // MARK: Other programs

  @Test func externalEditsAreSeen_andDamageIsReported() throws {
    let context = try open()
    context.insert(Keep(code: "mine"))
    try context.save()
    let good = try text
    try good.replacing("\"mine\"", with: "\"edited\"").write(to: file, atomically: false, encoding: .utf8)
    #expect(try KeepWorld.keeps(ModelContext(context.container)).map(\.code) == ["edited"])
    try good.dropLast(9).description.write(to: file, atomically: false, encoding: .utf8)
    context.insert(Keep(code: "lost"))
    #expect(throws: JSONFileError.self) { try context.save() }
    #expect(throws: JSONFileError.self) { try open() }
    #expect(try text == good.dropLast(9))
    try good.write(to: file, atomically: false, encoding: .utf8)
    try context.save()
    #expect(try KeepWorld.keeps(open()).map(\.code) == ["lost", "mine"])
    // The file of another store.
    try good.replacing("\"identifier\" : \"", with: "\"identifier\" : \"X").write(
      to: file, atomically: false, encoding: .utf8)
    #expect(throws: JSONFileError.self) { try KeepWorld.keeps(ModelContext(context.container)) }
  }

  @Test func modelsDeletedByAnotherContainerAreNotSaved() throws {
    let context = try open()
    let keep = Keep(code: "a")
    context.insert(keep)
    try context.save()
    let other = try open()
    for keep in try KeepWorld.keeps(other) { other.delete(keep) }
    try other.save()
    keep.count = 2
    #expect(throws: (any Error).self) { try context.save() }
    #expect(try KeepWorld.keeps(open()).isEmpty)
  }

  @Test func concurrentSavesOfContainersLoseNothing() async throws {
    let (threads, saves) = (4, 10)
    let url = file
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<threads {
        group.addTask {
          let container = try ModelContainer(for: KeepTag.self, configurations: JSONFileConfiguration(url: url))
          for save in 0..<saves {
            let context = ModelContext(container)
            context.insert(KeepTag(word: "\(thread) \(save)"))
            try context.save()
          }
        }
      }
      try await group.waitForAll()
    }
    let context = try open()
    #expect(Set(try context.fetch(FetchDescriptor<KeepTag>()).map(\.word)).count == threads * saves)
    #expect(try history(context).count == threads * saves)
    #expect(scratch.names == ["keeps.json", "keeps.json.lock"])
  }

  @Test func savesKeepPermissionsAndSymbolicLinks() throws {
    let link = scratch.file("link.json")
    do {
      try open().save()
      #expect(chmod(file.path, 0o640) == 0)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    }
    let context = ModelContext(try KeepWorld.container(JSONFileConfiguration(url: link)))
    context.insert(Keep(code: "a"))
    try context.save()
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
    #expect(try KeepWorld.keeps(open()).map(\.code) == ["a"])
  }
}
