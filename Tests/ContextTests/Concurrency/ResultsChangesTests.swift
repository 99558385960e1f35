import Foundation
import TestSupport
import Testing
import Trellis

@Suite(.timeLimit(.minutes(60))) @MainActor struct ResultsChangesTests {
  let stage: Stage
  let context: ModelContext

  init() throws {
    stage = try Stage()
    context = stage.context()
  }

  private func byName() throws -> ResultsObserver<Band, Never> {
    try ResultsObserver(sortBy: [SortDescriptor(\.name)], modelContext: context)
  }

  @Test func everyChangeIsDeliveredOnce() async throws {
    let observer = try byName()
    var changes = observer.changes.makeAsyncIterator()
    let ids = try stage.save("a", "c")
    var change = try #require(await changes.next(isolation: MainActor.shared))
    #expect(change.results.map(\.name) == ["a", "c"])
    #expect(change.difference.inserted.map(\.index) == [0, 1])
    try stage.save("b")
    change = try #require(await changes.next(isolation: MainActor.shared))
    #expect(change.difference.inserted.map(\.index) == [1])
    #expect(change.difference.deleted.isEmpty && change.difference.moved.isEmpty)
    try stage.delete(ids[0])
    change = try #require(await changes.next(isolation: MainActor.shared))
    #expect(change.difference.deleted.map(\.index) == [0])
    try stage.edit(ids[1]) { $0.name = "0" }
    change = try #require(await changes.next(isolation: MainActor.shared))
    #expect(change.results.map(\.name) == ["0", "b"])
    #expect(change.difference.moved.count == 1)
    #expect(change.difference.updated.map(\.index) == [0])
  }

  @Test func updatesThatDoNotAffectTheQueryAreDeliveredWithoutAFetch() async throws {
    let ids = try stage.save("a", "b", "c")
    let observer = try byName()
    var changes = observer.changes.makeAsyncIterator()
    let fetches = observer.fetchCount
    try stage.edit(ids[1]) { $0.notes = "!" }
    var change = try #require(await changes.next(isolation: MainActor.shared))
    #expect(change.difference.updated.map(\.index) == [1])
    #expect(change.results[1].notes == "!")
    observer.results[2].notes = "mine"
    change = try #require(await changes.next(isolation: MainActor.shared))
    #expect(change.difference.updated.map(\.index) == [2])
    #expect(observer.fetchCount == fetches)
  }

  @Test func changesBetweenIterationsAreCombined() async throws {
    let observer = try byName()
    var changes = observer.changes.makeAsyncIterator()
    for number in 0..<5 { try stage.save("\(number)") }
    await settle()
    let change = try #require(await changes.next(isolation: MainActor.shared))
    #expect(change.difference.inserted.count == 5)
    // An insertion and deletion between two updates are no change.
    let ids = try stage.save("x")
    await settle()
    try stage.delete(ids[0])
    await settle()
    try stage.save("last")
    let next = try #require(await changes.next(isolation: MainActor.shared))
    #expect(next.difference.inserted.map(\.index) == [5] && next.results.count == 6)
  }

  @Test func aLoopIsSuspendedUntilTheNextChange() async throws {
    let observer = try byName()
    var counts: [Int] = []
    var loops = (0..<2).map { _ in
      Task { @MainActor in
        for await change in observer.changes { counts.append(change.results.count) }
      }
    }
    #expect(await eventually { observer.isAwaited })
    for number in 1...3 {
      try stage.save("\(number)")
      #expect(await eventually { counts.count == 2 * number })
      #expect(await eventually { observer.isAwaited })
    }
    #expect(counts == [1, 1, 2, 2, 3, 3])
    loops.removeFirst().cancel()
    #expect(await eventually { observer.isAwaited })
    loops[0].cancel()
  }

  @Test func aLoopEndsWithItsTask() async throws {
    let observer = try byName()
    var names: [[String]] = []
    var hasBegun = false
    let task = Task { @MainActor in
      hasBegun = true
      for await change in observer.changes { names.append(change.results.map(\.name)) }
    }
    #expect(await eventually { hasBegun })
    try stage.save("a")
    #expect(await eventually { names == [["a"]] })
    try stage.save("b")
    #expect(await eventually { names == [["a"], ["a", "b"]] })
    task.cancel()
    await task.value
  }

  @Test nonisolated func changesAreDeliveredWithoutAnActor() async throws {
    let stage = try Stage()
    let container = stage.container
    let observer = try ResultsObserver<Band, Never>(
      sortBy: [SortDescriptor(\.name)], modelContainer: container)
    var changes = observer.changes.makeAsyncIterator()
    let writer = Task {
      let context = ModelContext(container)
      for number in 0..<3 {
        context.insert(Band(name: "\(number)"))
        try context.save()
        try await Task.sleep(for: .milliseconds(5))
      }
    }
    while observer.results.count < 3 {
      let change = try #require(await changes.next())
      #expect(!change.difference.inserted.isEmpty)
    }
    try await writer.value
  }

  @Test nonisolated func updateRefreshesAnObserverWithoutAnActor() throws {
    let stage = try Stage()
    let context = stage.context()
    let observer = try ResultsObserver<Band, Never>(modelContext: context)
    try stage.save("a")
    context.insert(Band(name: "b"))
    observer.update()
    #expect(Set(observer.results.map(\.name)) == ["a", "b"])
  }

  // MARK: The difference

  /// Applies a difference as documented.
  private func rebuilt(
    _ old: [Band], _ difference: ResultsDifference, _ new: [Band]
  ) -> [Band] {
    var result = old
    var leaving: [Int] = difference.deleted.map(\.index)
    leaving += difference.moved.map(\.from.index)
    for index in leaving.sorted(by: >) { result.remove(at: index) }
    var arriving: [Int] = difference.inserted.map(\.index)
    arriving += difference.moved.map(\.to.index)
    for index in arriving.sorted() { result.insert(new[index], at: index) }
    return result
  }

  @Test func differencesRebuildTheNewResults() async throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let observer = try ResultsObserver<Band, String>(
      filterBy: #Predicate { $0.genre != "off" }, sortBy: [SortDescriptor(\.founded)],
      sectionBy: \.genre, modelContext: context)
    var changes = observer.changes.makeAsyncIterator()
    let pool = (0..<30).map { Band(name: "\($0)", genre: "g\($0 % 4)", founded: $0) }
    pool.forEach(context.insert)
    var old: [Band] = []
    var oldTitles: [String] = []
    for round in 0..<150 {
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        guard let band = pool.randomElement(using: &random) else { continue }
        switch Int.random(in: 0..<3, using: &random) {
        case 0: band.founded = .random(in: 0..<60, using: &random)
        case 1 where band !== pool[0]:
          band.genre = ["g0", "g1", "g2", "off"].randomElement(using: &random) ?? ""
        default: band.notes = "\(round)"
        }
      }
      // Each round changes at least this value.
      pool[0].notes = "\(round)"
      if round % 10 == 9 { try context.save() }
      observer.update()
      let new = Array(observer.results)
      let order: [(String, Int)] = new.map { ($0.genre, $0.founded) }
      let sorted = order.sorted { (one: (String, Int), other: (String, Int)) -> Bool in one < other }
      let isSorted = order.elementsEqual(sorted) { (one: (String, Int), other: (String, Int)) -> Bool in one == other }
      #expect(isSorted)
      guard let change = await changes.next(isolation: MainActor.shared) else { break }
      let difference = change.difference
      let comment = Comment(rawValue: "round \(round), seed \(seed)")
      #expect(rebuilt(old, difference, new).map(\.name) == new.map(\.name), comment)
      let titles = observer.sections?.sectionTitles ?? []
      #expect(difference.insertedSections.map { titles[$0] }.allSatisfy { !oldTitles.contains($0) })
      #expect(difference.deletedSections.map { oldTitles[$0] }.allSatisfy { !titles.contains($0) })
      for place in difference.inserted + difference.updated + difference.moved.map(\.to) {
        #expect(observer.element(at: place.indexPath) === new[place.index], comment)
      }
      (old, oldTitles) = (new, titles)
    }
  }
}

extension Band {
  var managerName: String? { manager?.name }
}
