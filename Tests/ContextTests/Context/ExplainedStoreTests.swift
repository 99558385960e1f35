import Foundation
import SampleTripsGolden
import Testing
import Trellis

/// The explanation for a store without SQL names the parts that the context evaluates.
@Suite struct ExplainedStoreTests {
  private let file = ScratchFile()

  @Test func theContextCompletesFetchesOfAStoreWithoutSQL() throws {
    let container = try ModelContainer(
      for: Trip.self, configurations: JSONStore.Configuration(url: file.url))
    let context = ModelContext(container)
    for name in ["b", "C", "a"] { context.insert(trip(name)) }
    try context.save()
    let descriptor = FetchDescriptor<Trip>(
      predicate: #Predicate { $0.name != "b" }, sortBy: [SortDescriptor(\.name.localizedStandard)])
    let explanation = try descriptor.explain(in: context)
    #expect(!explanation.runsInStore)
    #expect(explanation.sql == nil && explanation.queryPlan.isEmpty)
    #expect(explanation.parts.map(\.place) == [.memory, .memory])
    #expect(explanation.parts.allSatisfy { $0.reason?.contains("the context does") == true })
    #expect(try context.fetch(descriptor).map(\.name) == ["a", "C"])
  }

  /// A store without SQL may ignore limit and offset, so the context finishes the page.
  @Test(arguments: [(2, nil), (2, 1), (nil, 1)] as [(Int?, Int?)])
  func pagesAreNotAttributedToAStoreWithoutExplanations(_ limit: Int?, _ offset: Int?) throws {
    let container = try ModelContainer(
      for: Trip.self, configurations: JSONStore.Configuration(url: file.url))
    let context = ModelContext(container)
    for name in ["b", "C", "a"] { context.insert(trip(name)) }
    try context.save()
    var descriptor = FetchDescriptor<Trip>()
    (descriptor.fetchLimit, descriptor.fetchOffset) = (limit, offset)
    let explanation = try descriptor.explain(in: context)
    #expect(explanation.parts.map(\.kind) == [.page] && explanation.parts.map(\.place) == [.both])
    #expect(!explanation.runsInStore && explanation.description.contains("cannot explain its queries"))
    // The store ignores limits.
    #expect(try context.fetch(descriptor).count == 2)
  }
}
