import Foundation
import Observation
import Testing
import Trellis

@Suite(.timeLimit(.minutes(60))) @MainActor struct ResultsSectionsTests {
  let stage: Stage
  let context: ModelContext

  init() throws {
    stage = try Stage()
    context = stage.context()
  }

  private func parts(_ observer: ResultsObserver<Band, String>) -> [[String]] {
    observer.sections?.map { [$0.title] + $0.map(\.name) } ?? []
  }

  @Test(arguments: [true, false]) func sectionsAreContiguousAndSortedByTitle(isSaved: Bool) throws {
    for (name, genre) in [("1", "b"), ("2", "a"), ("3", "b"), ("0", "b"), ("4", "a")] {
      context.insert(Band(name: name, genre: genre))
    }
    if isSaved { try context.save() }
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Band.name)], sectionBy: \.genre, modelContext: context)
    #expect(parts(observer) == [["a", "2", "4"], ["b", "0", "1", "3"]])
    #expect(observer.results.map(\.name) == ["2", "4", "0", "1", "3"])
    #expect(observer.sections?.sectionTitles == ["a", "b"])
    #expect(observer.sections?[sectionTitle: "b"]?.map(\.name) == ["0", "1", "3"])
    #expect(observer.sections?[sectionTitle: "c"] == nil)
  }

  @Test func sortOrdersWithoutTheSectionKeepSectionsTogether() throws {
    for (name, genre) in [("1", "b"), ("2", "a"), ("3", "b")] { context.insert(Band(name: name, genre: genre)) }
    let observer = try ResultsObserver<Band, String>(sectionBy: \.genre, modelContext: context)
    #expect(parts(observer) == [["a", "2"], ["b", "1", "3"]])
    observer.sortBy = [SortDescriptor(\.name, order: .reverse)]
    #expect(parts(observer) == [["a", "2"], ["b", "3", "1"]])
    #expect(observer.sortBy.count == 1, "the order the program has asked for")
    observer.fetchDescriptor = FetchDescriptor(sortBy: [SortDescriptor(\.founded), SortDescriptor(\.name)])
    #expect(parts(observer) == [["a", "2"], ["b", "1", "3"]])
  }

  @Test func aLeadingSortBySectionDeterminesTheSectionOrder() throws {
    for (name, genre) in [("1", "b"), ("2", "a"), ("3", "b")] { context.insert(Band(name: name, genre: genre)) }
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Band.genre, order: .reverse), SortDescriptor(\.name)], sectionBy: \.genre,
      modelContext: context)
    #expect(parts(observer) == [["b", "1", "3"], ["a", "2"]])
  }

  @Test func aLeadingLocalizedSortBySectionDeterminesTheSectionOrder() throws {
    for (name, genre) in [("1", "item10"), ("2", "item9"), ("3", "B"), ("4", "a")] {
      context.insert(Band(name: name, genre: genre))
    }
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Band.genre, comparator: .localizedStandard, order: .reverse)], sectionBy: \.genre,
      modelContext: context)
    #expect(observer.sections?.sectionTitles == ["item10", "item9", "B", "a"])
  }

  @Test func limitsApplyInSectionOrder() throws {
    for (name, genre) in [("1", "b"), ("2", "a"), ("3", "b"), ("4", "a")] {
      context.insert(Band(name: name, genre: genre))
    }
    try context.save()
    var descriptor = FetchDescriptor<Band>(sortBy: [SortDescriptor(\.name)])
    descriptor.fetchLimit = 3
    let observer = try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.genre, modelContext: context)
    #expect(parts(observer) == [["a", "2", "4"], ["b", "1"]])
  }

  @Test func equivalentUnicodeTextsShareASection() throws {
    // Two forms of "é", with a letter between their code points.
    for (name, genre) in [("1", "\u{e9}"), ("2", "f"), ("3", "e\u{301}")] {
      context.insert(Band(name: name, genre: genre))
    }
    try context.save()
    let observer = try ResultsObserver<Band, String>(
      sortBy: [SortDescriptor(\.name)], sectionBy: \.genre, modelContext: context)
    #expect(observer.sections?.map { $0.map(\.name).sorted() } == [["2"], ["1", "3"]])
    #expect(Array(observer.results.map(\.name)) == observer.sections?.flatMap { $0.map(\.name) })
  }

  @Test func sectionsAreUpdatedWithTheResults() async throws {
    let ids = try stage.save("Abba", "Europe", "Ace")
    let observer = try ResultsObserver<Band, String>(
      sortBy: [SortDescriptor(\.name)], sectionBy: \.initial, modelContext: context)
    #expect(parts(observer) == [["A", "Abba", "Ace"], ["E", "Europe"]])
    let europe = try #require(observer.element(at: IndexPath(indexes: [1, 0])))
    #expect(europe.name == "Europe")
    #expect(observer.indexPath(for: europe) == IndexPath(indexes: [1, 0]))
    #expect(observer.element(at: IndexPath(indexes: [1, 1])) == nil)
    #expect(observer.element(at: IndexPath(indexes: [7])) == nil)
    var changes = observer.changes.makeAsyncIterator()
    try stage.edit(ids[0]) { $0.name = "Eagles" }
    let change = try #require(await changes.next(isolation: MainActor.shared))
    #expect(parts(observer) == [["A", "Ace"], ["E", "Eagles", "Europe"]])
    #expect(change.difference.moved.map(\.from.indexPath) == [IndexPath(indexes: [0, 0])])
    #expect(change.difference.moved.map(\.to.indexPath) == [IndexPath(indexes: [1, 0])])
    #expect(change.difference.insertedSections.isEmpty)
  }

  @Test func nilTitlesBelongToTheSectionWithTheEmptyTitle() throws {
    try stage.save("a", "b", "c")
    let observer = try ResultsObserver(
      sortBy: [SortDescriptor(\Band.name)], sectionBy: \.managerName, modelContext: context)
    let typed: ResultsObserver<Band, String> = observer
    observer.results[1].manager = Manager(name: "Stig")
    observer.results[0].manager = Manager(name: "")
    observer.update()
    #expect(typed.sections?.sectionTitles == ["", "Stig"])
    #expect(typed.sections?[sectionTitle: ""]?.map(\.name) == ["c", "a"], "no text comes before an empty one")
  }

  @Test func allInitialisersOfSwiftDataExist() throws {
    let (container, context) = (stage.container, context)
    let fetch = FetchDescriptor<Band>(sortBy: [SortDescriptor(\.name)])
    let text: KeyPath<Band, String> = \.genre
    let missing: KeyPath<Band, String?> = \.managerName
    let plain: [ResultsObserver<Band, Never>] = [
      try ResultsObserver(fetchDescriptor: fetch, modelContext: context),
      try ResultsObserver(fetchDescriptor: fetch, modelContainer: container),
      try ResultsObserver(modelContext: context), try ResultsObserver(modelContainer: container),
    ]
    let titled: [ResultsObserver<Band, String>] = [
      try ResultsObserver(fetchDescriptor: fetch, sectionBy: text, modelContext: context),
      try ResultsObserver(fetchDescriptor: fetch, sectionBy: text, modelContainer: container),
      try ResultsObserver(sectionBy: text, modelContext: context),
      try ResultsObserver(sectionBy: text, modelContainer: container),
    ]
    let optional: [ResultsObserver<Band, String>] = [
      try ResultsObserver(fetchDescriptor: fetch, sectionBy: missing, modelContext: context),
      try ResultsObserver(fetchDescriptor: fetch, sectionBy: missing, modelContainer: container),
      try ResultsObserver(sectionBy: missing, modelContext: context),
      try ResultsObserver(sectionBy: missing, modelContainer: container),
    ]
    #expect(plain.allSatisfy { $0.sections == nil && $0.sectionBy == nil })
    #expect(plain.filter { $0.modelContext === context }.count == 2)
    #expect(titled.allSatisfy { $0.sectionBy == text } && optional.allSatisfy { $0.sectionBy == missing })
  }
}
