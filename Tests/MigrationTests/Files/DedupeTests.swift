import ClassicV1
import ClassicV2
import Foundation
import Testing
import Trellis

/// Deduplication and deletion of rows by custom code.
@Suite struct DedupeTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Badge.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Badge.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum Newest: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [.dedupe(ClassicV2.Badge.self, on: ["code"], keep: .newest)])
      ]
    }
  }

  enum Oldest: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: V1.self, toVersion: V2.self,
          [.dedupe(ClassicV2.Badge.self, on: ["code"], keep: .oldest)])
      ]
    }
  }

  private let fixture: MigrationFixture

  init() throws { fixture = try MigrationFixture() }

  /// Owners 0, 1 and 2 have the badges x, x and nil. Another x and another nil have no owner.
  private func makeBadges() throws {
    let context = try fixture.open(V1.self)
    for (number, code) in ["x", "x", nil].enumerated() {
      let badge = ClassicV1.Badge(code: code)
      let owner = ClassicV1.Owner(name: "\(number)")
      context.insert(badge)
      context.insert(owner)
      owner.badge = badge
      try context.save()
    }
    try context.add([ClassicV1.Badge(code: "x")])
    try context.add([ClassicV1.Badge(code: nil)])
  }

  private func owners(_ plan: any SchemaMigrationPlan.Type) throws -> [String: String?] {
    let context = try fixture.open(V2.self, plan)
    #expect(try fixture.complaints() == "")
    let badges = try context.all(ClassicV2.Badge.self)
    // Nil values are not equal.
    #expect(badges.count { $0.code == nil } == 2 && badges.count { $0.code == "x" } == 1)
    for badge in badges { if let owner = badge.owner { #expect(owner.badge === badge) } }
    let owners = try context.all(ClassicV2.Owner.self)
    return Dictionary(uniqueKeysWithValues: owners.map { ($0.name, $0.badge.map { $0.code ?? "nil" }) })
  }

  @Test func partnersOfDuplicatesMoveToAFreeEnd() throws {
    try makeBadges()
    // The newest row has no owner and receives the owner of the last duplicate.
    #expect(try owners(Newest.self) == ["0": nil, "1": "x", "2": "nil"])
  }

  @Test func existingPartnersAreKept() throws {
    try makeBadges()
    #expect(try owners(Oldest.self) == ["0": "x", "1": nil, "2": "nil"])
  }

  @Test func equivalentUnicodeTextsAreDuplicates() throws {
    try fixture.open(V1.self).add(["\u{e9}", "e\u{301}", "e"].map { ClassicV1.Badge(code: $0) })
    enum Plain: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [] }
    }
    let error = #expect(throws: SwiftDataError.self) { try fixture.open(V2.self, Plain.self) }
    #expect(error?.details.first?.others.count == 1)
    let context = try fixture.open(V2.self, Newest.self)
    #expect(Set(try context.all(ClassicV2.Badge.self).compactMap(\.code)) == ["e", "\u{e9}"])
  }

  enum Students1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Student.self, ClassicV1.Journey.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Students2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Student.self, ClassicV2.Voyage.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  /// Foreign keys are disabled during a migration, so the migration itself performs their actions.
  enum Deleting: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Students1.self, Students2.self] }
    static var stages: [MigrationStage] {
      [
        .custom(
          fromVersion: Students1.self, toVersion: Students2.self,
          willMigrate: { context in
            for course in try context.all(ClassicV1.Course.self) where course.title == "c1" {
              context.delete(course)
            }
            try context.delete(model: ClassicV1.Journey.self)
            try context.save()
          }, didMigrate: nil)
      ]
    }
  }

  @Test func deletedRowsDeleteDependentRows() throws {
    let context = try fixture.open(Students1.self)
    let student = ClassicV1.Student(name: "s")
    context.insert(student)
    student.courses = [ClassicV1.Course(title: "c1"), ClassicV1.Course(title: "c2")]
    let journey = ClassicV1.Journey(place: "p")
    context.insert(journey)
    journey.stops = [ClassicV1.Stop(name: "a")]
    try context.save()
    let new = try fixture.open(Students2.self, Deleting.self)
    #expect(try new.all(ClassicV1.Student.self).map { $0.courses.map(\.title) } == [["c2"]])
    #expect(try new.all(ClassicV2.Stop.self).isEmpty)
    #expect(try fixture.complaints() == "")
  }

  enum Lights1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Light.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum Lights2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Light.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum LightsPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [Lights1.self, Lights2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: Lights1.self, toVersion: Lights2.self,
          [
            .fill(ClassicV1.Light.Snapshot.self, ClassicV2.Light.Snapshot.self, ["color"]) {
              $1.color = $0.color == .red ? .red : .green
            }
          ])
      ]
    }
  }

  /// Both versions have equal tables. The version number distinguishes them.
  @Test func versionsThatDifferOnlyInTheMeaningOfValues() throws {
    try fixture.open(Lights1.self).add([ClassicV1.Light(color: .red), ClassicV1.Light(color: .green)])
    for _ in 0..<2 {
      let context = try fixture.open(Lights2.self, LightsPlan.self)
      #expect(try context.all(ClassicV2.Light.self).map(\.color) == [.red, .green])
      #expect(fixture.backups.count == 1)
    }
    #expect(try fixture.shell("SELECT color FROM Light") == "red\ngreen")
  }

  /// The tables would accept rows of the old program, with an encoding that the new version cannot read.
  @Test func savesFailAfterAConcurrentMigration() throws {
    let old = try fixture.open(Lights1.self)
    try old.add([ClassicV1.Light(color: .red)])
    _ = try fixture.open(Lights2.self, LightsPlan.self)
    old.insert(ClassicV1.Light(color: .green))
    #expect(throws: SwiftDataError.backwardMigration) { try old.save() }
    #expect(throws: SwiftDataError.backwardMigration) {
      try old.insert(contentsOf: [ClassicV1.Light.Snapshot(color: .green)])
    }
    #expect(throws: SwiftDataError.backwardMigration) { try old.container.erase() }
    #expect(try fixture.shell("SELECT color FROM Light") == "red")
    // A concurrent save does not prevent the migration.
    let one = try fixture.open(Lights2.self, LightsPlan.self)
    let two = try fixture.open(Lights2.self)
    for context in [one, two, one] { try context.add([ClassicV2.Light(color: .green)]) }
    #expect(try fixture.shell("SELECT COUNT(*) FROM Light") == "4")
  }
}
