import Foundation
import SchemaCommands
import SchemaDriver
import SchemaModel
import SchemaVersions
import StoreCare
import StoreCommands
import TestSchemas
import TestSupport
import Testing
import Trellis

/// `trellis store migrate` from each released version of the schemas in the repository.
@Suite struct StoreMigrationTests {
  /// The versions with a later version.
  static let older = VersionUnderTest.all.filter { $0.version.version < $0.history.head.version }

  private func migrate(_ version: VersionUnderTest, _ folder: TemporaryFolder, _ options: [String] = []) -> (
    status: Int32, output: String, errors: String
  ) {
    let head = Repository.root.appending(path: "Schemas/\(version.folder)").path
    let outcome = StoreVerbs.run(
      ["store", "migrate", folder.path("old.store"), head, "--module", version.module] + options)
    return (outcome.status.rawValue, outcome.findings, outcome.progress)
  }

  @Test(arguments: older) func aStoreIsMigratedUpToTheFirstStepOfTheApp(_ version: VersionUnderTest) throws {
    let folder = try TemporaryFolder()
    try version.write(to: folder.url.appending(path: "old.store"))
    let before = contents(of: folder.path("old.store"))
    let result = migrate(version, folder)
    let plan = try #require(version.plan)
    let target: String
    if result.status == 0 {
      target = "\(version.history.head.version)"
    } else {
      // The steps are named, and nothing was changed.
      #expect(result.status == 1)
      let steps = result.output.split(separator: "\n").filter { $0.hasPrefix("  - ") }
      #expect(!steps.isEmpty, "\(result)")
      for step in steps { #expect(["fill ", "custom ", "dedupe "].contains { step.contains($0) }, "\(step)") }
      #expect(contents(of: folder.path("old.store")) == before)
      // The last line names the version that can be reached.
      guard let option = result.output.firstRange(of: "--to ") else { return }
      target = String(result.output[option.upperBound...].prefix { $0 != "'" })
      #expect(migrate(version, folder, ["--to", target]).status == 0)
    }
    let report = try StoreChecker.check(folder.path("old.store"))
    #expect(report.findings.isEmpty, "\(report.text)")
    #expect(report.version == target)
    // The app of that version finds nothing to migrate.
    let compiled = try #require(plan.schemas.first { "\($0.versionIdentifier)" == target })
    let configuration = ModelConfiguration(url: folder.url.appending(path: "old.store"), allowsSave: false)
    _ = try ModelContainer(for: Schema(versionedSchema: compiled), migrationPlan: plan, configurations: configuration)
  }

  @Test func aMissingSchemaFileIsNamed() throws {
    let store = try StoreUnderTest("SampleTrips")
    try Data("schema Other 1.0.0\n\n@Model class Item { var name: String }\n".utf8)
      .write(to: URL(filePath: store.folder.path("Other.schema")))
    let outcome = CareTests.store("migrate", "SampleTrips.store", in: store.folder.url.path)
    #expect(outcome.status == 2)
    #expect(
      outcome.errors
        == "error: no schema file declares 'SampleTrips': name the schema file or its folder as the last argument\n")
  }

  @Test func throughALinkTheBackupIsReported() throws {
    var backups = 0
    for version in Self.older {
      let (folder, real) = (try TemporaryFolder(), try TemporaryFolder())
      try version.write(to: real.url.appending(path: "real.store"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("old.store"), withDestinationPath: real.path("real.store"))
      var result = migrate(version, folder)
      if let option = result.output.firstRange(of: "--to ") {
        result = migrate(version, folder, ["--to", String(result.output[option.upperBound...].prefix { $0 != "'" })])
      }
      guard result.status == 0, let backup = real.names.first(where: { $0.contains(".backup-") }) else { continue }
      backups += 1
      #expect(result.output.contains("; the store as it was: "), "\(result)")
      #expect(result.output.contains(backup))
      #expect(result.errors.contains(": rewriting the rows of "), "\(result)")
      #expect(!result.errors.contains("rows(entity"))
    }
    #expect(backups > 0)
  }

  @Test func someVersionsCanBeMigratedBeforeTheStepsOfTheApp() throws {
    let hints = try Self.older.filter { version in
      let folder = try TemporaryFolder()
      try version.write(to: folder.url.appending(path: "old.store"))
      return migrate(version, folder).output.contains("--to ")
    }
    #expect(!hints.isEmpty)
  }

  @Test func aCurrentStoreIsLeftAsItIs() throws {
    let store = try StoreUnderTest("SampleTrips")
    let before = contents(of: store.path)
    let head = Repository.root.appending(path: "Schemas/SampleTrips").path
    let result = CareTests.store("migrate", store.path, head, "--module", "SampleTripsGolden")
    #expect(result.output == "SampleTrips 3.0.0: nothing to do\n")
    #expect(contents(of: store.path) == before)
  }

  @Test func anOlderTargetIsRefused() throws {
    let store = try StoreUnderTest("SampleTrips")
    let head = Repository.root.appending(path: "Schemas/SampleTrips").path
    let result = CareTests.store("migrate", store.path, head, "--module", "SampleTripsGolden", "--to", "1.0.0")
    #expect(result.status == 1)
    #expect(result.output == "error: the store has the newer version 3.0.0\n")
  }
}
