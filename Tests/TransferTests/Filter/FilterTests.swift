import Foundation
import RelationshipsGolden
import SampleTripsGolden
import StoreTransfer
import TestSupport
import Testing
import Trellis
import ValuesGolden

/// A filter finds the rows that a fetch with the same predicate finds.
@Suite struct FilterTests {
  @Test func filtersOfTripsFindWhatFetchesFind() throws {
    let store = try FilterStore(
      "SampleTrips", Schema(versionedSchema: SampleTripsSchema.V3_0_0.self), fill: insertTrips)
    defer { store.remove() }
    try Self.compare(TripFilters.trips, "Trip", in: store, selective: 60)
    try Self.compare(TripFilters.items, "BucketListItem", in: store, selective: 12)
  }

  @Test func filtersOverRelationshipsFindWhatFetchesFind() throws {
    let store = try FilterStore("Relationships", Schema(versionedSchema: RelationshipsSchema.V2_0_0.self))
    defer { store.remove() }
    try Self.compare(RelationshipFilters.readers, "Reader", in: store, selective: 5)
    try Self.compare(RelationshipFilters.books, "Book", in: store, selective: 2)
  }

  @Test func filtersOverEveryTypeFindWhatFetchesFind() throws {
    let store = try FilterStore("Values", Schema(versionedSchema: ValuesSchema.V3_0_0.self))
    defer { store.remove() }
    try Self.compare(ValueFilters.everything, "Everything", in: store, selective: 20)
    try Self.compare(ValueFilters.perhaps, "Perhaps", in: store, selective: 10)
    try Self.compare(ValueFilters.measurements, "Measurement", in: store, selective: 2)
  }

  /// - Parameter selective: The number of filters that must find some rows but not all of them.
  private static func compare<Model: PersistentModel>(
    _ cases: [FilterCase<Model>], _ entity: String, in store: FilterStore, selective: Int
  ) throws {
    let count = try ModelContext(store.container).fetchCount(FetchDescriptor<Model>())
    var found = 0
    for test in cases {
      let comment = Comment(rawValue: test.text)
      do {
        let filter = try store.schema.filter(test.text, entity)
        let keys = try filter.keys(in: store.connection)
        #expect(try keys == store.fetched(test.predicate), comment)
        let reason = try filter.reasonForMemory(in: store.connection)
        #expect(try (reason == nil) == store.runsInStore(test.predicate), "\(test.text): \(reason ?? "in SQL")")
        switch try filter.selection(in: store.connection) {
        case .condition(let sql):
          let selected = try store.connection.integers(
            "SELECT \(filter.key) FROM \(filter.source) WHERE \(sql) ORDER BY \(filter.key)")
          #expect(selected == keys, comment)
        case .keys(let evaluated): #expect(evaluated == keys, comment)
        }
        if !keys.isEmpty, keys.count < count { found += 1 }
      } catch {
        Issue.record("\(test.text): \(error)")
      }
    }
    #expect(found >= selective, "\(entity): only \(found) of \(cases.count) filters select some rows")
  }
}
