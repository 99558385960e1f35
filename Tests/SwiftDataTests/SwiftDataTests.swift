import Foundation
import SwiftData
import Testing

/// The module `SwiftData`: Trellis, with the defaults of Apple's platforms.
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

  /// As the Finder sorts. Trellis and Foundation on Linux sort by code points.
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

  @Test func valuesInMemoryAreSortedAsOnApplesPlatforms() throws {
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

  private func fetch(_ order: [SortDescriptor<Song>]) throws -> [String] {
    try context.fetch(FetchDescriptor<Song>(sortBy: order)).map(\.title)
  }
}
