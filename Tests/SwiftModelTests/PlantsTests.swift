import Foundation
import TestSupport
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel
import TrellisSQLite

/// A type with raw values is stored in the same column whether another module or the target itself declares it, so the
/// type may move into the target.
struct PlantsTests {
  typealias Old = PlantsV1.Plant
  typealias New = PlantsV2.Plant

  private func withStore(_ body: (URL) throws -> Void) throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("plants \(UUID().uuidString).store")
    defer { try? FileManager.default.removeItem(at: url) }
    let context = ModelContext(try Self.open(url, PlantsV1.self))
    let plant = Old("Fern", .summer)
    plant.rank = .high
    plant.formerRank = .high
    plant.tolerant = .high
    plant.marks = [.rare, .edible]
    plant.soil = .clay(depth: 3)
    plant.formerHeight = Height(rawValue: nil)
    plant.whole = .summer
    plant.all = [.spring, .summer]
    context.insert(plant)
    context.insert(Old("Moss", .spring))
    try context.save()
    try body(url)
  }

  private static func open(
    _ url: URL, _ version: any VersionedSchema.Type, plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContainer {
    let schema = Schema(versionedSchema: version)
    return try ModelContainer(
      for: schema, migrationPlan: plan, configurations: ModelConfiguration(schema: schema, url: url))
  }

  @Test func columnsHaveRawValues() throws {
    try withStore { url in
      let row = try Connection(url.path, .existing).rows(
        "SELECT season, rank, formerRank, tolerant, marks, soil, whole FROM Plant WHERE name = 'Fern'")
      #expect(
        row == [
          [
            .text("summer"), .integer(10), .integer(10), .integer(10), .integer(3),
            .text(#"{"clay":{"depth":3}}"#), .text(#""summer""#),
          ]
        ])
    }
  }

  @Test func valuesAndPredicates() throws {
    try withStore { url in
      let context = ModelContext(try Self.open(url, PlantsV1.self))
      func names(_ predicate: Predicate<Old>) throws -> [String] {
        try context.fetch(FetchDescriptor<Old>(predicate: predicate, sortBy: [SortDescriptor(\.name)])).map(\.name)
      }
      let fern = try #require(
        try context.fetch(FetchDescriptor<Old>(predicate: #Predicate { $0.name == "Fern" })).first)
      #expect(fern.season == .summer && fern.rank == .high && fern.formerRank == .high && fern.tolerant == .high)
      #expect(fern.marks == [.rare, .edible] && fern.soil == .clay(depth: 3) && fern.whole == .summer)
      #expect(fern.height == Height(rawValue: nil) && fern.formerHeight == Height(rawValue: nil))
      let (summer, high, both) = (
        TestSupport.Season.summer, TestSupport.Rank.high, TestSupport.Marks([.rare, .edible])
      )
      let (noRank, clay) = (TestSupport.Rank?.none, Soil.clay(depth: 3))
      #expect(try names(#Predicate { $0.season == summer }) == ["Fern"])
      #expect(try names(#Predicate { $0.rank == high }) == ["Fern"])
      #expect(try names(#Predicate { $0.rank == noRank }) == ["Moss"])
      #expect(try names(#Predicate { $0.formerRank == nil }) == ["Moss"])
      #expect(try names(#Predicate { $0.tolerant != high }) == ["Moss"])
      #expect(try names(#Predicate { $0.marks == both }) == ["Fern"])
      #expect(try names(#Predicate { $0.soil == clay }) == ["Fern"])
      #expect(try names(#Predicate { $0.whole == summer }) == ["Fern"])
      #expect(try names(#Predicate { $0.season.rawValue == "spring" }) == ["Moss"])
    }
  }

  @Test func enumsMoveIntoTheTarget() throws {
    try withStore { url in
      let context = ModelContext(try Self.open(url, PlantsV2.self, plan: PlantsPlan.self))
      let plants = try context.fetch(FetchDescriptor<New>(sortBy: [SortDescriptor(\.name)]))
      #expect(plants.map(\.name) == ["Fern", "Moss"] && plants.map(\.season) == [.summer, .spring])
      #expect(plants.map(\.rank) == [.high, nil] && plants.map(\.formerRank) == [.high, nil])
      #expect(plants.map(\.tolerant) == [.high, .low] && plants.map(\.marks.rawValue) == [3, 1])
      #expect(plants.map(\.soil) == [.clay(depth: 3), .sand] && plants.map(\.whole) == [.summer, .spring])
      #expect(plants[0].all == [.spring, .summer])
      plants[1].season = .autumn
      try context.save()
    }
  }

  @Test func tombstones() throws {
    try withStore { url in
      let context = ModelContext(try Self.open(url, PlantsV1.self))
      for plant in try context.fetch(FetchDescriptor<Old>(sortBy: [SortDescriptor(\.name)])) {
        context.delete(plant)
        try context.save()
      }
      let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
      let found = changes.compactMap { change -> HistoryTombstone<Old>? in
        if case .delete(let delete as DefaultHistoryDelete<Old>) = change { delete.tombstone } else { nil }
      }
      try #require(found.count == 2)
      #expect(found.map { $0[\.season] as? TestSupport.Season } == [.summer, .spring])
      #expect(found.map { ($0[\.rank] as? TestSupport.Rank?) ?? nil } == [.high, nil])
      // Nil also counts as a value.
      #expect(found[1][\.rank] != nil)
      #expect(found.map { $0[\.soil] as? Soil } == [.clay(depth: 3), .sand])
      #expect(found.map { $0[\.height] as? Height } == [Height(rawValue: nil), Height(rawValue: nil)])
      #expect(found.map { $0[\.whole] as? TestSupport.Season } == [.summer, .spring])
    }
  }

  /// A raw value from a newer version stays in the store and is read as the default value.
  @Test func unknownRawValues() throws {
    try withStore { url in
      let database = try Connection(url.path, .existing)
      try database.execute("UPDATE Plant SET tolerant = 99 WHERE name = 'Fern'")
      let context = ModelContext(try Self.open(url, PlantsV1.self))
      let fern = try #require(
        try context.fetch(FetchDescriptor<Old>(predicate: #Predicate { $0.name == "Fern" })).first)
      #expect(fern.tolerant == .low)
      fern.name = "Tall fern"
      try context.save()
      #expect(try database.rows("SELECT tolerant FROM Plant WHERE name = 'Tall fern'") == [[.integer(99)]])
    }
  }

  /// Type aliases from other modules are stored in the same columns as the types that they stand for.
  @Test func aliases() throws {
    try withStore { url in
      let context = ModelContext(try Self.open(url, PlantsV1.self))
      let (first, second) = (PlantsV1.Bed("a", 250), PlantsV1.RaisedBed("b", 10, .clay(depth: 1)))
      (first.note, first.season, first.formerPrice) = ("dry", .spring, 9)
      (second.shape, second.corners) = (.square, [PlantsV1.Bed.Corner(x: 4)])
      context.insert(first)
      context.insert(second)
      try context.save()
      let rows = try Connection(url.path, .existing).rows(
        "SELECT label, price, formerPrice, note, season, soil, mark, levels, shape FROM Bed ORDER BY label")
      #expect(
        rows == [
          [.text("a"), .integer(250), .integer(9), .text("dry"), .text("spring"), .null, .null, .null, .null],
          [
            .text("b"), .integer(10), .integer(7), .null, .null, .text(#"{"clay":{"depth":1}}"#), .integer(2),
            .integer(2), .text("square"),
          ],
        ])

      let other = ModelContext(try Self.open(url, PlantsV1.self))
      func labels(_ predicate: Predicate<PlantsV1.Bed>) throws -> [String] {
        try other.fetch(FetchDescriptor<PlantsV1.Bed>(predicate: predicate, sortBy: [SortDescriptor(\.price)]))
          .map(\.label)
      }
      #expect(try labels(#Predicate { $0.price > 5 }) == ["b", "a"])
      #expect(try labels(#Predicate { $0.label.hasPrefix("a") && $0.formerPrice == 9 }) == ["a"])
      #expect(try labels(#Predicate { $0.note == nil }) == ["b"])
      #expect(try labels(#Predicate { $0.note == "dry" }) == ["a"])
      let raised = try #require(try other.fetch(FetchDescriptor<PlantsV1.RaisedBed>()).first)
      #expect(raised.soil == .clay(depth: 1) && raised.mark == .edible && raised.levels == 2 && raised.note == nil)
      #expect(raised.shape == .square && raised.corners == [PlantsV1.Bed.Corner(x: 4)])
      raised.soil = nil
      try other.save()
      let clay = PlantsV1.RaisedBed("c", 10, nil)
      other.insert(clay)
      try other.save()
      let bare = try ModelContext(Self.open(url, PlantsV1.self)).fetch(
        FetchDescriptor<PlantsV1.RaisedBed>(predicate: #Predicate { $0.soil == nil }))
      #expect(Set(bare.map(\.label)) == ["b", "c"])
    }
  }
}
