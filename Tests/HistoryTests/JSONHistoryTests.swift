import Foundation
import TestSupport
import Testing
import Trellis
import TrellisJSON

/// The history of a JSON file, which is a separate file. Common tests of all histories are in other suites.
final class JSONHistoryTests {
  private typealias Transaction = DefaultHistoryTransaction

  private let folder: URL
  private var file: URL { folder.appending(path: "labels.json") }
  private var historyFile: URL { folder.appending(path: "labels.json.history") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Opens the file, runs the body and closes the file, like a program.
  @discardableResult private func run<R>(
    _ configure: (inout JSONFileConfiguration) -> Void = { _ in }, allowsSave: Bool = true,
    _ body: (ModelContext) throws -> R
  ) throws -> R {
    let schema = Schema([Item.self, Parcel.self, Label.self, Stamp.self, Stop.self])
    var configuration = JSONFileConfiguration(schema: schema, url: file, allowsSave: allowsSave)
    configure(&configuration)
    let context = ModelContext(try ModelContainer(for: schema, configurations: [configuration]))
    return try withExtendedLifetime(context) { try body(context) }
  }

  private func save(_ texts: String..., in context: ModelContext) throws {
    for text in texts {
      context.insert(Label(text: text))
      try context.save()
    }
  }

  private func all(_ context: ModelContext) throws -> [DefaultHistoryTransaction] {
    try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
  }

  private func since(
    _ token: DefaultHistoryToken, _ context: ModelContext
  ) throws -> [DefaultHistoryTransaction] {
    try context.fetchHistory(
      HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
  }

  private func isExpired(_ token: DefaultHistoryToken, _ context: ModelContext) throws -> Bool {
    do {
      _ = try since(token, context)
      return false
    } catch SwiftDataError.historyTokenExpired {
      return true
    }
  }

  private func lines() throws -> [String] {
    try String(contentsOf: historyFile, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  @Test func S105_S110_historyAndTokensSurvive() throws {
    let token = try run { (context) throws in
      context.author = "import"
      let parcel = Parcel(
        code: "e\u{301}", weight: -.infinity, state: .lost,
        address: Parcel.Address(street: "Gata 1", city: "Bergen"), words: ["a", "b"],
        picture: Data(repeating: 7, count: 5_000), sentOn: Date(timeIntervalSinceReferenceDate: 0.1),
        serial: .max)
      context.insert(parcel)
      for number in 0..<9 { context.insert(Item(name: "item \(number)", parcel: parcel)) }
      try context.save()
      parcel.note = "x"
      try context.save()
      let token = try #require(all(context).last?.token)
      context.delete(parcel)
      try context.save()
      return token
    }
    try run { (context) throws in
      let all = try self.all(context)
      #expect(all.map(\.id) == [1, 2, 3] && all.map(\.author) == ["import", "import", "import"])
      #expect(all[0].changes.count == 10 && all[1].changes.map(\.text) == ["update Parcel: note"])
      #expect(all.map(\.processIdentifier).allSatisfy { $0 == "\(ProcessInfo.processInfo.processIdentifier)" })
      #expect(zip(all, all.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
      let news = try since(token, context)
      #expect(news.map(\.id) == [3] && news[0].changes.count == 10)
      var names = Set<String>()
      for case .delete(let change as DefaultHistoryDelete<Item>) in news[0].changes {
        names.insert(change.tombstone[\.name] as? String ?? "")
      }
      #expect(names == Set((0..<9).map { "item \($0)" }))
      for case .delete(let change as DefaultHistoryDelete<Parcel>) in news[0].changes {
        let left = change.tombstone
        #expect((left[\.code] as? String)?.unicodeScalars.count == 2)
        #expect(left[\.weight] as? Double == -.infinity && left[\.state] as? Parcel.State == .lost)
        #expect(left[\.address] as? Parcel.Address == Parcel.Address(street: "Gata 1", city: "Bergen"))
        #expect(
          left[\.words] as? [String] == ["a", "b"] && left[\.picture] as? Data == Data(repeating: 7, count: 5_000))
        #expect(left[\.sentOn] as? Date == Date(timeIntervalSinceReferenceDate: 0.1))
        #expect(left[\.serial] as? UInt64 == .max && left[\.note] == nil && Array(left).count == 8)
      }
    }
  }

  @Test func aSaveAddsALine_andNoMore() throws {
    try run { (context) throws in
      try save("a", in: context)
      var before = stat()
      #expect(stat(historyFile.path, &before) == 0)
      let text = try Data(contentsOf: historyFile)
      for number in 0..<50 { try save("\(number)", in: context) }
      var after = stat()
      #expect(stat(historyFile.path, &after) == 0)
      #expect(before.st_ino == after.st_ino)
      #expect(try Data(contentsOf: historyFile).starts(with: text))
    }
    #expect(try lines().count == 52)
    #expect(try lines()[1].contains(#""changes":[{"insert":"Label","rows":[[1]]}]"#))
  }

  /// An external change by an editor, a version control system or an older program.
  @Test func somebodyElseChangesTheFile_whichIsAGap() throws {
    let token = try run { (context) throws in
      try save("a", "b", in: context)
      return try #require(all(context).last?.token)
    }
    let text = try String(contentsOf: file, encoding: .utf8)
    try text.replacing("\"b\"", with: "\"c\"").write(to: file, atomically: true, encoding: .utf8)
    let gap = try run { (context) throws in
      #expect(try isExpired(token, context))
      let all = try self.all(context)
      #expect(all.map(\.isComplete) == [true, true, false] && all.map(\.id) == [1, 2, 3])
      return all[2].token
    }
    // A gap is reported once. The next change is another gap.
    try run { (context) throws in
      #expect(try since(gap, context).isEmpty)
      try save("d", in: context)
      #expect(try since(gap, context).map(\.changes.count) == [1])
    }
    try text.write(to: file, atomically: true, encoding: .utf8)
    try run { (context) throws in
      // The contents equal those after the second save, so later lines are invalid.
      #expect(try all(context).map(\.id) == [1, 2])
      #expect(try since(token, context).isEmpty)
      #expect(try isExpired(gap, context))
      try save("e", in: context)
      #expect(try since(token, context).map(\.id) == [5])
      #expect(try isExpired(gap, context))
    }
    try run { (context) throws in
      #expect(try all(context).map(\.id) == [1, 2, 5])
      #expect(try isExpired(gap, context))
    }
  }

  @Test func theFileBeforeTheLastSave_isPutBack() throws {
    let tokens = try run { (context) throws in
      try save("a", "b", "c", in: context)
      return try all(context).map(\.token)
    }
    try FileManager.default.removeItem(at: file)
    try FileManager.default.copyItem(atPath: file.path + ".previous", toPath: file.path)
    try run { (context) throws in
      #expect(try all(context).map(\.id) == [1, 2])
      try save("d", in: context)
      #expect(try since(tokens[1], context).map(\.id) == [4])
      #expect(try isExpired(tokens[2], context))
    }
  }

  @Test func aHistoryThatIsGone_beginsAgain() throws {
    let token = try run { (context) throws in
      try save("a", "b", in: context)
      return try #require(all(context).last?.token)
    }
    try FileManager.default.removeItem(at: historyFile)
    try run { (context) throws in
      #expect(try isExpired(token, context))
      #expect(try all(context).map(\.isComplete) == [false])
      try save("c", "d", "e", in: context)
      #expect(try isExpired(token, context))
    }
    // While the file is open, its history is in memory.
    try run { (context) throws in
      try FileManager.default.removeItem(at: historyFile)
      try save("f", in: context)
    }
    #expect(try run { try all($0).map(\.id) } == [3, 4, 5, 6, 7])
  }

  @Test func aFileFromBeforeThereWasHistory() throws {
    let text = #"{"format":"trellis models","version":1,"identifier":"X","models":{"Label":[{"$id":1,"text":"a"}]}}"#
    try Data(text.utf8).write(to: file)
    try run { (context) throws in
      #expect(try all(context).isEmpty)
      try save("b", in: context)
      #expect(try all(context).map(\.isComplete) == [true])
    }
    // Such a program changes everything except the history.
    #expect(try String(contentsOf: file, encoding: .utf8).contains("\"nextKeys\": {\"$history\":1,\"Label\":3}"))
  }

  @Test func damage_doesNotKeepTheModels() throws {
    let token = try run { (context) throws in
      try save("a", "b", "c", in: context)
      return try #require(all(context).last?.token)
    }
    var text = try lines()
    text[2] = String(text[2].prefix(30))
    let damaged = text.joined(separator: "\n") + "\n"
    try damaged.write(to: historyFile, atomically: true, encoding: .utf8)
    try run { (context) throws in
      #expect(try context.fetchCount(FetchDescriptor<Label>()) == 3)
      let error = #expect(throws: SwiftDataError.self) { try all(context) }
      #expect(error == .invalidTransactionFetchRequest && "\(error as Any)".contains("deleteHistory"))
      try save("d", in: context)
      #expect(throws: SwiftDataError.self) {
        try context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.author == nil }))
      }
      // Later changes are recorded.
      #expect(try String(contentsOf: historyFile, encoding: .utf8).starts(with: damaged))
      #expect(try since(token, context).map { $0.changes.map(\.text) } == [["insert Label"]])
    }
    try run { (context) throws in
      #expect(try since(token, context).map(\.id) == [4])
      #expect(throws: SwiftDataError.self) { try all(context) }
      try save("e", in: context)
      try context.deleteHistory(HistoryDescriptor<Transaction>())
      #expect(try all(context).isEmpty)
      try save("f", in: context)
      #expect(try all(context).map { $0.changes.map(\.text) } == [["insert Label"]])
      #expect(try isExpired(token, context))
    }
    #expect(try run { try all($0).map(\.isComplete) } == [true])
    for text in ["", "{}", "not even JSON\n", #"{"format":"trellis history","version":99,"identifier":"X"}"# + "\n"] {
      try Data(text.utf8).write(to: historyFile)
      try run { (context) throws in
        #expect(try context.fetchCount(FetchDescriptor<Label>()) == 6)
        let error = #expect(throws: SwiftDataError.self) { try since(token, context) }
        #expect(error == .invalidTransactionFetchRequest || error == .historyTokenExpired, "\(text)")
      }
    }
  }

  @Test func aLineWithoutAnEnd_isNothing() throws {
    try run { try save("a", "b", in: $0) }
    let handle = try FileHandle(forWritingTo: historyFile)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(#"{"changes":[{"ins"#.utf8))
    try handle.close()
    try run { (context) throws in
      #expect(try all(context).map(\.isComplete) == [true, true])
      try save("c", in: context)
    }
    #expect(try run { try all($0).map(\.id) } == [1, 2, 3])
  }

  /// The process is killed after it wrote the line and before it wrote the file.
  @Test func aLineWithoutItsFile_isNothing() throws {
    try run { try save("a", "b", in: $0) }
    let (data, history) = (try Data(contentsOf: file), try Data(contentsOf: historyFile))
    let token = try run { try #require(all($0).last?.token) }
    try run { try save("never", in: $0) }
    try data.write(to: file)
    #expect(try Data(contentsOf: historyFile).starts(with: history))
    try run { (context) throws in
      #expect(try all(context).map(\.id) == [1, 2])
      try save("c", in: context)
      let news = try since(token, context)
      #expect(news.map { $0.changes.map(\.text) } == [["insert Label"]])
    }
  }

  /// Either the file cannot be written, or neither the file nor its history.
  @Test(arguments: [["labels.json.new"], ["labels.json.new", "labels.json.history.new"]])
  func aSaveThatFails_leavesNothing(_ obstacles: [String]) throws {
    let obstacles = obstacles.map { folder.appending(path: $0) }
    try run { (context) throws in
      try save("a", in: context)
      let before = try Data(contentsOf: historyFile)
      for obstacle in obstacles {
        try FileManager.default.createDirectory(at: obstacle, withIntermediateDirectories: true)
      }
      context.insert(Label(text: "b"))
      #expect(throws: SwiftDataError.self) { try context.save() }
      if obstacles.count == 2 {
        #expect(throws: SwiftDataError.self) { try context.deleteHistory(HistoryDescriptor<Transaction>()) }
      }
      #expect(try Data(contentsOf: historyFile) == before)
      #expect(try all(context).map(\.id) == [1])
      for obstacle in obstacles { try FileManager.default.removeItem(at: obstacle) }
      try context.save()
      #expect(try all(context).map(\.id) == [1, 2])
    }
    try run { (context) throws in
      let all = try self.all(context)
      #expect(all.map(\.id) == [1, 2] && all.allSatisfy(\.isComplete))
      #expect(all.map { $0.changes.map(\.text) } == [["insert Label"], ["insert Label"]])
    }
  }

  @Test func whatIsForgotten_isGoneFromTheFile() throws {
    try run { (context) throws in
      for name in ["secret", "other"] {
        context.author = name
        let item = Item(name: name)
        context.insert(item)
        try context.save()
        context.delete(item)
        try context.save()
      }
      #expect(try lines().joined().contains("secret"))
      let author: String? = "secret"
      try context.deleteHistory(HistoryDescriptor<Transaction>(predicate: #Predicate { $0.author == author }))
      #expect(try !lines().joined().contains("secret"))
      #expect(try all(context).map(\.id) == [3, 4])
    }
    try run { (context) throws in
      #expect(try all(context).map(\.id) == [3, 4])
      let token = try all(context)[0].token
      #expect(try since(token, context).map(\.id) == [4])
      try context.container.erase()
      #expect(try !lines().joined().contains("other"))
      #expect(try isExpired(token, context))
      try save("x", in: context)
    }
    #expect(try run { try all($0).map(\.id) } == [6])
  }

  @Test func whatIsNotKept_doesNotMakeTheFileLonger() throws {
    let keepsTen: (inout JSONFileConfiguration) -> Void = { $0.history.retention = .newest(10) }
    // Longer than the bound below if nothing is forgotten.
    let saves = 300
    for session in 0..<3 {
      try run(keepsTen) { (context) throws in
        // One model, so that the file of the models stays short.
        let label = try context.fetch(FetchDescriptor<Label>()).first ?? Label(text: "")
        if session == 0 { context.insert(label) }
        for number in 0..<saves {
          label.text = "\(session) \(number)"
          try context.save()
        }
      }
    }
    let count = try lines().count
    #expect((10...450).contains(count), "\(count)")
    let found = try run(keepsTen) { try all($0) }
    #expect((10...74).contains(found.count) && found.last?.id == Int64(3 * saves))
  }

  @Test func aProgramThatRecordsNothing_isAGap() throws {
    let token = try run { (context) throws in
      try save("a", in: context)
      return try #require(all(context).last?.token)
    }
    try run({ $0.history.isRecorded = false }) { (context) throws in
      #expect(try all(context).count == 1)
      try save("b", in: context)
    }
    try run { (context) throws in
      #expect(try isExpired(token, context))
      #expect(try all(context).map(\.isComplete) == [true, false])
    }
  }

  @Test func readOnlyStoresCanBeAsked() throws {
    try run { try save("a", in: $0) }
    try run(allowsSave: false) { (context) throws in
      #expect(try all(context).map(\.changes.count) == [1])
      #expect(throws: SwiftDataError.self) { try context.deleteHistory(HistoryDescriptor<Transaction>()) }
    }
    #expect(try lines().count == 2)
  }

  @Test func nobodyReadsTheHistory_whoMayNotReadTheFile() throws {
    func mode(_ url: URL) throws -> Int? {
      let value = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
      return (value as? NSNumber)?.intValue
    }
    try run { try save("a", in: $0) }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    try run { try save("b", in: $0) }
    #expect(try mode(file) == 0o600)
    #expect(try mode(historyFile) == 0o600)
    try FileManager.default.removeItem(at: historyFile)
    try run { try save("c", in: $0) }
    #expect(try mode(historyFile) == 0o600)
  }
}
