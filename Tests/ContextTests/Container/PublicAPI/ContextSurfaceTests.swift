import Foundation
import Testing
import Trellis

/// Tests of the public symbols of contexts.
@Suite struct ContextSurfaceTests {
  @Test func contexts() throws {
    let container = try ModelContainer(for: Ship.self, configurations: memory())
    let context = ModelContext(container)
    context.author = "me"
    let state: EditingState = context.editingState
    let id: UUID = state.id
    #expect(context.container === container && state.author == "me" && state.id == id)
    #expect(context == context && context != ModelContext(container) && !context.debugDescription.isEmpty)
    #expect(!context.autosaveEnabled && !context.hasChanges && context.undoManager == nil)
    let ship = Ship(name: "Fram", hull: 1)
    context.insert(ship)
    let inserted: [any PersistentModel] = context.insertedModelsArray
    #expect(inserted.count == 1 && context.changedModelsArray.isEmpty)
    #expect(context.deletedModelsArray.isEmpty)
    try context.save()
    try context.transaction { ship.hull = 2 }
    let found: [Ship] = try context.fetch(FetchDescriptor<Ship>())
    let batched: FetchResultsCollection<Ship> = try context.fetch(FetchDescriptor<Ship>(), batchSize: 10)
    let count: Int = try context.fetchCount(FetchDescriptor<Ship>())
    let identifiers: [PersistentIdentifier] = try context.fetchIdentifiers(FetchDescriptor<Ship>())
    let pages: FetchResultsCollection<PersistentIdentifier> = try context.fetchIdentifiers(
      FetchDescriptor<Ship>(), batchSize: 10)
    #expect(found.count == 1 && batched.count == 1 && count == 1 && identifiers == Array(pages))
    #expect(batched[0] === ship && batched.startIndex == 0 && batched.endIndex == 1)
    var visited: [String] = []
    try context.enumerate(
      FetchDescriptor<Ship>(), batchSize: 5000, allowEscapingMutations: false
    ) { (ship: Ship) in visited.append(ship.name) }
    try context.enumerate(FetchDescriptor<Ship>()) { visited.append($0.name) }
    #expect(visited == ["Fram", "Fram"])
    let any: any PersistentModel = context.model(for: ship.persistentModelID)
    let known: Ship? = context.registeredModel(for: ship.persistentModelID)
    #expect(any as? Ship === ship && known === ship)
    ship.hull = 3
    context.rollback()
    context.processPendingChanges()
    try context.delete(model: Ship.self, where: #Predicate { $0.hull > 90 }, includeSubclasses: true)
    context.delete(ship)
    try context.save()
    #expect(try context.fetchCount(FetchDescriptor<Ship>()) == 0)
  }
}
