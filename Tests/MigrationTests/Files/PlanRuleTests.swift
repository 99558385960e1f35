import ClassicV1
import ClassicV2
import ClassicV3
import Foundation
import Testing
import Trellis

/// Invalid plans are rejected when the first store is opened, even if it is new.
@Suite struct PlanRuleTests {
  enum V1: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV1.Trip.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  enum V2: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Trip.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
  }

  enum V3: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV3.Trip.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(3, 0, 0) }
  }

  /// The second version with the number of the first.
  enum Unnumbered: VersionedSchema {
    static var models: [any PersistentModel.Type] { [ClassicV2.Trip.self] }
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
  }

  private static let filled = MigrationSteps(fromVersion: V1.self, toVersion: V2.self, [Classic.fillTrips])

  /// Without a check, a stage would be skipped silently.
  enum Twice: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V1.self, V2.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] { [filled] }
  }

  enum OneNumber: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, Unnumbered.self] }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [MigrationSteps(fromVersion: V1.self, toVersion: Unnumbered.self, [Classic.fillTrips])]
    }
  }

  enum Disordered: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V2.self, V1.self] }
    static var stages: [MigrationStage] { [] }
  }

  enum Cycle: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: V2.self, toVersion: V1.self)] }
    static var steps: [MigrationSteps] { [filled] }
  }

  enum Loop: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: V2.self, toVersion: V2.self)] }
    static var steps: [MigrationSteps] { [filled] }
  }

  enum TwoStages: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] {
      [.custom(fromVersion: V1.self, toVersion: V2.self, willMigrate: nil, didMigrate: nil)]
    }
    static var steps: [MigrationSteps] { [filled] }
  }

  enum Unlisted: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
    static var stages: [MigrationStage] { [.lightweight(fromVersion: V2.self, toVersion: V3.self)] }
    static var steps: [MigrationSteps] { [filled] }
  }

  struct Case: CustomTestStringConvertible {
    let plan: any SchemaMigrationPlan.Type
    let reason: String
    var head: any VersionedSchema.Type = V2.self
    var testDescription: String { "\(plan)" }
  }

  static let cases = [
    Case(plan: Twice.self, reason: "two versions with the number 1.0.0, 'V1' and 'V1': give each its own"),
    Case(
      plan: OneNumber.self, reason: "two versions with the number 1.0.0, 'V1' and 'Unnumbered': give each its own",
      head: Unnumbered.self),
    Case(plan: Disordered.self, reason: "list version 1.0.0 after 2.0.0"),
    Case(plan: Cycle.self, reason: "2.0.0 → 1.0.0 does not lead to a newer version"),
    Case(plan: Loop.self, reason: "2.0.0 → 2.0.0 does not lead to a newer version"),
    Case(plan: TwoStages.self, reason: "two of its stages start from version 1.0.0"),
    Case(plan: Unlisted.self, reason: "2.0.0 → 3.0.0 names a version that is not among its 'schemas'"),
  ]

  @Test(arguments: cases)
  func invalidPlansAreRejected(_ example: Case) throws {
    let fixture = try MigrationFixture()
    // No store exists, and none is created.
    try expect(example.reason) { _ = try fixture.open(example.head, example.plan) }
    #expect(!FileManager.default.fileExists(atPath: fixture.url.path))
    try fixture.open(V1.self).add([ClassicV1.Trip(title: "Oslo", budget: 1.5)])
    let before = try fixture.everything()
    try expect(example.reason) { _ = try fixture.open(example.head, example.plan) }
    #expect(try fixture.everything() == before)
  }

  private func expect(_ reason: String, _ body: () throws -> Void) throws {
    let error = #expect(throws: SwiftDataError.unknownSchema) { try body() }
    #expect(error?.explanation?.contains(reason) == true, "\(error.map { "\($0)" } ?? "")")
  }
}
