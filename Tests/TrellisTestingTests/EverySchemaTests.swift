import AccessGolden
import Foundation
import InheritanceGolden
import InitializersGolden
import enum LandmineGolden.LandmineTypesMigrationPlan
import enum LandmineGolden.LandmineWordsMigrationPlan
import RelationshipsGolden
import SampleTripsGolden
import SeveralGolden
import Testing
import Trellis
import TrellisTesting
import ValuesGolden

/// Stores of every released version of every schema in `Schemas/` must open with every later version.
struct EverySchemaTests {
  /// The plans by schema name.
  static let plans: [String: any SchemaMigrationPlan.Type] = [
    "Access": AccessMigrationPlan.self, "Inheritance": InheritanceMigrationPlan.self,
    "Initializers": InitializersMigrationPlan.self, "LandmineTypes": LandmineTypesMigrationPlan.self,
    "LandmineWords": LandmineWordsMigrationPlan.self, "Relationships": RelationshipsMigrationPlan.self,
    "SampleTrips": SampleTripsMigrationPlan.self, "Several": SeveralMigrationPlan.self,
    "Values": ValuesMigrationPlan.self,
  ]

  /// The values that custom steps change intentionally.
  static let changing: [String: Set<String>] = ["Inheritance": ["SchoolJourney.teacher"]]

  /// The name and the number of released versions of every schema.
  static func schemas() throws -> [String: Int] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Schemas").standardized
    var found: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let schema = folder.appending(path: name)
      for file in try FileManager.default.contentsOfDirectory(atPath: schema.path)
      where file.hasSuffix(".schema") {
        let text = try String(contentsOf: schema.appending(path: file), encoding: .utf8)
        guard let line = text.split(separator: "\n").first else { continue }
        let title = String(line.split(separator: " ")[1])
        let versions = try? FileManager.default.contentsOfDirectory(
          atPath: schema.appending(path: "versions").path)
        found[title] = (versions ?? []).filter { $0.hasPrefix("\(title)-") }.count
      }
    }
    return found
  }

  @Test func everySchemaHasReleasedVersionsAndAPlan() throws {
    let schemas = try Self.schemas()
    #expect(schemas.keys.sorted() == Self.plans.keys.sorted())
    for (name, released) in schemas {
      #expect(released > 0, "'\(name)' has no released version")
      #expect(Self.plans[name]?.schemas.count == released + 1, "\(name)")
    }
  }

  @Test(arguments: plans.keys.sorted()) func everyPairOfVersionsMigrates(_ name: String) throws {
    let plan = try #require(Self.plans[name])
    let report = try MigrationMatrix(plan, changing: Self.changing[name] ?? []).check()
    let versions = plan.schemas.count
    #expect(report.hops.count == versions * (versions - 1) / 2 && !report.hops.isEmpty)
    #expect(report.rows > 0 && report.values > 0 && report.statements > 0)
    print("\(name): \(report)")
  }
}
