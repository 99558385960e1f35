import Foundation
import RelationshipsGolden
import SampleTripsGolden
import Testing
import Trellis

@Suite struct TwoContextsTests {
  let fixture: ContextFixture
  let context: ModelContext
  let other: ModelContext

  init() throws {
    fixture = try ContextFixture()
    context = fixture.context
    other = fixture.fresh()
  }

  @Test func additionsOfBothContextsToAListAreKept() throws {
    let library = Library()
    let names = ["a", "b", "c"]
    let readers = names.map(reader)
    library.readers = [readers[0]]
    context.insert(library)
    readers.forEach(context.insert)
    try context.save()
    let twin = try #require(try other.fetch(FetchDescriptor<Library>()).first)
    let twins = try other.fetch(FetchDescriptor<Reader>(sortBy: [SortDescriptor(\.name)]))
    twin.readers.append(twins[1])
    library.readers.append(readers[2])
    try context.save()
    try other.save()
    #expect(twin.readers.map(\.name).sorted() == names)
    _ = try context.fetch(FetchDescriptor<Library>())
    #expect(library.readers.map(\.name).sorted() == names)
    let stored = try #require(try fixture.fresh().fetch(FetchDescriptor<Library>()).first)
    #expect(stored.readers.map(\.name).sorted() == names)
  }

  @Test func childrenOfBothContextsAppearAfterTheSave() throws {
    let models = ["mentor", "a", "b"].map(reader)
    models.forEach(context.insert)
    try context.save()
    let twins = try other.fetch(FetchDescriptor<Reader>(sortBy: [SortDescriptor(\.name)]))
    twins[2].pupils.append(twins[0])
    models[0].pupils.append(models[2])
    try context.save()
    try other.save()
    #expect(twins[2].pupils.map(\.name).sorted() == ["a", "b"])
    _ = try context.fetch(FetchDescriptor<Library>())
    #expect(models[0].pupils.map(\.name).sorted() == ["a", "b"])
  }

  @Test func changedModelsReceiveOtherColumnsFromSavesElsewhere() throws {
    let model = trip("a")
    context.insert(model)
    try context.save()
    let twin = try #require(try other.fetch(FetchDescriptor<Trip>()).first)
    twin.destination = "Oslo"
    twin.budget = 100
    try other.save()
    model.name = "mine"
    model.budget = 200
    try context.save()
    #expect(model.destination == "Oslo" && model.budget == 200)
    let stored = try #require(try fixture.fresh().fetch(FetchDescriptor<Trip>()).first)
    #expect(stored.name == "mine" && stored.destination == "Oslo" && stored.budget == 200)
  }

  @Test func partnersAssignedInBothContextsHaveOneReference() throws {
    let models = ["a", "b", "c"].map(reader)
    models.forEach(context.insert)
    try context.save()
    let twins = try other.fetch(FetchDescriptor<Reader>(sortBy: [SortDescriptor(\.name)]))
    twins[0].spouse = twins[2]
    models[0].spouse = models[1]
    try context.save()
    try other.save()
    #expect(try fixture.storedReaders().map { $0.spouse?.name } == ["c", nil, "a"])
    _ = try context.fetch(FetchDescriptor<Reader>())
    #expect(models.map { $0.spouse?.name } == ["c", nil, "a"])
  }

  @Test func aMergeByUniqueValuesReachesTheOtherContext() throws {
    let model = trip("a", "first")
    context.insert(model)
    try context.save()
    other.insert(trip("a", "second"))
    try other.save()
    _ = try context.fetch(FetchDescriptor<BucketListItem>())
    #expect(model.destination == "second")
  }

  @Test func readersSeeCompleteSavesDuringConcurrentWrites() async throws {
    let container = fixture.container
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        let writer = ModelContext(container)
        for number in 0..<40 {
          let model = trip("trip \(number)")
          model.bucketList = [BucketListItem(title: "a"), BucketListItem(title: "b")]
          writer.insert(model)
          try writer.save()
          guard number % 5 == 4 else { continue }
          writer.delete(model)
          try writer.save()
        }
      }
      for _ in 0..<3 {
        group.addTask {
          let reading = ModelContext(container)
          for _ in 0..<40 {
            for model in try reading.fetch(FetchDescriptor<Trip>()) {
              // The list is empty if the writer deleted the trip.
              #expect([0, 2].contains(model.bucketList.count))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try context.fetchCount(FetchDescriptor<BucketListItem>()) == 64)
  }
}
