import Foundation
import NotesV1
import NotesV2
import Testing
import Trellis

/// Numbers of snapshots become those of the next version's type, or the model is named.
@Suite struct SnapshotNumberTests {
  private enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [NotesV1.Gauge.self, NotesV1.Stamp.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  private enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [NotesV2.Gauge.self, NotesV2.Stamp.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  private enum Plan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
  }

  private func migrated(_ edit: (NotesV1.Gauge) -> Void) throws -> NotesV2.Gauge {
    let gauge = NotesV1.Gauge()
    edit(gauge)
    return try migrated(gauge, as: NotesV2.Gauge.self)
  }

  private func migrated<New: PersistentModel>(
    _ model: any PersistentModel, as type: New.Type
  ) throws -> New {
    let scratch = try Scratch()
    func context(_ version: any VersionedSchema.Type) throws -> ModelContext {
      ModelContext(
        try ModelContainer(
          for: Schema(versionedSchema: version), migrationPlan: version == V2.self ? Plan.self : nil,
          configurations: [NotesConfiguration(url: scratch.file())]))
    }
    let old = try context(V1.self)
    old.insert(model)
    try old.save()
    return try #require(try context(V2.self).fetch(FetchDescriptor<New>()).first)
  }

  @Test func numbersThatFitAreKept() throws {
    #expect(try migrated { $0.single = 0.1 }.single == Double(Float(0.1)))
    #expect(try migrated { $0.real = 0.25 }.real == 0.25)
    #expect(try migrated { $0.whole = 1 << 53 }.whole == 9_007_199_254_740_992)
    #expect(try migrated { $0.exact = Decimal(25) / 2 }.exact == 12.5)
  }

  @Test func numbersThatDoNotFitAreRefused() throws {
    let edits: [(String, (NotesV1.Gauge) -> Void)] = [
      ("real", { $0.real = 0.1 }), ("whole", { $0.whole = .max }), ("whole", { $0.whole = 1 << 53 + 1 }),
      ("exact", { $0.exact = Decimal(1) / 3 }),
    ]
    for (name, edit) in edits {
      let error = #expect(throws: SwiftDataError.unknownSchema) { try migrated(edit) }
      #expect(error?.explanation?.contains("Gauge/") == true && error?.explanation?.contains(name) == true)
    }
  }

  /// Dates are numbers in JSON and bytes are text: neither becomes the other unless somebody says how.
  @Test func valuesOfAnotherKindAreRefused() throws {
    let edits: [(String, (NotesV1.Stamp) -> Void)] = [
      ("taken", { $0.taken = Date(timeIntervalSinceReferenceDate: 1) }), ("seconds", { $0.seconds = 1 }),
      ("bytes", { $0.bytes = Data([1, 2, 3]) }), ("text", { $0.text = "AQID" }),
      ("dates", { $0.dates = [Date(timeIntervalSinceReferenceDate: 1)] }),
    ]
    for (name, edit) in edits {
      let stamp = NotesV1.Stamp(name: name)
      edit(stamp)
      let error = #expect(throws: SwiftDataError.unknownSchema) {
        try migrated(stamp, as: NotesV2.Stamp.self)
      }
      #expect(error?.explanation?.contains("Stamp/") == true && error?.explanation?.contains(name) == true)
    }
    let stamp = NotesV1.Stamp(name: "n")
    #expect(try migrated(stamp, as: NotesV2.Stamp.self).name == "n")
  }
}
