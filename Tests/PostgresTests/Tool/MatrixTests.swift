import Foundation
import PostgresSupport
import SampleTripsGolden
import TestSchemas
import TestTraits
import Testing
import Trellis
import TrellisPostgres
import TrellisTesting

/// The migration matrix with a real server.
@Suite(.waiting) struct MatrixTests {
  @Test(arguments: FixtureTests.sample) func everyPairOfVersionsMigrates(_ name: String) throws {
    let plan = try #require(SchemaPlans.bySchema[name])
    let server = try PostgresServer.shared.get()
    let report = try #require(SchemaPlans.matrix(of: name, rowsPerModel: 8)).check { _ in
      server.configuration()
    }
    let versions = plan.schemas.count
    #expect(report.hops.count == versions * (versions - 1) / 2)
    #expect(report.rows > 0 && report.values > 0 && report.statements == 0)
    print("\(name): \(report)")
  }

  enum Spoiling: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
      [SampleTripsSchema.V2_0_0.self, SampleTripsSchema.V3_0_0.self]
    }
    static var stages: [MigrationStage] { [] }
    static var steps: [MigrationSteps] {
      [
        MigrationSteps(
          fromVersion: SampleTripsSchema.V2_0_0.self, toVersion: SampleTripsSchema.V3_0_0.self,
          [
            .custom("spoil") { rows in
              for item in try rows.new.fetch(FetchDescriptor<BucketListItem>()) {
                item.details = "spoilt"
                item.trip = nil
              }
            }
          ])
      ]
    }
  }

  /// Changes made by a custom step are detected with a server, as with a file.
  @Test func changesByAStepAreReported() throws {
    let server = try PostgresServer.shared.get()
    do {
      try MigrationMatrix(Spoiling.self, rowsPerModel: 4).check { _ in server.configuration() }
      Issue.record("nothing was found")
    } catch MigrationMatrixError.failed(let problems) {
      #expect(problems.contains { $0.property == "details" && $0.found == "[\"spoilt\"]" }, "\(problems)")
      #expect(problems.contains { $0.property == "trip" && $0.found == "[]" }, "\(problems)")
      #expect(problems.allSatisfy { $0.model != nil }, "\(problems)")
    }
  }

  /// A migrated store whose tables differ from those of a new store is reported.
  @Test func differingTablesAreReported() throws {
    let server = try PostgresServer.shared.get()
    var made = 0
    do {
      try MigrationMatrix(Spoiling.self, rowsPerModel: 2, changing: ["BucketListItem", "BucketListItem.trip"])
        .check { _ in
          var configuration = server.configuration()
          made += 1
          // The third store is the new one.
          configuration.usesForeignKeys = made % 3 != 0
          return configuration
        }
      Issue.record("nothing was found")
    } catch MigrationMatrixError.failed(let problems) {
      let problem = try #require(problems.first { $0.what == "the migrated store differs from a new store" })
      #expect(problem.expected == "")
      #expect(problem.found?.contains("constraint BucketListItem_trip_reference of BucketListItem FOREIGN KEY") == true)
    }
  }

  /// File stores are checked by their contents.
  @Test func fileStoresAreAccepted() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("matrix-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var names: [String] = []
    let report = try MigrationMatrix(SampleTripsMigrationPlan.self, rowsPerModel: 4).check { name in
      names.append(name)
      return ModelConfiguration(url: folder.appendingPathComponent("\(name).store"))
    }
    #expect(report.hops.count == 3 && report.rows > 10, "\(report)")
    #expect(Set(names).count == names.count && names.count == 9)
  }

  @Test func errorsInTheClosureAreProblems() {
    struct Nowhere: Error {}
    #expect {
      try MigrationMatrix(SampleTripsMigrationPlan.self).check { _ in throw Nowhere() }
    } throws: { error in
      guard case MigrationMatrixError.failed(let problems)? = error as? MigrationMatrixError else { return false }
      return problems.count == 3 && problems.allSatisfy { $0.what.contains("Nowhere") }
    }
  }
}
