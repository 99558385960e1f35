import Foundation
import NotesV1
import NotesV2
import Testing
import Trellis

/// Values of snapshots are converted to the type of the next version as in a `DefaultStore`: implicitly if the new type
/// contains all old values, otherwise by a fill.
@Suite struct SnapshotNumberTests {
  private enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [NotesV1.Gauge.self, NotesV1.Stamp.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  private enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [NotesV2.Gauge.self, NotesV2.Stamp.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  private enum Bare: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
  }

  private struct TooLarge: Error {}

  private static let stamps = ["taken", "seconds", "bytes", "text", "dates"]

  private enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [
            .fill(NotesV1.Gauge.Snapshot.self, NotesV2.Gauge.Snapshot.self, ["real", "whole", "exact"]) { old, new in
              guard let whole = Double(exactly: old.whole) else { throw TooLarge() }
              new.real = Float(old.real)
              new.whole = whole
              new.exact = NSDecimalNumber(decimal: old.exact).doubleValue
            },
            .fill(NotesV1.Stamp.Snapshot.self, NotesV2.Stamp.Snapshot.self, stamps) { old, new in
              new.taken = old.taken?.timeIntervalSinceReferenceDate
              new.seconds = old.seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
              new.bytes = old.bytes?.base64EncodedString()
              new.text = old.text.flatMap { Data(base64Encoded: $0) }
              new.dates = old.dates?.map(\.timeIntervalSinceReferenceDate)
            },
          ])
      ]
    }
  }

  private func migrated(_ edit: (NotesV1.Gauge) -> Void) throws -> NotesV2.Gauge {
    let gauge = NotesV1.Gauge()
    edit(gauge)
    return try migrated(gauge, as: NotesV2.Gauge.self)
  }

  private func migrated<New: PersistentModel>(
    _ model: any PersistentModel, as type: New.Type, _ plan: any SchemaMigrationPlan.Type = Plan.self
  ) throws -> New {
    let scratch = try Scratch()
    func context(_ version: any VersionedSchema.Type) throws -> ModelContext {
      ModelContext(
        try ModelContainer(
          for: Schema(versionedSchema: version), migrationPlan: version == V2.self ? plan : nil,
          configurations: [NotesConfiguration(url: scratch.file())]))
    }
    let old = try context(V1.self)
    old.insert(model)
    try old.save()
    return try #require(try context(V2.self).fetch(FetchDescriptor<New>()).first)
  }

  @Test func numbersThatAlwaysFitAreKept() throws {
    let gauge = try migrated { $0.single = 0.1 }
    #expect(gauge.single == Double(Float(0.1)))
  }

  /// Values of unrelated types, and numbers that the new type cannot represent.
  @Test func otherTypesNeedAFill() throws {
    let error = #expect(throws: SwiftDataError.unknownSchema) {
      try migrated(NotesV1.Gauge(), as: NotesV2.Gauge.self, Bare.self)
    }
    let explanation = try #require(error?.explanation)
    for name in ["Gauge.real", "Gauge.whole", "Gauge.exact"] + Self.stamps.map({ "Stamp.\($0)" }) {
      #expect(explanation.contains("'\(name)'"), "\(name)")
    }
    #expect(!explanation.contains("single") && !explanation.contains("Stamp.name"))
  }

  @Test func fillsConvertThem() throws {
    let gauge = try migrated {
      $0.real = 0.25
      $0.whole = 1 << 53
      $0.exact = Decimal(25) / 2
    }
    #expect(gauge.real == 0.25 && gauge.whole == 9_007_199_254_740_992 && gauge.exact == 12.5)
    let stamp = NotesV1.Stamp(name: "n")
    stamp.taken = Date(timeIntervalSinceReferenceDate: 1)
    stamp.bytes = Data([1, 2, 3])
    stamp.dates = [Date(timeIntervalSinceReferenceDate: 2)]
    let after = try migrated(stamp, as: NotesV2.Stamp.self)
    #expect(after.taken == 1 && after.seconds == nil && after.bytes == "AQID" && after.text == nil)
    #expect(after.dates == [2] && after.name == "n")
  }

  @Test func aValueThatAFillRefusesStops() throws {
    #expect(throws: TooLarge.self) { try migrated { $0.whole = .max } }
  }
}
