import Foundation
import SampleTripsGolden
import Testing
import Trellis

@Suite struct JSONStoreTests {
  private let file = ScratchFile()

  private func container() throws -> ModelContainer {
    try ModelContainer(for: Trip.self, configurations: JSONStore.Configuration(url: file.url))
  }

  @Test func listsSurviveARollbackAfterASave() throws {
    let context = ModelContext(try container())
    let model = trip("trip")
    model.bucketList = [BucketListItem(title: "a")]
    context.insert(model)
    try context.save()
    model.name = "other"
    context.rollback()
    #expect(model.bucketList.map(\.title) == ["a"])
    BucketListItem(title: "b").trip = model
    try context.save()
    model.name = "other"
    context.rollback()
    #expect(model.bucketList.map(\.title) == ["a", "b"])
  }

  @Test func reopeningRestoresTheWholeGraph() throws {
    do {
      let context = ModelContext(try container())
      let model = trip("trip")
      context.insert(model)
      try context.save()
      BucketListItem(title: "a").trip = model
      try context.save()
      model.name = "other"
      try context.save()
      BucketListItem(title: "b").trip = model
      try context.save()
    }
    let context = ModelContext(try container())
    let models = try context.fetch(FetchDescriptor<Trip>())
    #expect(models.map(\.name) == ["other"])
    #expect(models.first?.bucketList.map(\.title) == ["a", "b"])
    #expect(models.first?.bucketList.allSatisfy { $0.trip === models.first } == true)
    let second = FetchDescriptor<BucketListItem>(predicate: #Predicate { $0.title == "b" })
    #expect(try context.fetchCount(second) == 1)
  }
}
