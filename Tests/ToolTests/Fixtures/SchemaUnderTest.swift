import Foundation
import SchemaDiagnostics
import SchemaDriver
import SchemaFixtures
import SchemaModel
import SchemaVersions
import TestSchemas
import TestSupport
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// A version of a schema in `Schemas`, with its generated code.
struct SchemaUnderTest: CustomTestStringConvertible, Sendable {
  let history: SchemaHistory
  let version: ResolvedSchema
  let files: [SourceFile]
  let module: String
  let compiled: any VersionedSchema.Type
  let plan: any SchemaMigrationPlan.Type

  var testDescription: String { "\(version.name) \(version.version)" }

  /// The plans by folder name.
  static let plans: [String: [any SchemaMigrationPlan.Type]] = Dictionary(
    grouping: SchemaPlans.bySchema, by: { SchemaPlans.folder(ofSchema: $0.key) }
  ).mapValues { $0.map(\.value) }

  static let root = Repository.root

  static let all: [SchemaUnderTest] =
    plans.keys.sorted().flatMap { (try? versions(in: $0)) ?? [] } + ((try? oddities()) ?? [])

  /// All versions, or only the newest version of each schema in a short run.
  static let sample = all.filter { Repetitions.isThorough || $0.version.version == $0.history.head.version }

  /// The versions in `sample`, without wide schemas in a short run. A wide schema has a hundred properties in each
  /// model.
  static let quick = sample.filter { Repetitions.isThorough || !$0.isWide }

  var isWide: Bool { version.entities.contains { $0.properties.count > 100 } }

  /// Returns the schemas of this test target.
  static func oddities() throws -> [SchemaUnderTest] {
    ValueTransformer.setValueTransformer(Palette(), forName: NSValueTransformerName("oddities.palette"))
    return try versions(
      below: "Tests/ToolTests/Fixtures", module: "ToolTests", [OdditiesMigrationPlan.self])
  }

  static func versions(in folder: String) throws -> [SchemaUnderTest] {
    try versions(below: "Schemas/\(folder)", module: SchemaPlans.module(ofFolder: folder), plans[folder] ?? [])
  }

  private static func versions(
    below folder: String, module: String, _ plans: [any SchemaMigrationPlan.Type]
  ) throws -> [SchemaUnderTest] {
    let path = root.appendingPathComponent(folder).path
    let names = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
    let heads = names.filter { $0.hasSuffix(".schema") && !$0.contains("/") }.map { "\(path)/\($0)" }
    let inputs = names.filter { $0.hasPrefix("versions/") && !$0.hasSuffix(".md") }.map { "\(path)/\($0)" }
      .filter { $0.hasSuffix(".schema") || $0.hasSuffix(".lock") }
    let project = try SchemaProject(heads: heads, inputs: inputs, isTarget: true)
    return project.histories.flatMap { history in
      let plan = plans.first { "\($0)" == history.head.name + "MigrationPlan" }
      return history.versions.compactMap { version -> SchemaUnderTest? in
        let name = "\(version.version)"
        guard let plan, let compiled = plan.schemas.first(where: { "\($0.versionIdentifier)" == name })
        else { return nil }
        return SchemaUnderTest(
          history: history, version: version, files: project.files, module: module,
          compiled: compiled, plan: plan)
      }
    }
  }

  func fixture(rows: Int = 24, seed: UInt64 = 1) throws -> SchemaFixture {
    try SchemaFixture(version, of: history, files: files, module: module, rows: rows, seed: seed)
  }

  /// Writes a fixture, with fewer rows if there are many models.
  @discardableResult
  func write(to url: URL) throws -> SchemaFixture {
    let fixture = try fixture(rows: version.entities.count > 30 ? 6 : 24)
    try fixture.write(to: url)
    // The class's own code, which the schema does not contain, rejects some rows.
    if version.name == "Inheritance" {
      let connection = try Connection(url.path, .existing)
      try connection.execute("UPDATE \(name: "Journey") SET \(name: "revision") = 1")
    }
    return fixture
  }

  /// Opens a store as the app does.
  func container(_ url: URL, plan: (any SchemaMigrationPlan.Type)? = nil) throws -> ModelContainer {
    var configuration = ModelConfiguration(url: url)
    configuration.migration.keepsBackup = false
    return try ModelContainer(
      for: Schema(versionedSchema: compiled), migrationPlan: plan, configurations: configuration)
  }
}

/// Runs a test with a temporary folder.
func inFolder(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("schema-fixture-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder)
}
