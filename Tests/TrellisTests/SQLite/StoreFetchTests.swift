import Foundation
import Testing

@testable import Trellis
@testable import TrellisModel

@Suite struct StoreFetchTests {
  private let fixture: StoreFixture
  private let store: DefaultStore

  init() throws {
    fixture = try StoreFixture(Journey.self, Member.self, Dog.self, Cat.self)
    store = try fixture.open()
    let journeys = (0..<10).map { number in
      Journey.Snapshot().with {
        $0.name = "journey \(number % 3)"
        $0.budget = Double(number)
      }
    }
    try store.save(insert: journeys.map { $0.snapshot() })
  }

  private func request<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) -> DataStoreFetchRequest<T> {
    DataStoreFetchRequest(descriptor: descriptor, editingState: StoreFixture.context)
  }

  private func budgets(_ descriptor: FetchDescriptor<Journey>) throws -> [Int] {
    let values = try store.values(Journey.Snapshot.self, descriptor)
    let rows = try store.fetchIdentifiers(request(descriptor))
    #expect(rows == values.map(\.persistentIdentifier))
    #expect(try store.fetchCount(request(descriptor)) == values.count)
    let result = try store.fetch(request(descriptor))
    #expect(result.fetchedSnapshots.map(\.persistentIdentifier) == rows)
    return values.map { Int($0.budget) }
  }

  @Test func filtersSortsAndPages() throws {
    #expect(try budgets(FetchDescriptor()) == Array(0..<10))
    var descriptor = FetchDescriptor<Journey>(
      predicate: #Predicate { $0.budget > 1 }, sortBy: [SortDescriptor(\.name, order: .reverse)])
    // Equal names are in key order.
    #expect(try budgets(descriptor) == [2, 5, 8, 4, 7, 3, 6, 9])
    descriptor.fetchLimit = 3
    descriptor.fetchOffset = 2
    #expect(try budgets(descriptor) == [8, 4, 7])
    descriptor.fetchOffset = 7
    #expect(try budgets(descriptor) == [9])
    descriptor.fetchOffset = 8
    #expect(try budgets(descriptor) == [])
    descriptor.fetchLimit = 0
    #expect(try budgets(descriptor) == [])
    descriptor = FetchDescriptor()
    descriptor.fetchOffset = 4
    #expect(try budgets(descriptor) == [4, 5, 6, 7, 8, 9])
  }

  @Test func rowsAreFetchedByIdentifier() throws {
    let all = try store.fetchIdentifiers(request(FetchDescriptor<Journey>()))
    let gone = PersistentIdentifier(token: all[0].token, row: 99)
    let strange = try PersistentIdentifier.identifier(
      for: "elsewhere", entityName: "Journey", primaryKey: 1)
    var budgets: [Double] = []
    try store.rows(of: [all[3], gone, strange, strange, all[1]]) { row in
      budgets.append(try Journey.Snapshot.read(&row).budget)
    }
    #expect(budgets == [3, 1])
    let cached = try store.cachedSnapshots(
      for: [all[2], gone], editingState: StoreFixture.context)
    #expect(cached[all[2]]?.value(named: "budget") as? Double == 2)
    #expect(cached.count == 1)
  }

  @Test func relatedModelsAreIncluded() throws {
    let journey = Journey.Snapshot().with { $0.name = "whole" }
    let lodging = Lodging.Snapshot()
    let stop = Stop.Snapshot().with { $0.journey = journey.persistentIdentifier }
    let saved = try store.save(
      insert: [
        journey.with { $0.lodging = lodging.persistentIdentifier }.snapshot(), lodging.snapshot(),
        stop.snapshot(),
      ])
    var descriptor = FetchDescriptor<Journey>(predicate: #Predicate { $0.name == "whole" })
    descriptor.relationshipKeyPathsForPrefetching = [\.lodging, \.stops]
    let result = try store.fetch(request(descriptor))
    #expect(Set(result.relatedSnapshots.keys) == [saved[1], saved[2]])
  }

  @Test func bulkDeletionIsLimitedToUnreferencedModels() throws {
    #expect(throws: DataStoreError.unsupportedFeature) {
      try store.delete(
        DataStoreBatchDeleteRequest<Journey>(predicate: nil, editingState: StoreFixture.context))
    }
    let other = try StoreFixture(Specimen.self)
    let specimens = try other.open()
    try specimens.save(
      insert: (0..<10).map { number in Specimen.Snapshot().with { $0.int = number }.snapshot() })
    try specimens.delete(
      DataStoreBatchDeleteRequest<Specimen>(
        predicate: #Predicate { $0.int % 2 == 0 }, editingState: StoreFixture.context))
    #expect(try specimens.values(Specimen.Snapshot.self).map(\.int) == [1, 3, 5, 7, 9])
    try specimens.delete(
      DataStoreBatchDeleteRequest<Specimen>(predicate: nil, editingState: StoreFixture.context))
    #expect(try specimens.values(Specimen.Snapshot.self).isEmpty)
  }
}
