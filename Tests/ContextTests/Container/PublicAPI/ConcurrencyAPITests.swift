import Foundation
import Observation
import Testing
import Trellis

/// The expansion of `@ModelActor` on Apple's platforms.
actor HarbourMaster: ModelActor {
  nonisolated let modelExecutor: any ModelExecutor
  nonisolated let modelContainer: ModelContainer

  init(modelContainer: ModelContainer) {
    let modelContext = ModelContext(modelContainer)
    self.modelExecutor = DefaultSerialModelExecutor(modelContext: modelContext)
    self.modelContainer = modelContainer
  }

  func open(_ name: String) throws -> PersistentIdentifier {
    let harbour = Harbour(name: name)
    modelContext.insert(harbour)
    try modelContext.save()
    return harbour.persistentModelID
  }

  func name(_ id: PersistentIdentifier) -> String? { self[id, as: Harbour.self]?.name }
}

/// Tests of the public symbols of actors and observers.
@Suite struct ConcurrencyAPITests {
  @Test func S128_aModelActorFindsModelsByIdentifier() async throws {
    let container = try ModelContainer(for: Harbour.self, Ship.self, configurations: memory())
    let master = HarbourMaster(modelContainer: container)
    let id = try await master.open("Bergen")
    #expect(await master.name(id) == "Bergen")
    let unknown = try PersistentIdentifier.identifier(
      for: "nowhere", entityName: "Harbour", primaryKey: 9)
    #expect(await master.name(unknown) == nil)
    let executor: UnownedSerialExecutor = master.unownedExecutor
    #expect(!"\(executor)".isEmpty && master.modelContainer === container)
  }

  @Test func executors() throws {
    let context = ModelContext(try ModelContainer(for: Harbour.self, configurations: memory()))
    let executor = DefaultSerialModelExecutor(modelContext: context)
    let model: any ModelExecutor = executor
    let serial: any SerialModelExecutor = executor
    let sent: any Sendable = executor
    #expect(model.modelContext === context && serial.modelContext === executor.modelContext)
    #expect(sent is DefaultSerialModelExecutor)
    _ = executor.asUnownedSerialExecutor()
  }

  @Test func resultsObservers() throws {
    let container = try ModelContainer(for: Ship.self, configurations: memory())
    let context = ModelContext(container)
    let descriptor = FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.name)])
    let filter = #Predicate<Ship> { $0.hull > 0 }
    let order = [SortDescriptor(\Ship.name)]
    let plain: [ResultsObserver<Ship, Never>] = [
      try ResultsObserver(fetchDescriptor: descriptor, modelContext: context),
      try ResultsObserver(fetchDescriptor: descriptor, modelContainer: container),
      try ResultsObserver(filterBy: filter, sortBy: order, modelContext: context),
      try ResultsObserver(filterBy: filter, sortBy: order, modelContainer: container),
    ]
    let titled: [ResultsObserver<Ship, String>] = [
      try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.yard, modelContext: context),
      try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.yard, modelContainer: container),
      try ResultsObserver(filterBy: filter, sortBy: order, sectionBy: \.yard, modelContext: context),
      try ResultsObserver(
        filterBy: filter, sortBy: order, sectionBy: \.yard, modelContainer: container),
    ]
    context.insert(Ship(name: "Fram", hull: 1))
    try context.save()
    for observer in plain { observer.update() }
    for observer in titled { observer.update() }
    let observer = titled[0]
    let results: FetchResultsCollection<Ship> = observer.results
    let sections: SectionedResults<Ship, String> = try #require(observer.sections)
    let section: ResultsSection<Ship, String> = sections[0]
    #expect(results.count == 1 && section.title == "Stord" && section.count == 1)
    let place = try #require(observer.indexPath(for: results[0]))
    #expect(observer.element(at: place) === results[0] && observer.modelContext === context)
    observer.filterBy = nil
    observer.sortBy = []
    #expect(observer.sectionBy == \Ship.yard)
    observer.fetchDescriptor = descriptor
    let observable: any Observable = observer
    #expect(observable is ResultsObserver<Ship, String> && plain[0].filterBy == nil)
  }
}
