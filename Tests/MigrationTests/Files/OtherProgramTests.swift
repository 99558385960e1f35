import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Testing
import Trellis

/// The errors in a program whose open store is migrated by another program.
@Suite struct OtherProgramTests {
  /// A plan that changes values only.
  enum Same: SchemaMigrationPlan {
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [ClassicV1.Reading.self] }
      static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    }
    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { [ClassicV1.Reading.self] }
      static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    }
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil) { context in
          for reading in try context.all(ClassicV1.Reading.self) { reading.value *= 1000 }
          try context.save()
        }
      ]
    }
  }

  enum Added: SchemaMigrationPlan {
    enum V1: VersionedSchema {
      static var models: [any PersistentModel.Type] { [ClassicV1.Vehicle.self] }
      static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    }
    enum V2: VersionedSchema {
      static var models: [any PersistentModel.Type] { [ClassicV2.Vehicle.self] }
      static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    }
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
  }

  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  private func reading() -> ClassicV1.Reading {
    ClassicV1.Reading(
      station: "s", sensor: "t", unit: "u", sequence: 1, quality: 2, flags: 3, value: 1.5, deviation: 4,
      taken: Date(timeIntervalSinceReferenceDate: 0), isChecked: true)
  }

  private func expectRefusals(_ context: ModelContext, _ identifier: PersistentIdentifier) throws {
    let everything = FetchDescriptor<ClassicV1.Reading>()
    let some = FetchDescriptor<ClassicV1.Reading>(
      predicate: #Predicate { $0.value > 1 }, sortBy: [SortDescriptor(\.station)])
    for _ in 0..<2 {
      let error = #expect(throws: SwiftDataError.backwardMigration) { try context.fetch(everything) }
      let text = "\(try #require(error))"
      #expect(text.contains("1.0.0") && text.contains("another process") && text.contains("new container"))
      #expect(error?.storeProblem == .newerSchema)
      #expect(throws: SwiftDataError.backwardMigration) { try context.fetch(some) }
      #expect(throws: SwiftDataError.backwardMigration) { try context.fetchCount(some) }
      #expect(throws: SwiftDataError.backwardMigration) { try context.fetchIdentifiers(some) }
      #expect(throws: SwiftDataError.backwardMigration) {
        try context.enumerateSnapshots(as: ClassicV1.Reading.Snapshot.self) { _ in }
      }
      #expect(throws: SwiftDataError.backwardMigration) {
        try ModelContext(context.container).fetch(everything)
      }
      #expect(throws: SwiftDataError.backwardMigration) {
        try context.insert(contentsOf: [ClassicV1.Reading.Snapshot(of: reading())])
      }
    }
  }

  private func open(_ models: any VersionedSchema.Type) throws -> (ModelContext, PersistentIdentifier) {
    let old = try fixture.open(models)
    let reading = reading()
    try old.add([reading])
    // Opens the read connections and prepares their statements.
    #expect(try ModelContext(old.container).all(ClassicV1.Reading.self).count == 1)
    return (old, reading.persistentModelID)
  }

  @Test func missingColumnsAreATypedError() throws {
    let (old, identifier) = try open(LargeStoreTests.V1.self)
    _ = try fixture.open(LargeStoreTests.V2.self, LargeStoreTests.InPlace.self)
    try expectRefusals(old, identifier)
  }

  @Test func valuesWithAChangedMeaningAreATypedError() throws {
    let (old, identifier) = try open(LargeStoreTests.V1.self)
    _ = try fixture.open(LargeStoreTests.V3.self, LargeStoreTests.Filling.self)
    try expectRefusals(old, identifier)
  }

  @Test func identicalTablesDoNotHideAMigration() throws {
    let (old, identifier) = try open(Same.V1.self)
    let new = try fixture.open(Same.V2.self, Same.self)
    #expect(try new.all(ClassicV1.Reading.self).first?.value == 1500)
    try expectRefusals(old, identifier)
    // Contexts that open the store after the migration are not affected.
    let reading = try #require(try new.all(ClassicV1.Reading.self).first)
    reading.value = 7
    try new.save()
    #expect(try ModelContext(new.container).all(ClassicV1.Reading.self).first?.value == 7)
  }

  @Test func storesWithAdditionsRemainReadable() throws {
    let old = try fixture.open(Added.V1.self)
    try old.add([ClassicV1.Vehicle(name: "v")])
    let new = try fixture.open(Added.V2.self, Added.self)
    try new.add([ClassicV2.Vehicle(name: "w")])
    #expect(try ModelContext(old.container).all(ClassicV1.Vehicle.self).map(\.name) == ["v", "w"])
    old.insert(ClassicV1.Vehicle(name: "x"))
    #expect(throws: SwiftDataError.backwardMigration) { try old.save() }
  }

  @Test func readOnlyProgramsAlsoGetTheError() throws {
    let (old, _) = try open(LargeStoreTests.V1.self)
    let reader = try fixture.open(LargeStoreTests.V1.self, allowsSave: false)
    #expect(try reader.all(ClassicV1.Reading.self).count == 1)
    _ = try fixture.open(LargeStoreTests.V3.self, LargeStoreTests.Filling.self)
    #expect(throws: SwiftDataError.backwardMigration) {
      try ModelContext(reader.container).all(ClassicV1.Reading.self)
    }
    _ = old
  }
}
