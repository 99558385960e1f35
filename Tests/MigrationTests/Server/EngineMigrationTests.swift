import ClassicV1
import ClassicV2
import Foundation
import PostgresSupport
import TestTraits
import Testing
import Trellis
import TrellisPostgres

/// Migrations with the profiles of other engines, behind a proxy that rejects the features that an engine lacks.
@Suite(.serialized, .waiting) struct EngineMigrationTests {
  private typealias V1 = RolloutSchema.V1_0_0
  private typealias V2 = RolloutSchema.V2_0_0
  private typealias Old = SameAsAFileTests.Old
  private typealias New = SameAsAFileTests.New
  private typealias Plan = SameAsAFileTests.Plan

  private typealias First = RolloutPlan.First
  private typealias Second = RolloutPlan.Second

  private func open(
    _ configuration: PostgresConfiguration, _ version: any VersionedSchema.Type,
    _ plan: (any SchemaMigrationPlan.Type)? = nil
  ) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    return ModelContext(try ModelContainer(for: schema, migrationPlan: plan, configurations: [configuration]))
  }

  @Test(arguments: EngineProfile.all.indices) func bothPhases(engine index: Int) throws {
    let engine = EngineProfile.all[index]
    let server = try PostgresServer.shared.get()
    let proxy = try engine.proxy(to: server)
    defer { proxy.stop() }
    let configuration = engine.configuration(server, proxy)
    let old = try open(configuration, V1.self, First.self)
    try old.add([V1.Parcel(code: "a", label: "e\u{301}", sender: "s"), V1.Leaflet(text: "x")])
    try PostgresMigration(configuration, migrationPlan: Second.self).run(.expand)
    try old.add([V1.Parcel(code: "b", label: "l", sender: "s")])
    let new = try open(configuration, V2.self, Second.self)
    #expect(try new.all(V2.Parcel.self).map(\.priority) == [3, 3])
    try new.add([V2.Parcel(code: "c", label: "l", sender: "s")])
    #expect(try old.fetchCount(FetchDescriptor<V1.Parcel>()) == 3)
    try PostgresMigration(configuration, migrationPlan: Second.self).run(.contract)
    #expect(try new.fetchCount(FetchDescriptor<V2.Parcel>()) == 3)
    let error = #expect(throws: SwiftDataError.self) { try open(configuration, V1.self, First.self) }
    #expect(error?.storeProblem == .newerSchema)
    let late = #expect(throws: SwiftDataError.self) { try ModelContext(old.container).all(V1.Parcel.self) }
    #expect(late?.storeProblem == .newerSchema)
    #expect(proxy.rejections.isEmpty)
  }

  @Test(arguments: EngineProfile.all.indices) func rowsMigratedByTheProgram(engine index: Int) throws {
    let engine = EngineProfile.all[index]
    let server = try PostgresServer.shared.get()
    let proxy = try engine.proxy(to: server)
    defer { proxy.stop() }
    let configuration = engine.configuration(server, proxy)
    let old = try open(configuration, Old<ClassicV1.Numbers>.self)
    try old.add([
      ClassicV1.Numbers(small: 1, plain: 2, byte: 3, wide: .max, real: .nan, letter: "ä", list: [1], perhaps: nil)
    ])
    let new = try open(
      configuration, New<ClassicV2.Numbers>.self, Plan<Old<ClassicV1.Numbers>, New<ClassicV2.Numbers>>.self)
    let number = try #require(new.all(ClassicV2.Numbers.self).first)
    #expect(number.wide == Decimal(UInt64.max) && number.real.isNaN && number.letter == "ä" && number.plain == 2)
    #expect(proxy.rejections.isEmpty)
  }

  /// Programs that start at the same time migrate the store only once, without server locks.
  @Test(arguments: EngineProfile.all.indices) func programsStartedConcurrently(engine index: Int) throws {
    let engine = EngineProfile.all[index]
    let server = try PostgresServer.shared.get()
    let proxy = try engine.proxy(to: server)
    defer { proxy.stop() }
    var configuration = engine.configuration(server, proxy)
    configuration.migration.keepsOlderPrograms = true
    try open(configuration, V1.self, First.self).add([V1.Parcel(code: "a", label: "l", sender: "s")])
    let results = Shared<[String]>([])
    let threads = (0..<4).map { [configuration] _ in
      Thread {
        do {
          let count = try open(configuration, V2.self, Second.self).fetchCount(FetchDescriptor<V2.Parcel>())
          results.withLock { $0.append("\(count)") }
        } catch {
          results.withLock { $0.append("\(error)") }
        }
      }
    }
    for thread in threads { thread.start() }
    for thread in threads { while !thread.isFinished { Thread.sleep(forTimeInterval: 0.01) } }
    #expect(results.withLock { $0 } == ["1", "1", "1", "1"])
  }
}
