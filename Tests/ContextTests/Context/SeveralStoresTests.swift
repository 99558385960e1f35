import Foundation
import RelationshipsGolden
import SampleTripsGolden
import Testing
import Trellis

@Suite struct SeveralStoresTests {
  @Test func disjointSchemasHaveSeparateStores() throws {
    let container = try ModelContainer(
      for: Trip.self, Library.self,
      configurations: ModelConfiguration(
        "trips", schema: Schema([Trip.self]), isStoredInMemoryOnly: true),
      ModelConfiguration("books", schema: Schema([Library.self]), isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let other = ModelContext(container)
    let book = Book(title: "book", firstReader: reader("first"))
    context.insert(book)
    context.insert(trip("trip"))
    book.firstReader.firstBook = nil
    #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
    #expect(context.insertedModelsArray.count == 3)
    #expect(try other.fetchCount(FetchDescriptor<Trip>()) == 0)
    book.firstReader = reader("second")
    try context.save()
    #expect(try other.fetchCount(FetchDescriptor<Trip>()) == 1)
    #expect(try other.fetchCount(FetchDescriptor<Book>()) == 1)
  }

  @Test func aReadOnlyStoreKeepsPendingChangesPending() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "trips.store")
    do {
      let context = ModelContext(
        try ModelContainer(for: Trip.self, configurations: ModelConfiguration(url: url)))
      context.insert(trip("saved"))
      try context.save()
    }
    let context = ModelContext(
      try ModelContainer(
        for: Trip.self, configurations: ModelConfiguration(url: url, allowsSave: false)))
    let model = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
    model.name = "changed"
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try context.save() }
    #expect(context.hasChanges && model.name == "changed")
    context.rollback()
    #expect(model.name == "saved")
  }

  @Test func noStoreSavesIfAnotherIsReadOnly() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func container(allowsSave: Bool) throws -> ModelContainer {
      try ModelContainer(
        for: Trip.self, Library.self,
        configurations: ModelConfiguration(
          "trips", schema: Schema([Trip.self]), url: folder.appending(path: "trips.store")),
        ModelConfiguration(
          "books", schema: Schema([Library.self]), url: folder.appending(path: "books.store"),
          allowsSave: allowsSave))
    }
    do {
      let context = ModelContext(try container(allowsSave: true))
      context.insert(trip("saved"))
      context.insert(Library())
      try context.save()
    }
    let shared = try container(allowsSave: false)
    let (context, other) = (ModelContext(shared), ModelContext(shared))
    let model = try #require(try context.fetch(FetchDescriptor<Trip>()).first)
    let twin = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
    model.name = "changed"
    context.insert(Library())
    #expect(throws: SwiftDataError.loadIssueModelContainer) { try context.save() }
    #expect(try other.fetchCount(FetchDescriptor<Trip>()) == 1)
    #expect(twin.name == "saved")
    #expect(try ModelContext(shared).fetch(FetchDescriptor<Trip>()).map(\.name) == ["saved"])
    #expect(context.changedModelsArray.count == 1 && context.insertedModelsArray.count == 1)
    for library in context.insertedModelsArray.compactMap({ $0 as? Library }) { context.delete(library) }
    try context.save()
    #expect(try ModelContext(shared).fetch(FetchDescriptor<Trip>()).map(\.name) == ["changed"])
  }
}
