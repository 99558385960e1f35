import Foundation
import RelationshipsGolden
import TestSchemas
import TestSupport
import Testing
import Trellis
import TrellisTesting

/// Stores of every released version of every schema in `Schemas/` must open with every later version.
struct EverySchemaTests {
  /// Returns each schema's name and the number of its released versions.
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
