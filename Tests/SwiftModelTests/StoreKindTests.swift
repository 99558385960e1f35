import Foundation
import PostgresSupport
import TestSupport
import Testing
import Trellis
import TrellisPostgres

/// Tests of attributes whose types the generator does not see, in each kind of store.
struct StoreKindTests {
  enum Kind: CaseIterable { case file, memory, server }
  typealias Plant = PlantsV1.Plant
  typealias RaisedBed = PlantsV1.RaisedBed

  private static func container(_ kind: Kind, _ url: URL) throws -> ModelContainer {
    let schema = Schema(versionedSchema: PlantsV1.self)
    let configuration: any DataStoreConfiguration
    switch kind {
    case .file: configuration = ModelConfiguration(schema: schema, url: url)
    case .memory: configuration = ModelConfiguration(schema: schema, isStoredInMemoryOnly: true)
    case .server:
      var server = PostgresConfiguration(schema: schema, url: try PostgresServer.shared.get().url())
      server.schemaName = url.lastPathComponent
      configuration = server
    }
    return try ModelContainer(for: schema, configurations: [configuration])
  }

  @Test(arguments: Kind.allCases) func valuesAndPredicates(kind: Kind) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "plants\(UInt32.random(in: 0...UInt32.max))")
    defer { try? FileManager.default.removeItem(at: url) }
    let first = try Self.container(kind, url)
    let context = ModelContext(first)
    let plant = Plant("Fern", .summer)
    (plant.rank, plant.formerRank, plant.tolerant) = (.high, .high, .high)
    (plant.marks, plant.soil, plant.whole) = ([.rare, .edible], .clay(depth: 3), .summer)
    (plant.all, plant.formerHeight) = ([.spring, .summer], Height(rawValue: nil))
    context.insert(plant)
    context.insert(Plant("Moss", .spring))
    let bed = RaisedBed("a", 10, .clay(depth: 1))
    (bed.season, bed.shape, bed.corners) = (.summer, .square, [PlantsV1.Bed.Corner(x: 4)])
    context.insert(bed)
    context.insert(RaisedBed("b", 5, nil))
    try context.save()

    let again = ModelContext(kind == .memory ? first : try Self.container(kind, url))
    func names(_ predicate: Predicate<Plant>) throws -> [String] {
      try again.fetch(FetchDescriptor<Plant>(predicate: predicate)).map(\.name)
    }
    let (high, marks, clay) = (TestSupport.Rank.high, TestSupport.Marks([.rare, .edible]), Soil.clay(depth: 3))
    let fern = try #require(try again.fetch(FetchDescriptor<Plant>(predicate: #Predicate { $0.rank == high })).first)
    #expect(fern.season == .summer && fern.formerRank == .high && fern.tolerant == .high && fern.marks == marks)
    #expect(fern.soil == clay && fern.whole == .summer && fern.all == [.spring, .summer])
    #expect(fern.height == Height(rawValue: nil) && fern.formerHeight == Height(rawValue: nil))
    #expect(try names(#Predicate { $0.marks == marks }) == ["Fern"])
    #expect(try names(#Predicate { $0.soil == clay }) == ["Fern"])
    #expect(try names(#Predicate { $0.formerRank == nil }) == ["Moss"])
    #expect(try names(#Predicate { $0.season.rawValue == "spring" }) == ["Moss"])
    let beds = try again.fetch(FetchDescriptor<RaisedBed>(sortBy: [SortDescriptor(\.price, order: .reverse)]))
    #expect(beds.map(\.label) == ["a", "b"] && beds.map(\.season) == [.summer, nil])
    #expect(beds.map(\.soil) == [.clay(depth: 1), nil] && beds.map(\.shape) == [.square, .round])
    #expect(beds.map(\.mark) == [.edible, .edible] && beds.map(\.corners.count) == [1, 0])
    (beds[0].soil, beds[0].note, beds[1].season, beds[1].formerPrice) = (nil, "dry", .spring, 2)
    (fern.season, fern.formerRank, fern.soil) = (.spring, nil, .sand)
    try again.save()

    let last = ModelContext(kind == .memory ? first : try Self.container(kind, url))
    let found = try last.fetch(FetchDescriptor<RaisedBed>(predicate: #Predicate { $0.soil == nil }))
    #expect(Set(found.map(\.note)) == ["dry", nil] && Set(found.map(\.season)) == [.summer, .spring])
    #expect(Set(found.map(\.formerPrice)) == [7, 2])
    let plants = try last.fetch(FetchDescriptor<Plant>())
    #expect(plants.allSatisfy { $0.season == .spring && $0.formerRank == nil && $0.soil == .sand })
    if kind == .server { try last.container.erase() }
  }
}
