import Foundation
import Synchronization
import Testing
import Trellis

@testable import TestWorlds

private final class Holder: Sendable {
  let container = Mutex<ModelContainer?>(nil)
}

@MainActor @Suite struct MainContextTests {
  @Test func S040_theMainContextBelongsToTheMainActorWithAutosaveEnabled() throws {
    let container = try LifeCycleFixture.container()
    #expect(container.mainContext.autosaveEnabled)
    #expect(container.mainContext === container.mainContext)
    #expect(container.mainContext.container === container)
    #expect(!ModelContext(container).autosaveEnabled)
  }

  @Test func aContainerWhoseMainContextWasUsedIsReleased() throws {
    weak var kept: ModelContainer?
    weak var context: ModelContext?
    do {
      let container = try LifeCycleFixture.container()
      container.mainContext.insert(studio())
      try container.mainContext.save()
      kept = container
      context = container.mainContext
      #expect(try context?.fetchCount(FetchDescriptor<Studio>()) == 1)
    }
    #expect(kept == nil && context == nil)
  }

  @Test func pendingChangesOfAnUnreferencedMainContextAreKept() throws {
    let container = try LifeCycleFixture.container()
    container.mainContext.insert(studio())
    #expect(container.mainContext.insertedModelsArray.count == 1)
    try container.mainContext.save()
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Studio>()) == 1)
  }

  @Test func aRetainedMainContextRetainsItsContainer() throws {
    let context = try LifeCycleFixture.container().mainContext
    context.insert(studio())
    try context.save()
    let container = context.container
    #expect(container === context.container)
    #expect(container.mainContext === context)
    #expect(container.schema.entitiesByName["Studio"] != nil)
    #expect(try ModelContext(container).fetch(FetchDescriptor<Studio>()).map(\.name) == ["North"])
  }

  @Test func containersWithTheSameStoresAreEqual() throws {
    let first = try LifeCycleFixture.container()
    let context = first.mainContext
    #expect(first == context.container)
    #expect(first != (try LifeCycleFixture.container()))
  }

  @Test func modelsAreReadableAfterTheContainerIsReleasedOnAnotherThread() async throws {
    let holder = Holder()
    let model = studio()
    do {
      let container = try LifeCycleFixture.container()
      container.mainContext.insert(model)
      try container.mainContext.save()
      holder.container.withLock { $0 = container }
    }
    await Task.detached { holder.container.withLock { $0 = nil } }.value
    #expect(model.name == "North")
    model.name = "South"
    #expect(model.name == "South")
  }
}
