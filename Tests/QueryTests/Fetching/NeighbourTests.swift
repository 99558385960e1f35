import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// The first read of a relationship loads it for all models of the fetch.
@Suite struct NeighbourTests {
  /// Excursions with two legs, two waypoints, and shared guides and labels.
  private func filled(_ kind: FetchFixture.Kind = .tables, _ count: Int = 60) throws -> FetchFixture {
    let fixture = try FetchFixture(kind)
    let guides = (0..<10).map { Guide(name: "g\($0)") }
    let labels = (0..<5).map { Label(name: "l\($0)") }
    let huts = (0..<20).map { Hut(name: "h\($0)") }
    for hut in huts { hut.owner = guides[0] }
    try fixture.fill(count) { number, excursion in
      // Set alternating ends, so that the order of rows differs from the order of codes.
      for leg in 0..<2 {
        excursion.legs.append(Leg(number: leg))
        excursion.legs[leg].hut = huts[number % 20]
      }
      excursion.waypoints = [Waypoint(name: "second \(number)"), Waypoint(name: "first \(number)")]
      excursion.guide = guides[number % 10]
      excursion.labels = [labels[number % 5]]
    }
    return fixture
  }

  private var shuffled: [FetchDescriptor<Excursion>] {
    [
      FetchDescriptor(), .byCode, FetchDescriptor(sortBy: [SortDescriptor(\.title), SortDescriptor(\.code)]),
      FetchDescriptor(sortBy: [SortDescriptor(\.code, order: .reverse)]),
      FetchDescriptor(predicate: #Predicate { $0.length % 7 != 3 }),
    ]
  }

  @Test func toManyRelationshipsAreLoadedForTheWholeFetch() throws {
    let fixture = try filled()
    for descriptor in shuffled {
      let context = fixture.fresh()
      let excursions = try context.fetch(descriptor)
      let queries = try fixture.queries { () throws in
        for excursion in excursions {
          #expect(excursion.legs.map(\.number) == [0, 1])
          #expect(excursion.waypoints.map { $0.name.prefix(1) } == ["s", "f"])
          #expect(excursion.labels.map(\.name) == ["l\(excursion.length % 5)"])
        }
      }
      #expect(queries.count == 3, "\(queries)")
    }
  }

  @Test func toOneRelationshipsAreLoadedForTheWholeFetch() throws {
    let fixture = try filled()
    for descriptor in shuffled {
      let context = fixture.fresh()
      let excursions = try context.fetch(descriptor)
      let queries = try fixture.queries { () throws in
        for excursion in excursions { #expect(excursion.guide?.name == "g\(excursion.length % 10)") }
      }
      #expect(queries.count == 1, "\(queries)")
    }
  }

  @Test func relationshipsOfRelatedModelsAreLoadedTogether() throws {
    let fixture = try filled()
    let context = fixture.fresh()
    let excursions = try context.fetch(.byCode)
    let queries = try fixture.queries { () throws in
      for excursion in excursions {
        for leg in excursion.legs { #expect(leg.hut?.owner?.name == "g0") }
        for label in excursion.labels { #expect(label.excursions.contains { $0 === excursion }) }
        #expect(excursion.guide?.excursions.count == 6)
      }
    }
    #expect(queries.count <= 9, "\(queries)")
  }

  @Test func snapshotStoresAreQueriedOnceForAllModels() throws {
    let fixture = try filled(.snapshots)
    let context = fixture.fresh()
    let excursions = try context.fetch(FetchDescriptor<Excursion>())
    let calls = try fixture.queries { () throws in
      for excursion in excursions {
        #expect(excursion.guide?.name == "g\(excursion.length % 10)")
        #expect(excursion.legs.map(\.number).sorted() == [0, 1])
        #expect(excursion.waypoints.map { $0.name.prefix(1) } == ["s", "f"])
        #expect(excursion.labels.map(\.name) == ["l\(excursion.length % 5)"])
      }
    }
    #expect(calls.sorted() == ["fetch Guide", "fetch Label", "fetch Leg", "fetch Waypoint"])
  }

  @Test func thousandsOfModelsAreLoadedInPortions() throws {
    let fixture = try FetchFixture()
    let guides = (0..<3_000).map { Guide(name: "g\($0)") }
    try fixture.fill(3_000) { number, excursion in
      excursion.guide = guides[number]
      excursion.legs = [Leg(number: number)]
    }
    let excursions = try fixture.context.fetch(.byCode)
    var queries = try fixture.queries { () throws in
      for excursion in excursions { #expect(excursion.guide?.name == "g\(excursion.length)") }
    }
    #expect(queries.count == 4)
    queries = try fixture.queries { () throws in
      for excursion in excursions { #expect(excursion.legs.first?.number == excursion.length) }
    }
    #expect(queries.count == 4)
  }

  /// The amount of data that is read in advance is bounded.
  @Test func longListsAreNotLoadedForOtherModels() throws {
    let fixture = try FetchFixture()
    try fixture.fill(20) { number, excursion in
      excursion.legs = (0..<1_500).map { Leg(number: $0) }
    }
    let excursions = try fixture.context.fetch(.byCode)
    #expect(excursions[10].legs.count == 1_500)
    let legs = fixture.context.tables.values.reduce(0) { $0 + $1.count } - excursions.count
    #expect(legs <= 5_000, "\(legs) legs in memory")
    for excursion in excursions { #expect(excursion.legs.count == 1_500) }
  }

  @Test func preloadedModelsAreNotRetained() throws {
    let fixture = try filled()
    let context = fixture.fresh()
    func registered() -> Int { context.tables.values.reduce(0) { $0 + $1.count } }
    do {
      let excursions = try context.fetch(.byCode)
      #expect(excursions[0].guide?.name == "g0" && excursions[0].labels.count == 1)
      // Values were read in advance, but no models were registered.
      #expect(registered() == 60)
      #expect(excursions[0].legs.count == 2)
      #expect(registered() == 60 + 120)
      #expect(!context.state.ahead.isEmpty)
    }
    #expect(registered() == 0)
    #expect(context.state.ahead.cache(of: try context.fetchIdentifiers(FetchDescriptor<Guide>())[0]) == nil)
  }

  @Test func preloadedRelationshipsFollowChanges() throws {
    let fixture = try filled(.tables, 20)
    let context = fixture.fresh()
    let excursions = try context.fetch(.byCode)
    // Reads guides, legs and labels of all models.
    #expect(excursions[0].guide?.name == "g0")
    #expect(excursions[0].legs.count == 2 && excursions[0].labels.count == 1)

    // Pending changes before the other models are read.
    let moved = try #require(excursions[0].legs.first)
    moved.excursion = excursions[1]
    #expect(excursions[1].legs.count == 3 && excursions[0].legs.count == 1)
    excursions[2].guide = excursions[3].guide
    #expect(excursions[2].guide?.name == "g3")
    let label = try #require(excursions[4].labels.first)
    context.delete(label)
    #expect(excursions[4].labels.isEmpty && excursions[9].labels.isEmpty)
    context.rollback()
    #expect(excursions[9].labels.map(\.name) == ["l4"])

    // Changes that another context saves.
    let other = fixture.fresh()
    for guide in try other.fetch(FetchDescriptor<Guide>()) { guide.name += "!" }
    for label in try other.fetch(FetchDescriptor<Label>()) where label.name == "l0" {
      other.delete(label)
    }
    try other.save()
    _ = try context.fetchCount(FetchDescriptor<Guide>())
    #expect(excursions[7].guide?.name == "g7!" && excursions[5].labels.isEmpty)

    // Changes that this context saves.
    let guide = try #require(excursions[8].guide)
    guide.name = "own"
    try context.save()
    #expect(excursions[18].guide?.name == "own")
  }

  @Test func unreadableRowsDoNotAffectTheirNeighbours() throws {
    let fixture = try filled(.tables, 12)
    let store = try #require(
      fixture.container.core.stores.first?.store as? DefaultStore)
    let context = fixture.fresh()
    let excursions = try context.fetch(.byCode)
    try store.pool.exclusively { connection in
      try connection.execute("PRAGMA foreign_keys = OFF")
      try connection.execute("DELETE FROM \"Guide\" WHERE \"name\" = 'g3'")
      try connection.execute("PRAGMA foreign_keys = ON")
    }
    #expect(excursions[0].guide?.name == "g0" && excursions[3].guide == nil)
    #expect(excursions[4].guide?.name == "g4")
  }
}
