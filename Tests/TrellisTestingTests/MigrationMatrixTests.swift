import Foundation
import SampleTripsGolden
import Testing
import Trellis
import TrellisTesting

private typealias V1 = SampleTripsSchema.V1_0_0
private typealias V2 = SampleTripsSchema.V2_0_0

/// The matrix finds nothing where nothing is lost, and whatever is.
struct MigrationMatrixTests {
  @Test func aPlanThatLosesNothingPasses() throws {
    let report = try MigrationMatrix(SampleTripsMigrationPlan.self).check()
    #expect(report.hops.count == 3)
    #expect(report.rows > 100)
    #expect(report.description.hasPrefix("3 hops, "))
  }

  @Test func aPlanOfOneVersionProvesNothing() {
    enum Single: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self] }
      static var stages: [MigrationStage] { [] }
    }
    #expect(throws: MigrationMatrixError.self) { try MigrationMatrix(Single.self).check() }
  }

  @Test func rowsThatGoAreMissed() {
    enum Losing: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V2.self, SampleTripsSchema.V3_0_0.self] }
      static var stages: [MigrationStage] {
        [
          .custom(
            fromVersion: V2.self, toVersion: SampleTripsSchema.V3_0_0.self,
            willMigrate: { context in
              try context.delete(model: V2.BucketListItem.self)
              try context.save()
            }, didMigrate: nil)
        ]
      }
    }
    expect(Losing.self, finds: "24 of 24 rows of 'BucketListItem' are gone")
  }

  @Test func valuesThatChangeAreMissed() {
    enum Changing: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V2.self, SampleTripsSchema.V3_0_0.self] }
      static var stages: [MigrationStage] {
        [
          .steps(
            fromVersion: V2.self, toVersion: SampleTripsSchema.V3_0_0.self,
            [
              .custom("spoil") { rows in
                for item in try rows.new.fetch(FetchDescriptor<BucketListItem>()) { item.details = "spoilt" }
              }
            ])
        ]
      }
    }
    expect(Changing.self, finds: "'BucketListItem.details' of row 1 was ")
    #expect(throws: Never.self) {
      try MigrationMatrix(Changing.self, changing: ["BucketListItem.details"]).check()
    }
  }

  @Test func storesThatDoNotOpenAreMissed() {
    // Trips entered twice are in the way of the constraint of version 2.
    enum Lightweight: SchemaMigrationPlan {
      static var schemas: [any VersionedSchema.Type] { [V1.self, V2.self] }
      static var stages: [MigrationStage] { [.lightweight(fromVersion: V1.self, toVersion: V2.self)] }
    }
    expect(Lightweight.self, finds: "1.0.0 → 2.0.0: ")
  }

  private func expect(
    _ plan: any SchemaMigrationPlan.Type, finds text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    do {
      try MigrationMatrix(plan).check()
      Issue.record("nothing was found", sourceLocation: sourceLocation)
    } catch {
      #expect("\(error)".contains(text), "\(error)", sourceLocation: sourceLocation)
    }
  }
}
