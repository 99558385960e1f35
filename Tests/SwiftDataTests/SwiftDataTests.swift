import Foundation
import SwiftData
import Testing

@testable import Swift5
@testable import Swift6

/// Tests of the module `SwiftData`, which is Trellis with the defaults of Apple's platforms.
struct SwiftDataTests {
  private let container: SwiftData.ModelContainer
  private let context: SwiftData.ModelContext
  private let titles = ["file 10", "file 9", "Zebra", "apple", "Éclair"]

  init() throws {
    container = try ModelContainer(for: Song.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
    for (index, title) in titles.enumerated() {
      let song = Song(title: title, artist: index == 0 ? nil : title)
      song.year += index
      context.insert(song)
    }
    try context.save()
  }

  /// Text is sorted as in the Finder. Trellis and Foundation on Linux sort by code points.
  @Test func textsAreSortedAsOnApplesPlatforms() async throws {
    let expected = ["apple", "Éclair", "file 9", "file 10", "Zebra"]
    #expect(try fetch([SortDescriptor(\.title)]) == expected)
    #expect(try fetch([SortDescriptor(\Song.title, order: .reverse)]) == expected.reversed())
    #expect(try fetch([.init(\.artist)]) == ["file 10"] + expected.filter { $0 != "file 10" })
    #expect(try fetch([SortDescriptor(\.year), SortDescriptor(\.title)]) == titles)
    #expect(
      try fetch([SortDescriptor(\.title, comparator: .lexical)]) == ["Zebra", "apple", "file 10", "file 9", "Éclair"])
    #expect(try fetch([SortDescriptor(\.title, comparator: .localizedStandard)]) == expected)
    let descriptor = FetchDescriptor<Song>(sortBy: [SortDescriptor(\.title), SortDescriptor(\.artist)])
    #expect(try descriptor.explain(in: context).runsInStore)
    #expect(try await Jukebox(modelContainer: container).titles() == expected)
  }

  @Test func inMemoryValuesAreSortedAsOnApplesPlatforms() throws {
    struct File { var name: String, owner: String? }
    let files = titles.map { File(name: $0, owner: $0 == "Zebra" ? nil : $0) }
    let expected = ["apple", "Éclair", "file 9", "file 10", "Zebra"]
    #expect(files.sorted(using: SortDescriptor(\File.name)).map(\.name) == expected)
    #expect(files.sorted(using: KeyPathComparator(\File.name)).map(\.name) == expected)
    #expect(files.sorted(using: KeyPathComparator(\File.owner)).map(\.name) == ["Zebra"] + expected.dropLast())
  }

  @Test func relationshipsAndPredicates() throws {
    let song = try #require(
      try context.fetch(FetchDescriptor<Song>(predicate: #Predicate { $0.title == "apple" })).first)
    for number in 1...3 { context.insert(Verse(number: number, song: song)) }
    try context.save()
    let id = song.persistentModelID
    let verses = FetchDescriptor<Verse>(
      predicate: #Predicate { $0.song?.persistentModelID == id && $0.number > 1 }, sortBy: [.init(\.number)])
    #expect(try context.fetch(verses).map(\.number) == [2, 3])
    context.delete(song)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Verse>()) == 0)
  }

  /// In Swift 5 mode, constant properties get accessors.
  @Test @MainActor func constantsAreStored() throws {
    let container = try ModelContainer(
      for: Badge.self, LongVisit.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let code = UUID()
    let visit = LongVisit(days: 5)
    container.mainContext.insert(Badge(code: code, secret: "open", visits: [Visit(title: "short"), visit]))
    try container.mainContext.save()
    let context = ModelContext(container)
    let badge = try #require(
      try context.fetch(FetchDescriptor<Badge>(predicate: #Predicate { $0.code == code && $0.level == 3 })).first)
    #expect(badge.text == "3 open" && badge.issued == Date(timeIntervalSince1970: 0) && badge.cache == 1)
    #expect(badge.colours == .red && badge.home.street == "Main Street" && badge.homes == [badge.home])
    #expect(badge.visits.map(\.title).sorted() == ["long", "short"])
    let long = try #require(badge.visits.compactMap { $0 as? LongVisit }.first)
    #expect(long.days == 5 && long.reason == "rest" && long.badge === badge)
  }

  /// Values whose conformances are isolated to the main actor can be read and written on any actor.
  @Test @MainActor func isolatedTargets() async throws {
    let container = try ModelContainer(
      for: Person.self, Window.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let person = Person(name: "A", contact: .mail("a@b.c"), rights: .read)
    person.former = [Address(street: "Old Road")]
    person.other = .call(number: 5)
    container.mainContext.insert(person)
    let window = Window(title: "W")
    window.frame.street = "frame"
    container.mainContext.insert(window)
    container.mainContext.insert(Tab(title: "T", window: window))
    try container.mainContext.save()
    let texts = try await Task.detached { try Self.texts(container) }.value
    #expect(
      texts == [
        #"A Address(street: "none") Rights(rawValue: 1) Address(street: "Old Road")"#,
        #"B Address(street: "none") Rights(rawValue: 2) "#,
      ])
    let other = ModelContext(container)
    let found = try #require(try other.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)])).first)
    #expect(found.contact == .mail("a@b.c") && found.other == .call(number: 5) && found.rank == .low)
    #expect(found.rights == .read && found.extra == .read)
    let again = try #require(try other.fetch(FetchDescriptor<Window>()).first)
    #expect(again.count() == 2 && again.frame == Address(street: "frame") && again.tabs.first?.window === again)
  }

  private nonisolated static func texts(_ container: ModelContainer) throws -> [String] {
    let context = ModelContext(container)
    context.insert(Person(name: "B", contact: .none, rights: Rights(rawValue: 2)))
    try context.save()
    return try context.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.name)])).map {
      "\($0.name) \($0.address) \($0.rights) \($0.former.map { "\($0)" }.joined())"
    }
  }

  /// A model's properties may have the same names as members of the protocol's extensions.
  @Test func propertiesNamedLikeProtocolMembers() throws {
    let container = try ModelContainer(
      for: Article.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let article = Article(text: "a", hash: "h", kind: .link(to: "b"))
    context.insert(article)
    context.insert(Article(text: "b", hash: "i"))
    article.isDeleted = true
    try context.save()
    let found = try ModelContext(container).fetch(
      FetchDescriptor<Article>(predicate: #Predicate { $0.isDeleted && $0.hash == "h" && $0.hasChanges == 7 }))
    #expect(found.map(\.text) == ["a"] && found.first?.kind == .link(to: "b") && found.first?.caption == "none")
    #expect(article.`is about as long as`(3.2) && article.someName == 8)
    #expect(article.persistentModelID == "own" && article.modelContext == nil)
    let model: any PersistentModel = article
    #expect(!model.isDeleted && !model.hasChanges && model.modelContext === context)
    context.delete(article)
    #expect(model.isDeleted && model.hasChanges && article.isDeleted)
    try context.save()
    #expect(try context.fetch(FetchDescriptor<Article>()).map(\.text) == ["b"])
    #expect(try context.fetch(FetchDescriptor<Article>()).map(\.isDeleted) == [false])
  }

  @Test(arguments: [("a", ["a"], ["b"]), (nil, [], ["a", "b"])] as [(String?, [String], [String])])
  func capturedOptionals(some: String?, equal: [String], unequal: [String]) throws {
    let container = try ModelContainer(
      for: Article.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    for text in ["a", "b"] { context.insert(Article(text: text, hash: "")) }
    try context.save()
    struct Filter { var text: String? }
    let filter = Filter(text: some)
    let predicates: [(Predicate<Article>, [String])] = [
      (#Predicate { $0.text == some }, equal), (#Predicate { some == $0.text && $0.length > 1 }, equal),
      (#Predicate { $0.text != some }, unequal), (#Predicate { $0.text == filter.text }, equal),
    ]
    for (predicate, expected) in predicates {
      let descriptor = FetchDescriptor<Article>(predicate: predicate, sortBy: [SortDescriptor(\.text)])
      #expect(try context.fetch(descriptor).map(\.text) == expected)
      #expect(try descriptor.explain(in: context).runsInStore)
      #expect(try context.fetch(FetchDescriptor<Article>()).filter(predicate.evaluate).map(\.text).sorted() == expected)
    }
  }

  /// Fetching models does not evaluate default values.
  @Test func defaultValuesAreEvaluatedOncePerModel() throws {
    let container = try ModelContainer(for: Ticket.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    numbers = 0
    for place in 1...3 { context.insert(Ticket(place: place)) }
    try context.save()
    let fetched = try ModelContext(container).fetch(FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.place)]))
    #expect(fetched.map(\.number) == [1, 2, 3])
    #expect(numbers == 3)
  }

  private func fetch(_ order: [SortDescriptor<Song>]) throws -> [String] {
    try context.fetch(FetchDescriptor<Song>(sortBy: order)).map(\.title)
  }
}
