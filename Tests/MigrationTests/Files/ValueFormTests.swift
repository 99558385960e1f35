import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// Values with equal columns in two versions and different meanings.
@Suite struct ValueFormTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Gauge.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Gauge.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [
            .fill(ClassicV1.Gauge.Snapshot.self, ClassicV2.Gauge.Snapshot.self, ["taken", "price"]) { old, new in
              new.taken = old.taken.timeIntervalSince1970
              new.price = old.price * 100
            }
          ])
      ]
    }
  }

  enum OnlySecond: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V2.self] }
    static var stages: [MigrationStage] { [] }
  }

  private let fixture: MigrationFixture

  init() throws {
    fixture = try MigrationFixture()
    let context = try fixture.open(V1.self)
    let gauges = (0..<2).map { _ in
      ClassicV1.Gauge(
        byte: 5, wide: 6, taken: Date(timeIntervalSinceReferenceDate: 7), price: 8, spot: .init(x: 1, y: 2))
    }
    try context.add(gauges)
    context.delete(gauges[0])
    try context.save()
  }

  /// Without a plan, 5 would be read as 9,223,372,036,854,775,813, and a date as a number.
  @Test func identicalTablesDoNotHideChangedValues() throws {
    let before = try fixture.shell("SELECT * FROM trellis_metadata; SELECT * FROM Gauge")
    for plan in [nil, OnlySecond.self as (any SchemaMigrationPlan.Type)?] {
      fixture.options.unknownSchema = .openWhenAdditive
      let error = #expect(throws: SwiftDataError.unknownDataStoreSchema) { try fixture.open(V2.self, plan) }
      #expect(error?.storeProblem == .differentSchema)
      let lines = error?.explanation?.split(separator: "\n").filter { $0.hasPrefix("  - ") }.map(String.init) ?? []
      #expect(lines.count == 2)
      #expect(
        lines.first?.hasPrefix("  - 'Gauge.byte' was 'UInt8' and is now 'UInt64', whose values are stored") == true)
      #expect(lines.last?.hasPrefix("  - 'Gauge.taken' was 'Date' and is now 'Double'") == true)
    }
    #expect(try fixture.shell("SELECT * FROM trellis_metadata; SELECT * FROM Gauge") == before)
    let gauges = try fixture.open(V2.self, Plan.self).all(ClassicV2.Gauge.self)
    #expect(gauges.map(\.byte) == [5] && gauges.map(\.wide) == [6] && gauges.map(\.price) == [800])
    #expect(gauges.map(\.taken) == [978_307_207] && gauges.map(\.spot) == [.init(y: 2, x: 1)])
  }

  /// A missing value is better than a wrong value.
  @Test func tombstonesOmitValuesWithAChangedMeaning() throws {
    let context = try fixture.open(V2.self, Plan.self)
    let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
    let deletions = changes.compactMap { change -> DefaultHistoryDelete<ClassicV2.Gauge>? in
      if case .delete(let deletion as DefaultHistoryDelete<ClassicV2.Gauge>) = change { deletion } else { nil }
    }
    let tombstone = try #require(deletions.first).tombstone
    #expect(tombstone[\.wide] as? Int64 == 6)
    #expect(tombstone[\.byte] == nil && tombstone[\.taken] == nil)
    #expect(tombstone[\.price] == nil && tombstone[\.spot] == nil)
    // Values that are deleted now are preserved.
    let gauge = try #require(try context.all(ClassicV2.Gauge.self).first)
    context.delete(gauge)
    try context.save()
    guard
      case .delete(let last as DefaultHistoryDelete<ClassicV2.Gauge>)? = try context.fetchHistory(
        HistoryDescriptor<DefaultHistoryTransaction>()
      ).last?.changes.first
    else { throw SwiftDataError.missingModelContext }
    #expect(last.tombstone[\.byte] as? UInt64 == 5 && last.tombstone[\.price] as? Int == 800)
    #expect(last.tombstone[\.spot] as? ClassicV2.Spot == .init(y: 2, x: 1))
  }
}
