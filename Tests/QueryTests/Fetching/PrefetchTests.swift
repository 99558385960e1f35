import Foundation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct PrefetchTests {
  private func filled(_ kind: FetchFixture.Kind) throws -> FetchFixture {
    let fixture = try FetchFixture(kind)
    let guides = (0..<4).map { Guide(name: "g\($0)") }
    let labels = (0..<5).map { Label(name: "l\($0)") }
    let huts = (0..<6).map { Hut(name: "h\($0)") }
    for (number, hut) in huts.enumerated() { hut.owner = guides[number % 4] }
    try fixture.fill(30) { number, excursion in
      for leg in 0..<2 {
        excursion.legs.append(Leg(number: leg))
        excursion.legs[leg].hut = huts[(number + leg) % 6]
      }
      excursion.waypoints = [Waypoint(name: "b"), Waypoint(name: "a")]
      if number != 7 { excursion.guide = guides[number % 4] }
      excursion.labels = [labels[number % 5], labels[(number + 1) % 5]]
    }
    return fixture
  }

  private static var cases: [(path: PartialKeyPath<Excursion>, statements: Int, read: (Excursion) -> Bool)] {
    [
      (\.guide, 1, { $0.guide?.name == ($0.length == 7 ? nil : "g\($0.length % 4)") }),
      (\.legs, 1, { $0.legs.map(\.number).sorted() == [0, 1] }),
      (\.waypoints, 1, { $0.waypoints.map(\.name) == ["b", "a"] }),
      (\.labels, 1, { Set($0.labels.map(\.name)) == ["l\($0.length % 5)", "l\(($0.length + 1) % 5)"] }),
      (\.guide?.huts, 2, { ($0.guide?.huts.count ?? 1) >= 1 }),
      (\.guide?.excursions, 2, { $0.length == 7 || $0.guide?.excursions.contains($0) == true }),
      (\.guide!.huts, 2, { ($0.guide?.huts.count ?? 1) >= 1 }),
    ]
  }

  @Test(arguments: 0..<7)
  func S080_prefetchedRelationshipsNeedNoFurtherAccess(_ number: Int) throws {
    let fixture = try filled(.tables)
    let (path, statements, isRight) = Self.cases[number]
    let context = fixture.fresh()
    var descriptor = FetchDescriptor.byCode
    descriptor.relationshipKeyPathsForPrefetching = [path]
    var excursions: [Excursion] = []
    let fetch = try fixture.queries { excursions = try context.fetch(descriptor) }
    #expect(fetch.count == 1 + statements, "\(fetch)")
    // Repeated access in any order.
    let later = try fixture.queries { () throws in
      for excursion in excursions + excursions.reversed() { #expect(isRight(excursion)) }
    }
    #expect(later == [])
  }

  @Test func S080_severalRelationshipsAndSeveralFetches() throws {
    let fixture = try filled(.tables)
    let context = fixture.fresh()
    var descriptor = FetchDescriptor.byCode
    descriptor.relationshipKeyPathsForPrefetching = [\.guide, \.legs, \.labels, \.guide?.huts]
    var excursions: [Excursion] = []
    let fetch = try fixture.queries { excursions = try context.fetch(descriptor) }
    #expect(fetch.count == 5 || fetch.count == 6, "\(fetch)")
    func readAll() -> Bool {
      excursions.allSatisfy {
        $0.legs.count == 2 && $0.labels.count == 2 && ($0.guide != nil) == ($0.length != 7)
          && ($0.guide?.huts.count ?? 1) > 0
      }
    }
    #expect(try fixture.queries { _ = readAll() } == [])
    #expect(readAll())
    // A repeated fetch does not read models that are still in memory.
    let again = try fixture.queries { excursions = try context.fetch(descriptor) }
    #expect(again.count <= 3, "\(again)")
    #expect(try fixture.queries { _ = readAll() } == [])
  }

  @Test func nestedRelationshipsFromTheOtherEnd() throws {
    let fixture = try filled(.tables)
    let context = fixture.fresh()
    var descriptor = FetchDescriptor<Leg>()
    descriptor.relationshipKeyPathsForPrefetching = [\.hut?.owner, \.excursion?.labels]
    var legs: [Leg] = []
    let fetch = try fixture.queries { legs = try context.fetch(descriptor) }
    #expect(fetch.count == 5, "\(fetch)")
    let later = try fixture.queries { () throws in
      for leg in legs {
        #expect(leg.hut?.owner?.name.hasPrefix("g") == true)
        #expect(leg.excursion?.labels.count == 2)
      }
    }
    #expect(later == [])
  }

  @Test func batchesArePrefetched() throws {
    let fixture = try filled(.tables)
    var descriptor = FetchDescriptor.byCode
    descriptor.relationshipKeyPathsForPrefetching = [\.guide, \.legs]
    var seen = 0
    let context = fixture.fresh()
    let enumeration = try fixture.queries {
      try context.enumerate(descriptor, batchSize: 10) {
        seen += $0.legs.count + ($0.guide == nil ? 0 : 1)
      }
    }
    #expect(seen == 89 && enumeration.count == 1 + 3 * 3, "\(enumeration)")
    let collection = try fixture.queries {
      seen = try fixture.fresh().fetch(descriptor, batchSize: 10).reduce(0) { $0 + $1.legs.count }
    }
    // The other batches have the same guides as the first one, so the guides are not fetched again.
    #expect(seen == 60 && collection.count == 1 + 3 + 2 + 2)
  }

  @Test func snapshotsArePrefetchedWithOneQueryPerRelationship() throws {
    let fixture = try filled(.snapshots)
    var descriptor = FetchDescriptor<Excursion>()
    descriptor.relationshipKeyPathsForPrefetching = [\.guide, \.legs, \.labels, \.waypoints]
    var excursions: [Excursion] = []
    let fetch = try fixture.queries { excursions = try fixture.context.fetch(descriptor) }
    #expect(
      fetch.sorted()
        == ["fetch Excursion", "fetch Guide", "fetch Label", "fetch Leg", "fetch Waypoint"])
    let later = try fixture.queries { () throws in
      for excursion in excursions {
        #expect(excursion.legs.count == 2 && excursion.labels.count == 2)
        #expect(excursion.waypoints.map(\.name) == ["b", "a"])
        #expect((excursion.guide != nil) == (excursion.length != 7))
      }
    }
    #expect(later == [])
  }

  /// Related snapshots that a store returns without a request.
  @Test func S093_relatedSnapshotsProvideRelationships() throws {
    let fixture = try filled(.snapshots)
    fixture.sendsRelated = true
    let excursions = try fixture.context.fetch(FetchDescriptor<Excursion>())
    let later = try fixture.queries { () throws in
      for excursion in excursions {
        #expect(excursion.legs.count == 2 && excursion.labels.count == 2)
        #expect((excursion.guide != nil) == (excursion.length != 7))
      }
    }
    #expect(later == [])
  }

  @Test func pendingModelsArePrefetched() throws {
    let fixture = try filled(.tables)
    let context = fixture.fresh()
    let new = Excursion(code: "new")
    new.legs = [Leg(number: 5)]
    context.insert(new)
    let all = try context.fetch(.byCode)
    all[0].legs.removeLast()
    var descriptor = FetchDescriptor.byCode
    descriptor.relationshipKeyPathsForPrefetching = [\.legs, \.guide]
    let excursions = try context.fetch(descriptor)
    let later = try fixture.queries { () throws in
      #expect(excursions.map(\.legs.count) == [1] + Array(repeating: 2, count: 29) + [1])
      #expect(excursions.filter { $0.guide != nil }.count == 29)
    }
    #expect(later == [])
  }

  @Test func keyPathsOfAttributesAreRejected() throws {
    let fixture = try FetchFixture()
    for keyPath in [\Excursion.title, \.guide?.name, \.start] as [PartialKeyPath<Excursion>] {
      var descriptor = FetchDescriptor<Excursion>()
      descriptor.relationshipKeyPathsForPrefetching = [keyPath]
      #expect(throws: SwiftDataError.unsupportedKeyPath) { try fixture.context.fetch(descriptor) }
    }
  }
}
