import Foundation
import RelationshipsGolden
import SampleTripsGolden
import Testing
import Trellis

@Suite struct SeveralStoresTests {
  @Test func disjointSchemasLiveInTheirOwnStores() throws {
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
}
