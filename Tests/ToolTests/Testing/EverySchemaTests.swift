import Foundation
import RelationshipsGolden
import TestSchemas
import TestSupport
import Testing
import Trellis
import TrellisJSON
import TrellisTesting

/// Stores of every released version of every schema in `Schemas/` must open with every later version.
struct EverySchemaTests {
  /// The name and the number of released versions of every schema.
  static func schemas() throws -> [String: Int] {
    let folder = Repository.root.appending(path: "Schemas")
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
    #expect(schemas.keys.sorted() == SchemaPlans.bySchema.keys.sorted())
    for (name, released) in schemas {
      #expect(released > 0, "'\(name)' has no released version")
      #expect(SchemaPlans.bySchema[name]?.schemas.count == released + 1, "\(name)")
    }
  }

  /// In a short run without a schema that takes as long as all others, because it has a hundred properties in each model.
  private static let withTwoVersions = SchemaPlans.bySchema.filter {
    $1.schemas.count == 2 && (Repetitions.isThorough || $0 != "LandmineWords")
  }.keys.sorted()

  /// Stores of another kind migrate in the same way. A JSON file migrates to the last version of a plan only.
  @Test(arguments: withTwoVersions) func everyPairOfVersionsMigratesInJSON(
    _ name: String
  ) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "json-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let matrix = try #require(SchemaPlans.matrix(of: name, rowsPerModel: Repetitions.isThorough ? 8 : 3))
    let report = try matrix.check { store in
      JSONFileConfiguration(url: folder.appending(path: "\(store).json"))
    }
    #expect(report.hops.count == 1 && report.statements == 0)
    #expect(report.rows > 0 && report.values > 0)
  }

  /// A JSON file that passes two stages, in which the program inserts models.
  @Test func twoStagesInMemory() throws {
    typealias V1 = RelationshipsSchema.V1_0_0
    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).json")
    defer {
      for name in ["", ".backup-1.0.0"] { try? FileManager.default.removeItem(atPath: url.path + name) }
    }
    let plan = RelationshipsMigrationPlan.self
    try StoreFixture(V1.self, rowsPerModel: 4).write(
      into: ModelContainer(
        for: Schema(versionedSchema: V1.self), migrationPlan: plan, configurations: [JSONFileConfiguration(url: url)]))
    let container = try ModelContainer(
      for: Schema(versionedSchema: RelationshipsSchema.Current.self), migrationPlan: plan,
      configurations: [JSONFileConfiguration(url: url)])
    let readers = try ModelContext(container).fetch(FetchDescriptor<RelationshipsGolden.Reader>())
    #expect(readers.contains { $0.name.hasPrefix("reader of ") })
  }

  @Test(arguments: SchemaPlans.bySchema.keys.sorted()) func everyPairOfVersionsMigrates(_ name: String) throws {
    let plan = try #require(SchemaPlans.bySchema[name])
    // A short run tries all pairs of versions too.
    let isThorough = Repetitions.isThorough
    let matrix = SchemaPlans.matrix(of: name, rowsPerModel: isThorough ? 24 : 3, killedAt: isThorough ? 100 : 2)
    let report = try #require(matrix).check()
    let versions = plan.schemas.count
    #expect(report.hops.count == versions * (versions - 1) / 2 && !report.hops.isEmpty)
    #expect(report.rows > 0 && report.values > 0 && report.statements > 0)
    print("\(name): \(report)")
  }
}
