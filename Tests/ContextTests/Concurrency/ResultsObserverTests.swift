import Foundation
import Observation
import Testing
import Trellis

/// Waits until a condition holds, for at least one minute, because the machine can be busy. Other jobs of the actor run
/// between the checks.
@MainActor func eventually(_ condition: () -> Bool) async -> Bool {
  for _ in 0..<60_000 {
    if condition() { return true }
    await Task.yield()
    try? await Task.sleep(for: .milliseconds(1))
  }
  return false
}

/// Runs the scheduled jobs.
@MainActor func settle() async {
  for _ in 0..<20 { await Task.yield() }
  try? await Task.sleep(for: .milliseconds(20))
}

@Suite(.timeLimit(.minutes(60))) @MainActor struct ResultsObserverTests {
  typealias Observer = ResultsObserver<Band, Never>

  let stage: Stage
  let context: ModelContext

  init() throws {
    stage = try Stage()
    context = stage.context()
  }

  private func rock() throws -> Observer {
    try Observer(
      filterBy: #Predicate { $0.genre == "rock" }, sortBy: [SortDescriptor(\.name)],
      modelContext: context)
  }

  private func names(_ observer: Observer) -> [String] { observer.results.map(\.name) }

  // MARK: Updates

  @Test func unsavedChangesOfTheContextAreObserved() async throws {
    let observer = try rock()
    #expect(observer.results.isEmpty)
    let band = Band(name: "b")
    context.insert(band)
    context.insert(Band(name: "a"))
    context.insert(Band(name: "jazz", genre: "jazz"))
    #expect(observer.results.isEmpty, "not before the job is over")
    #expect(await eventually { names(observer) == ["a", "b"] })
    band.name = "0"
    #expect(await eventually { names(observer) == ["0", "a"] })
    band.genre = "pop"
    #expect(await eventually { names(observer) == ["a"] })
    context.rollback()
    #expect(await eventually { names(observer).isEmpty })
  }

  @Test func savesOfOtherContextsAreObserved() async throws {
    let observer = try rock()
    let ids = try stage.save("b", "a")
    #expect(await eventually { names(observer) == ["a", "b"] })
    try stage.edit(ids[0]) { $0.name = "0" }
    #expect(await eventually { names(observer) == ["0", "a"] })
    try stage.delete(ids[1])
    #expect(await eventually { names(observer) == ["0"] })
    try stage.container.erase()
    #expect(await eventually { names(observer).isEmpty })
  }

  @Test func savesOnOtherThreadsAreObserved() async throws {
    let observer = try rock()
    let container = stage.container
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          let context = ModelContext(container)
          context.insert(Band(name: "\(number)"))
          try? context.save()
        }
      }
    }
    #expect(await eventually { observer.results.count == 20 })
  }

  @Test func subclassesAreObserved() async throws {
    let observer = try rock()
    let context = stage.context()
    context.insert(Festival(name: "Wacken"))
    try context.save()
    #expect(await eventually { names(observer) == ["Wacken"] })
  }

  @Test func withoutPendingChangesOnlySavesAreObserved() async throws {
    var descriptor = FetchDescriptor<Band>(sortBy: [SortDescriptor(\.name)])
    descriptor.includePendingChanges = false
    let observer = try Observer(fetchDescriptor: descriptor, modelContext: context)
    context.insert(Band(name: "a"))
    await settle()
    #expect(observer.results.isEmpty && observer.fetchCount == 1)
    try context.save()
    #expect(await eventually { names(observer) == ["a"] })
  }

  @Test func manyChangesInOneJobCauseASingleFetch() async throws {
    let observer = try rock()
    let fetches = observer.fetchCount
    for number in 0..<100 { context.insert(Band(name: "\(number)")) }
    for band in context.insertedModelsArray { (band as? Band)?.genre = "rock" }
    #expect(await eventually { observer.results.count == 100 })
    #expect(observer.fetchCount == fetches + 1)
  }

  // MARK: Irrelevant changes

  @Test func irrelevantCommitsFetchNothing() async throws {
    let ids = try stage.save("a", "b")
    let observer = try Observer(
      filterBy: #Predicate { $0.genre == "rock" && $0.gigs.contains { $0.city == "Oslo" } },
      sortBy: [SortDescriptor(\.name)], modelContext: context)
    let fetches = observer.fetchCount
    let account = Account(owner: "x")
    let other = stage.context()
    other.insert(account)
    try other.save()
    account.balance = 5
    try other.save()
    try stage.edit(ids[0]) { $0.notes = "irrelevant" }
    try stage.edit(ids[0]) { $0.manager = Manager(name: "m", phone: "1") }
    try stage.edit(ids[0]) { $0.manager?.phone = "2" }
    context.insert(Account(owner: "mine"))
    (context.model(for: ids[1]) as? Band)?.founded = 1
    await settle()
    #expect(observer.fetchCount == fetches)
    #expect(observer.results.isEmpty)
    // The following changes are relevant.
    try stage.edit(ids[0]) { $0.gigs.append(Gig(city: "Oslo")) }
    #expect(await eventually { names(observer) == ["a"] })
    let relevant = observer.fetchCount
    #expect(relevant > fetches)
    try stage.edit(ids[0]) { $0.gigs[0].fee = 10 }
    try stage.edit(ids[0]) { $0.gigs[0].day = 10 }
    await settle()
    #expect(observer.fetchCount == relevant)
    try stage.edit(ids[0]) { $0.gigs[0].city = "Bergen" }
    #expect(await eventually { names(observer).isEmpty })
  }

  @Test func changesOfRelatedModelsInAPredicateAreObserved() async throws {
    let ids = try stage.save("a", "b")
    let observer = try Observer(
      filterBy: #Predicate { $0.manager?.name == "Stig" }, modelContext: context)
    let other = stage.context()
    let band = try #require(other.model(for: ids[0]) as? Band)
    let manager = Manager(name: "Stig")
    band.manager = manager
    try other.save()
    #expect(await eventually { names(observer) == ["a"] })
    manager.name = "Bert"
    try other.save()
    #expect(await eventually { names(observer).isEmpty })
    manager.name = "Stig"
    try other.save()
    #expect(await eventually { names(observer) == ["a"] })
    other.delete(manager)
    try other.save()
    #expect(await eventually { names(observer).isEmpty })
  }

  @Test func changesOfARelatedSortPropertyAreObserved() async throws {
    let ids = try stage.save("a", "b")
    try stage.edit(ids[0]) { $0.manager = Manager(name: "1") }
    try stage.edit(ids[1]) { $0.manager = Manager(name: "2") }
    let observer = try Observer(sortBy: [SortDescriptor(\.manager?.name)], modelContext: context)
    #expect(names(observer) == ["a", "b"])
    try stage.edit(ids[0]) { $0.manager?.name = "3" }
    #expect(await eventually { names(observer) == ["b", "a"] })
  }

  @Test func pendingChangesOfARelatedSortPropertyAreObserved() async throws {
    let ids = try stage.save("a", "b")
    for (id, name) in zip(ids, ["1", "2"]) { try stage.edit(id) { $0.manager = Manager(name: name) } }
    let observer = try Observer(sortBy: [SortDescriptor(\.manager?.name)], modelContext: context)
    #expect(names(observer) == ["a", "b"])
    observer.results.first?.manager?.name = "3"
    #expect(await eventually { names(observer) == ["b", "a"] })
  }

  // MARK: Observation

  @Test func resultsNotifyOnlyIfTheyDiffer() async throws {
    try stage.save("a", "b")
    let observer = try rock()
    let count = Counter()
    func track() {
      withObservationTracking {
        _ = observer.results
      } onChange: {
        count.add()
      }
    }
    track()
    let band = try #require(observer.results.first)
    band.name = "aa"
    let fetches = observer.fetchCount
    #expect(await eventually { observer.fetchCount > fetches })
    #expect(count.count == 0, "the same models in the same order")
    band.name = "c"
    #expect(await eventually { count.count == 1 })
    #expect(names(observer) == ["b", "c"])
  }

  @Test func changingTheQueryFetchesAgain() throws {
    try stage.save("a", "b")
    try stage.save("c", genre: "jazz")
    let observer = try rock()
    #expect(names(observer) == ["a", "b"])
    observer.filterBy = #Predicate { $0.genre == "jazz" }
    #expect(names(observer) == ["c"])
    observer.filterBy = nil
    observer.sortBy = [SortDescriptor(\.name, order: .reverse)]
    #expect(names(observer) == ["c", "b", "a"])
    observer.fetchDescriptor.fetchLimit = 2
    #expect(names(observer) == ["c", "b"])
    #expect(observer.fetchDescriptor.fetchLimit == 2)
    #expect(observer.modelContext === context)
  }

  @Test func S136_aFailedFetchKeepsTheLastResults() async throws {
    try stage.save("a", "b")
    let observer = try rock()
    let numbers: [Int] = []
    // The predicate reads an element out of range, so its evaluation throws.
    observer.filterBy = #Predicate { $0.founded == numbers[$0.founded - 1970] }
    #expect(names(observer) == ["a", "b"])
    #expect(observer.fetchError != nil)
    observer.filterBy = #Predicate { $0.name == "b" }
    #expect(observer.fetchError == nil)
    #expect(names(observer) == ["b"])
  }

  // MARK: Lifetime

  @Test func releasedObserversStopObserving() async throws {
    weak var observer: Observer?
    weak var ownContext: ModelContext?
    do {
      let one = try Observer(sortBy: [SortDescriptor(\.name)], modelContainer: stage.container)
      observer = one
      ownContext = one.modelContext
      try stage.save("a")
      #expect(await eventually { one.results.count == 1 })
    }
    #expect(await eventually { observer == nil && ownContext == nil })
    try stage.save("b")
    await settle()
  }

  @Test func manyObserversAreUpdatedTogether() async throws {
    let observers = try (0..<10).map { _ in try rock() }
    try stage.save("a")
    #expect(await eventually { observers.allSatisfy { $0.results.count == 1 } })
  }
}
