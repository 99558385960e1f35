import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Testing
import Trellis
import TrellisJSON

/// The lines of a JSON file's history after migrations. A migration does not rewrite lines.
@Suite struct JSONHistoryMigrationTests {
  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  private var file: URL { fixture.folder.appending(path: "test.json") }
  private var lines: [String] {
    get throws {
      try String(contentsOf: file.appendingPathExtension("history"), encoding: .utf8)
        .split(separator: "\n").map(String.init)
    }
  }

  /// Opens the file, runs the body and closes the file, like a program.
  @discardableResult private func run<R>(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil,
    isRecorded: Bool = true, _ body: (ModelContext) throws -> R
  ) throws -> R {
    let schema = Schema(versionedSchema: version)
    var configuration = JSONFileConfiguration(schema: schema, url: file)
    configuration.history.isRecorded = isRecorded
    let context = ModelContext(
      try ModelContainer(for: schema, migrationPlan: plan, configurations: [configuration]))
    return try withExtendedLifetime(context) { try body(context) }
  }

  private func all(_ context: ModelContext) throws -> [DefaultHistoryTransaction] {
    try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
  }

  private enum First: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [PlanTests.V1.self] }
    static var stages: [MigrationStage] { [] }
  }

  private enum FirstGauge: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [ValueFormTests.V1.self] }
    static var stages: [MigrationStage] { [] }
  }

  /// The changes of pairs and journeys, one per class.
  private func words(_ context: ModelContext) throws -> [String] {
    try all(context).flatMap(\.changes).compactMap { change in
      switch change {
      case .update(let update as DefaultHistoryUpdate<ClassicV1.Pair>):
        (update.containsAttribute(\.left) ? "left" : "") + (update.containsAttribute(\.right) ? "right" : "")
      case .update(let update as DefaultHistoryUpdate<ClassicV2.Pair>):
        (update.containsAttribute(\.left) ? "left" : "") + (update.containsAttribute(\.right) ? "right" : "")
      case .update(let update as DefaultHistoryUpdate<ClassicV2.Voyage>):
        update.containsAttribute(\.harbour) ? "harbour" : "-"
      case .update(let update as DefaultHistoryUpdate<ClassicV3.Cruise>):
        update.containsAttribute(\.harbour) ? "harbour" : "-"
      case .delete(let delete as DefaultHistoryDelete<ClassicV2.Pair>):
        "\(delete.tombstone[\.right] ?? "nothing") \(delete.tombstone.map { "\($0)" })"
      case .insert, .update, .delete: nil
      }
    }
  }

  private func record() throws {
    try run(PlanTests.V1.self, First.self) { (context) throws in
      let (journey, pair) = (ClassicV1.Journey(place: "Oslo"), ClassicV1.Pair(left: "l", right: "r"))
      try context.add([journey, pair])
      journey.place = "Bergen"
      pair.left = "left"
      try context.save()
      context.delete(pair)
      try context.save()
    }
  }

  private static let told = ["harbour", "right", "left [\"left\"]"]

  @Test func namesFollow_andTheLinesStay() throws {
    try record()
    let before = try lines
    for _ in 0..<3 {
      try run(PlanTests.V2.self, PlanTests.ToSecond.self) { (context) throws in
        #expect(try Set(words(context)) == Set(Self.told))
        #expect(try all(context).map(\.id) == [1, 2, 3] && all(context).map(\.isComplete) == [true, true, true])
      }
    }
    #expect(try lines.starts(with: before) && lines.count == before.count + 1)
    // Changes after the migration and after another one.
    try run(PlanTests.V2.self, PlanTests.ToSecond.self) { (context) throws in
      try context.add([ClassicV2.Pair(left: "a", right: "b")])
      let pair = try #require(try context.all(ClassicV2.Pair.self).first)
      pair.left = "c"
      try context.save()
      context.delete(pair)
      try context.save()
      #expect(try words(context).suffix(2) == ["left", "b [\"b\"]"])
    }
    try run(PlanTests.V2.self, PlanTests.ToSecond.self) { (context) throws in
      #expect(try words(context).suffix(2) == ["left", "b [\"b\"]"])
      #expect(try words(context).count == 5)
    }
    try run(PlanTests.V3.self, PlanTests.Inferred.self) { (context) throws in
      #expect(try words(context) == ["harbour"])
      #expect(try all(context).map(\.id) == [1, 2, 3, 4, 5, 6])
      #expect(try all(context).map(\.changes.count) == [1, 1, 0, 0, 0, 0])
    }
  }

  /// The process is killed after it wrote the line and before it wrote the file, or an old file is restored. Only the
  /// renames in valid lines apply, each once.
  @Test func aMigrationThatWasTakenBack_renamesNothing() throws {
    try record()
    let old = try Data(contentsOf: file)
    for _ in 0..<3 {
      try run(PlanTests.V2.self, PlanTests.ToSecond.self) { (context) throws in
        #expect(try Set(words(context)) == Set(Self.told))
      }
      try run(PlanTests.V2.self, PlanTests.ToSecond.self) { (context) throws in
        try context.add([ClassicV2.Pair(left: "never", right: "never")])
        #expect(try Set(words(context)) == Set(Self.told))
      }
      try old.write(to: file)
    }
    try run(PlanTests.V1.self, First.self) { (context) throws in
      #expect(try words(context) == ["left"])
      try context.add([ClassicV1.Pair(left: "x", right: "y")])
      let pair = try #require(try context.all(ClassicV1.Pair.self).first)
      pair.right = "z"
      try context.save()
      #expect(try words(context) == ["left", "right"])
    }
    try run(PlanTests.V2.self, PlanTests.ToSecond.self) { (context) throws in
      #expect(try words(context).sorted() == (Self.told + ["left"]).sorted())
    }
  }

  /// Rewritten lines use the current names.
  @Test func whatIsForgotten_afterAMigration() throws {
    try record()
    try run(PlanTests.V2.self, PlanTests.ToSecond.self) { (context) throws in
      let first: Int64 = 1
      try context.deleteHistory(
        HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.id == first }))
      #expect(try Set(words(context)) == Set(Self.told))
    }
    #expect(try !lines.joined().contains("Journey"))
    for _ in 0..<2 {
      try run(PlanTests.V2.self, PlanTests.ToSecond.self) { (context) throws in
        #expect(try Set(words(context)) == Set(Self.told))
        #expect(try all(context).map(\.id) == [2, 3])
      }
    }
    #expect(try run(PlanTests.V3.self, PlanTests.Inferred.self) { try words($0) } == ["harbour"])
  }

  /// A history without the names that its lines use is damaged. The models are not concerned.
  @Test func linesWithoutNames() throws {
    try record()
    let history = file.appendingPathExtension("history")
    let bare = try lines.map { line in
      line.replacing(#/,"(models|names|namesBefore)":("[^"]*"|\{("\w+":\{[^}]*\},?)*\})/#, with: "")
    }
    #expect(!bare.joined().contains("models\"") && !bare.joined().contains("names\""))
    try Data((bare.joined(separator: "\n") + "\n").utf8).write(to: history)
    try run(PlanTests.V1.self, First.self) { (context) throws in
      #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try words(context) }
      _ = try context.fetchCount(FetchDescriptor<ClassicV1.Pair>())
    }
  }

  @Test func aProgramThatRecordsNothing_migrates() throws {
    try record()
    try run(PlanTests.V2.self, PlanTests.ToSecond.self, isRecorded: false) { (context) throws in
      #expect(try Set(words(context)) == Set(Self.told))
    }
    try run(PlanTests.V2.self, PlanTests.ToSecond.self) { (context) throws in
      // Without a plan, the declared original names apply.
      #expect(try words(context).contains("harbour"))
      #expect(try all(context).map(\.isComplete) == [true, true, true, false])
    }
  }

  @Test func tombstonesLeaveOutWhatMeansSomethingElseNow() throws {
    try run(ValueFormTests.V1.self, FirstGauge.self) { (context) throws in
      let gauge = ClassicV1.Gauge(
        byte: 5, wide: 6, taken: Date(timeIntervalSinceReferenceDate: 7), price: 8, spot: .init(x: 1, y: 2))
      try context.add([gauge])
      context.delete(gauge)
      try context.save()
    }
    for round in 0..<2 {
      try run(ValueFormTests.V2.self, ValueFormTests.Plan.self) { (context) throws in
        let deletions = try all(context).flatMap(\.changes).compactMap { change in
          if case .delete(let deletion as DefaultHistoryDelete<ClassicV2.Gauge>) = change { deletion } else { nil }
        }
        let tombstone = try #require(deletions.first).tombstone
        #expect(tombstone.map { "\($0)" } == ["6"] && tombstone[\.wide] as? Int64 == 6)
        // A migration step ran, so the history has a gap.
        #expect(try all(context).map(\.isComplete) == [true, true, false])
        guard round == 0 else { return }
        // The result does not change when the lines are rewritten.
        try context.deleteHistory(
          HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.id < 1 }))
      }
    }
  }
}
