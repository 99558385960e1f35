import Foundation
import RelationshipsGolden
import SampleTripsGolden
import Testing
import Trellis

/// Models of a class that the container does not contain.
@Suite struct UnknownClassTests {
  private let container: ModelContainer
  private let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Trip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  private func stored() throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])).map(\.name)
  }

  @Test func theErrorNamesTheClassAndTheContainersClasses() throws {
    context.insert(trip("known"))
    let library = Library()
    context.insert(library)
    context.insert(library)
    #expect(context.hasChanges)
    let error = #expect(throws: SwiftDataError.unknownSchema) { try context.save() }
    #expect(error?.details.map(\.model) == [library.persistentModelID])
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains("'Library'") && text.contains("'Trip'"))
    #expect(try stored() == [])
    #expect(context.hasChanges && context.insertedModelsArray.count == 1)
  }

  @Test func savesWithOnlyAnUnknownClassAreRejected() throws {
    context.insert(Library())
    #expect(throws: SwiftDataError.unknownSchema) { try context.save() }
    #expect(throws: SwiftDataError.unknownSchema) { try context.transaction {} }
  }

  @Test func deletingTheModelResolvesTheError() throws {
    let library = Library()
    context.insert(trip("known"))
    context.insert(library)
    #expect(throws: SwiftDataError.unknownSchema) { try context.save() }
    context.delete(library)
    try context.save()
    #expect(try stored() == ["known"])
    #expect(!context.hasChanges)
  }

  @Test func rollbackResolvesTheError() throws {
    context.insert(trip("dropped"))
    context.insert(Library())
    #expect(throws: SwiftDataError.unknownSchema) { try context.save() }
    context.rollback()
    #expect(!context.hasChanges)
    context.insert(trip("known"))
    try context.save()
    #expect(try stored() == ["known"])
  }

  @Test func throwingTransactionsRevertTheInsertion() throws {
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try context.transaction {
        context.insert(Library())
        throw Stop()
      }
    }
    #expect(!context.hasChanges)
    context.insert(trip("known"))
    try context.save()
    #expect(try stored() == ["known"])
  }

  /// An insertion by an observer at the start of a save is part of that save.
  @Test func insertionsByObserversAreRejected() throws {
    // Observers run on the thread of the save.
    nonisolated(unsafe) let (context, library) = (context, Library())
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.willSave, object: context, queue: nil
    ) { _ in context.insert(library) }
    defer { NotificationCenter.default.removeObserver(observer) }
    context.insert(trip("known"))
    #expect(throws: SwiftDataError.unknownSchema) { try context.save() }
    #expect(try stored() == [])
  }
}
