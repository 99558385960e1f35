import Foundation
import TestSupport
import Testing
import Trellis

/// Tests of the net changes of objects between two positions.
struct NetChangesTests {
  @Test func eachObjectIsListedOnce_withItsNetChange() throws {
    let fixture = try HistoryFixture()
    let context = fixture.context
    let (kept, doomed) = (Item(name: "kept"), Item(name: "doomed"))
    context.insert(kept)
    context.insert(doomed)
    try context.save()
    let token = try #require(try context.history.changes().token)
    let (new, fleeting) = (Item(name: "new"), Item(name: "fleeting"))
    context.insert(new)
    context.insert(fleeting)
    kept.price = 1
    try context.save()
    new.price = 2
    kept.name = "renamed"
    kept.price = 3
    fleeting.price = 4
    doomed.price = 5
    try context.save()
    context.delete(fleeting)
    context.delete(doomed)
    try context.save()
    let news = try context.history.changes(since: token)
    #expect(
      news.changes.map(\.text) == ["insert Item", "update Item: name, price", "delete Item: doomed"])
    #expect(
      news.changes.map(\.changedPersistentIdentifier) == [
        new.persistentModelID, kept.persistentModelID, doomed.persistentModelID,
      ])
    #expect(news.isComplete)
    let next = try context.history.changes(since: news.token)
    #expect(next.changes.isEmpty && next.token == news.token)
  }

  @Test func changesByExcludedAuthorsAreNotReported() throws {
    let fixture = try HistoryFixture()
    let context = fixture.context
    func save(_ author: String, _ body: () -> Void) throws {
      context.author = author
      body()
      try context.save()
    }
    let models = (0..<5).map { Item(name: "\($0)") }
    try save("sync") { for model in models.prefix(3) { context.insert(model) } }
    try save("app") {
      models[0].name = "mine"
      models[1].name = "mine"
      context.insert(models[3])
      context.insert(models[4])
    }
    try save("sync") {
      models[0].price = 1
      context.delete(models[1])
      models[3].price = 1
    }
    try save("app") { context.delete(models[2]) }
    try save("sync") { context.delete(models[4]) }
    let news = try context.history.changes(excludingAuthors: ["sync"])
    #expect(news.changes.map(\.text) == ["insert Item", "update Item: name", "delete Item: 2"])
    #expect(news.changes[1].changedPersistentIdentifier == models[0].persistentModelID)
  }

  @Test func filteringByModelsIncludesSubclasses() throws {
    let fixture = try HistoryFixture()
    fixture.context.insert(Report(title: "r"))
    fixture.context.insert(Document(title: "d"))
    fixture.context.insert(Label(text: "l"))
    try fixture.context.save()
    func names(_ models: [any PersistentModel.Type]) throws -> Set<String> {
      Set(try fixture.context.history.changes(of: models).changes.map(\.text))
    }
    #expect(try names([Document.self]) == ["insert Report", "insert Document"])
    #expect(try names([Report.self]) == ["insert Report"])
    #expect(try names([]).count == 3)
    fixture.context.recordsHistory = false
    fixture.context.insert(Label(text: "silent"))
    try fixture.context.save()
    #expect(try !fixture.context.history.changes().isComplete)
  }

  /// The synchronisation example of the documentation with random edits. Both stores must be equal afterwards.
  @Test func aSecondStoreFollowsTheFirst() throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let (source, target) = (try HistoryFixture(), try HistoryFixture())
    var sync = DocumentSync(source: source.container, target: target.container)
    var live: [Document] = []
    for round in 0..<60 {
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          let title = "\(UInt64.random(in: 0 ... .max, using: &random))"
          let document = Bool.random(using: &random) ? Document(title: title) : Report(title: title)
          source.context.insert(document)
          live.append(document)
        case 2: live.randomElement(using: &random)?.pages += 1
        default:
          guard let index = live.indices.randomElement(using: &random) else { continue }
          source.context.delete(live.remove(at: index))
        }
        if Bool.random(using: &random) { try source.context.save() }
      }
      try source.context.save()
      if round % 3 == 0 { try sync.run() }
    }
    try sync.run()
    #expect(try contents(source) == contents(target))
    #expect(try contents(source).count == live.count)
  }

  @Test(arguments: StoreKind.allCases)
  func documentsDeletedDuringTheRunAreNotCopied(_ kind: StoreKind) throws {
    let (source, target) = (try HistoryFixture(kind), try HistoryFixture(.memory))
    let (kept, doomed) = (Document(title: "kept", pages: 2), Document(title: "doomed", pages: 3))
    for model in [kept, doomed] { source.context.insert(model) }
    try source.context.save()
    var sync = DocumentSync(source: source.container, target: target.container)
    sync.afterReading = {
      source.context.delete(doomed)
      try source.context.save()
    }
    try sync.run()
    #expect(try contents(target) == ["kept 2 Document"])
    sync.afterReading = {}
    try sync.run()
    #expect(try contents(target) == contents(source))
  }

  private func contents(_ fixture: HistoryFixture) throws -> [String] {
    try ModelContext(fixture.container).fetch(FetchDescriptor<Document>()).map {
      "\($0.title) \($0.pages) \(type(of: $0))"
    }
    .sorted()
  }
}

/// Copies documents from one store to another. Documents are identified by their titles, which tombstones preserve.
struct DocumentSync {
  let source: ModelContainer
  let target: ModelContainer
  var token: DefaultHistoryToken?
  /// Called after the history was read, like a concurrent process.
  var afterReading: () throws -> Void = {}

  mutating func run() throws {
    let from = ModelContext(source)
    let to = ModelContext(target)
    let news = try from.history.changes(since: token, of: [Document.self])
    try afterReading()
    for change in news.changes {
      let identifier = change.changedPersistentIdentifier
      switch change {
      case .insert, .update:
        guard let document = try from.existingModel(for: identifier, as: Document.self) else { continue }
        let title = document.title
        let copy = try to.fetch(FetchDescriptor<Document>(predicate: #Predicate { $0.title == title })).first
        if let copy {
          copy.pages = document.pages
        } else {
          to.insert(
            document is Report
              ? Report(title: title, pages: document.pages) : Document(title: title, pages: document.pages))
        }
      case .delete(let delete):
        guard let title = delete.preservedTitle else { continue }
        try to.delete(model: Document.self, where: #Predicate { $0.title == title })
      }
    }
    try to.save()
    token = news.token
  }
}

extension HistoryDelete {
  fileprivate var preservedTitle: String? {
    ((self as? DefaultHistoryDelete<Document>)?.tombstone[\.title]
      ?? (self as? DefaultHistoryDelete<Report>)?.tombstone[\.title]) as? String
  }
}
