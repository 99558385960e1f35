import Foundation
import InheritanceGolden
import RelationshipsGolden
import SampleTripsGolden
import Testing
import Trellis
import TrellisTesting
import ValuesGolden

/// Tests of populated stores created from a schema.
struct StoreFixtureTests {
  static let versions: [any VersionedSchema.Type] = [
    SampleTripsSchema.V1_0_0.self, SampleTripsSchema.V2_0_0.self, SampleTripsSchema.Current.self,
    InheritanceSchema.V1_0_0.self, InheritanceSchema.Current.self, ShapesSchema.Current.self,
    RelationshipsSchema.Current.self, ValuesSchema.Current.self,
  ]

  /// Runs a test with a temporary folder.
  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fixture-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private func open(_ version: any VersionedSchema.Type, _ url: URL) throws -> ModelContext {
    ModelContext(
      try ModelContainer(
        for: Schema(versionedSchema: version), configurations: ModelConfiguration(url: url)))
  }

  @Test(arguments: versions) func everySchemaCanBePopulated(_ version: any VersionedSchema.Type) throws {
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try StoreFixture(version).write(to: url)
      let context = try open(version, url)
      func count<M: PersistentModel>(_: M.Type) throws -> Int {
        try context.fetch(FetchDescriptor<M>()).count
      }
      for model in version.models { #expect(try count(model) >= 12, "\(model)") }
    }
  }

  @Test func valuesIncludeLimits() throws {
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try StoreFixture(SampleTripsSchema.Current.self).write(to: url)
      let context = try open(SampleTripsSchema.Current.self, url)
      let trips = try context.fetch(FetchDescriptor<Trip>())
      #expect(Set(trips.map(\.kind)) == Set(TripKind.allCases))
      #expect(trips.contains { $0.budget == nil })
      #expect(trips.contains { $0.budget == Decimal(string: "99999999999999999999999999999999999999") })
      #expect(trips.contains { $0.address == nil })
      #expect(trips.contains { $0.address?.postalCode == nil && $0.address != nil })
      #expect(trips.contains { $0.address?.postalCode != nil })
      #expect(trips.contains { $0.photo?.count == 300_000 })
      #expect(trips.contains { $0.bucketList.isEmpty })
      #expect(trips.contains { !$0.bucketList.isEmpty })
      #expect(trips.contains { $0.livingAccommodation == nil })
      #expect(trips.contains { $0.livingAccommodation?.trip === $0 })
      let items = try context.fetch(FetchDescriptor<BucketListItem>())
      #expect(Set(items.map(\.priority)) == Set(Priority.allCases))
      // Some values are equal, so that a later version can add uniqueness.
      #expect(Set(items.map(\.title)).count < items.count)
    }
  }

  @Test func shapesOfRelationshipsAndValues() throws {
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try StoreFixture(ShapesSchema.Current.self).write(to: url)
      let context = try open(ShapesSchema.Current.self, url)
      let vehicles = try context.fetch(FetchDescriptor<Vehicle>())
      #expect(vehicles.contains { $0 is Truck } && vehicles.contains { !($0 is Truck) })
      #expect(vehicles.contains { $0.state == .parked })
      #expect(vehicles.contains { if case .moving(let speed, _) = $0.state { speed != 0 } else { false } })
      #expect(vehicles.contains { if case .sold(to: .friend) = $0.state { true } else { false } })
      #expect(vehicles.contains { $0.history.count == 3 })
      #expect(vehicles.contains { $0.owner == nil } && vehicles.contains { $0.owner != nil })
      let trailers = try context.fetch(FetchDescriptor<Trailer>())
      #expect(trailers.count >= 12)
      #expect(trailers.allSatisfy { $0.truck.trailer === $0 })
      let people = try context.fetch(FetchDescriptor<Person>())
      #expect(people.contains { $0.clubs.count > 1 } && people.contains { !$0.friends.isEmpty })
      let clubs = try context.fetch(FetchDescriptor<Club>())
      #expect(clubs.allSatisfy { !$0.members.isEmpty })
    }
  }

  @Test func fixturesAreDeterministic() throws {
    try inFolder { folder in
      var texts: [[String]] = []
      for name in ["a", "b"] {
        let url = folder.appendingPathComponent("\(name).store")
        try StoreFixture(SampleTripsSchema.Current.self).write(to: url)
        let context = try open(SampleTripsSchema.Current.self, url)
        texts.append(
          try context.fetch(FetchDescriptor<Trip>()).map { trip in
            "\(trip.name) \(trip.startDate.timeIntervalSinceReferenceDate) \(trip.kind) \(trip.bucketList.map(\.title))"
          })
      }
      #expect(texts[0] == texts[1])
    }
  }

  @Test func existingFilesAreNotOverwritten() throws {
    try inFolder { folder in
      let url = folder.appendingPathComponent("a.store")
      try Data("mine".utf8).write(to: url)
      #expect(throws: StoreFixtureError.self) {
        try StoreFixture(SampleTripsSchema.Current.self).write(to: url)
      }
      #expect(try Data(contentsOf: url) == Data("mine".utf8))
    }
  }
}
