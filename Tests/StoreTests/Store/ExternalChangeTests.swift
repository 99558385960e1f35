import Foundation
import Testing
import Trellis

/// External changes of a store reach contexts when the store reports them.
@Suite struct ExternalChangeTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Two containers with one file simulate two programs that do not notify each other.
  private func containers() throws -> (here: ModelContainer, there: ModelContainer) {
    let configuration = ModelConfiguration(url: scratch.file("keeps.store"))
    return (try KeepWorld.container(configuration), try KeepWorld.container(configuration))
  }

  private struct World {
    let here: ModelContext
    let there: ModelContext
    let keeps: [Keep]

    func theirs(_ keep: Keep) throws -> Keep {
      try #require(there.model(for: keep.persistentModelID) as? Keep)
    }
  }

  private func world() throws -> World {
    let (here, there) = try containers()
    let first = ModelContext(here)
    for code in ["a", "b", "c"] {
      let keep = Keep(code: code)
      keep.parts = [KeepPart(title: "part of \(code)")]
      first.insert(keep)
    }
    try first.save()
    let context = ModelContext(here)
    let keeps = try KeepWorld.keeps(context)
    for keep in keeps { _ = keep.parts.count }
    return World(here: context, there: ModelContext(there), keeps: keeps)
  }

  @Test func changedAndDeletedModels() throws {
    let world = try world()
    let (changed, gone, pending) = (world.keeps[0], world.keeps[1], world.keeps[2])
    try world.theirs(changed).count = 5
    try world.theirs(changed).parts.append(KeepPart(title: "new"))
    try world.theirs(pending).count = 6
    world.there.delete(try world.theirs(gone))
    try world.there.save()
    pending.note = "mine"
    #expect(changed.count == 0)
    world.here.container.notifyExternalChange(
      DataStoreExternalChange(
        updated: [changed.persistentModelID, pending.persistentModelID],
        deleted: [gone.persistentModelID], entityNames: []))
    _ = try world.here.fetchCount(FetchDescriptor<KeepTag>())
    #expect(changed.count == 5)
    #expect(changed.parts.map(\.title) == ["part of a", "new"])
    #expect(gone.isDeleted && gone.modelContext == nil && gone.code == "b")
    #expect(pending.count == 6 && pending.note == "mine" && world.here.hasChanges)
  }

  @Test func allModelsOfNamedEntitiesAreReadAgain() throws {
    let world = try world()
    try world.theirs(world.keeps[0]).count = 5
    try world.theirs(world.keeps[0]).parts.append(KeepPart(title: "new"))
    try world.there.save()
    world.here.container.notifyExternalChange(
      DataStoreExternalChange(entityNames: ["Keep", "KeepPart"]))
    _ = try world.here.fetchCount(FetchDescriptor<KeepTag>())
    #expect(world.keeps[0].count == 5)
    #expect(world.keeps[0].parts.map(\.title) == ["part of a", "new"])
  }

  @Test func unspecifiedChangesRefreshEverything() throws {
    let world = try world()
    try world.theirs(world.keeps[0]).parts.append(KeepScrew(title: "new"))
    world.there.delete(try world.theirs(world.keeps[1]))
    try world.there.save()
    world.here.container.notifyExternalChange()
    _ = try world.here.fetchCount(FetchDescriptor<KeepTag>())
    #expect(world.keeps[0].parts.map(\.title) == ["part of a", "new"])
    #expect(world.keeps[1].isDeleted)
  }

  @MainActor @Test func observersFetchAgainForObservedEntities() async throws {
    let (here, there) = try containers()
    let context = here.mainContext
    let observer = try ResultsObserver<Keep, Never>(
      filterBy: #Predicate { $0.count > 3 }, modelContext: context)
    #expect(observer.results.isEmpty)
    let other = ModelContext(there)
    let keep = Keep(code: "a")
    keep.count = 4
    other.insert(keep)
    try other.save()
    here.notifyExternalChange(DataStoreExternalChange(inserted: [keep.persistentModelID]))
    for _ in 0..<6_000 where observer.results.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(observer.results.map(\.code) == ["a"])
  }

  /// A custom store reports changes to each of its open containers and to no other.
  @Test func storesNotifyTheirContainers() throws {
    let drawer = ShelfConfiguration()
    let container = try KeepWorld.container(drawer)
    let context = ModelContext(container)
    context.insert(Keep(code: "a"))
    try context.save()
    let keep = try #require(KeepWorld.keeps(context).first)
    try #require(drawer.shelf.stores.first).change(keep.persistentModelID) { $0.count = 9 }
    #expect(keep.count == 0)
    try #require(drawer.shelf.stores.first).notifyExternalChange(
      DataStoreExternalChange(updated: [keep.persistentModelID]))
    _ = try context.fetchCount(FetchDescriptor<KeepTag>())
    #expect(keep.count == 9)
  }
}
