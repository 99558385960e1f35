import Foundation
import Observation
import Testing

@testable import Trellis

/// A model without observers keeps no observation data.
@Suite struct UnobservedModelTests {
  let stage: Stage
  let context: ModelContext

  init() throws {
    stage = try Stage()
    context = stage.context()
  }

  @Test func untrackedReadsCreateNoObservationData() throws {
    try stage.save("a")
    let band = try #require(try context.fetch(FetchDescriptor<Band>()).first)
    #expect(band.name == "a" && band.manager == nil && band.title == "a (rock)")
    #expect(band._$state.side?.registrar == nil)
    let new = Band(name: "new")
    #expect(new.name == "new" && new.title == "new (rock)")
    #expect(new._$state.side == nil)
    context.insert(new)
    #expect(new.name == "new")
    #expect(new._$state.side == nil)
  }

  @Test func trackingFindsModelsWithAndWithoutAContext() {
    let new = Band(name: "new")
    let count = Counter()
    withObservationTracking {
      _ = new.name
    } onChange: {
      count.add()
    }
    #expect(new._$state.side?.registrar != nil)
    new.name = "newer"
    #expect(count.count == 1)
    withObservationTracking {
      _ = new.name
    } onChange: {
      count.add()
    }
    context.insert(new)
    new.name = "inserted"
    #expect(count.count == 2)
    let rest = Band(name: "rest")
    context.insert(rest)
    withObservationTracking {
      _ = rest.name
    } onChange: {
      count.add()
    }
    #expect(rest._$state.side?.registrar != nil && rest._$state.side?.phase == .inserted)
    rest.name = "!"
    #expect(count.count == 3)
  }

  @Test func anUnobservedContextHasNoObservers() throws {
    #expect(context.watchers == nil)
    do {
      let observer = try ResultsObserver<Band, Never>(modelContext: context)
      #expect(context.watchers != nil && observer.results.isEmpty)
    }
    #expect(context.watchers == nil)
  }

  @Test func unreadCommitsDoNotAccumulate() throws {
    let ids = try stage.save("a", "b")
    let mailbox = CommitMailbox()
    for _ in 0..<3 {
      mailbox.deliver(Commit(updated: Array(repeating: ids[0], count: Commit.longest / 3)))
    }
    #expect(mailbox.take()?.isWholesale == false)
    for _ in 0..<4 {
      mailbox.deliver(Commit(updated: Array(repeating: ids[0], count: Commit.longest / 3)))
    }
    let commit = try #require(mailbox.take())
    #expect(commit.isWholesale && commit.updated.isEmpty)
    #expect(mailbox.take() == nil && mailbox.isQuiet)
    // A context that is refreshed later has the same results.
    let bands = try context.fetch(FetchDescriptor<Band>(sortBy: [SortDescriptor(\.name)]))
    for number in 0..<50 { try stage.edit(ids[number % 2]) { $0.founded = number } }
    try stage.delete(ids[1])
    #expect(try context.fetchCount(FetchDescriptor<Band>()) == 1)
    #expect(bands[0].founded == 48 && bands[1].isDeleted)
  }

  @Test func trackingIsDetectedOnEveryThread() async {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          let band = Band(name: "x")
          let count = Counter()
          withObservationTracking {
            _ = band.name
          } onChange: {
            count.add()
          }
          band.name = "y"
          #expect(count.count == 1)
          #expect(Band(name: "z").name == "z")
        }
      }
    }
  }
}
