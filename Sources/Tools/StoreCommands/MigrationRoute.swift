import Foundation
package import SchemaCommands
import SchemaDiagnostics
import SchemaDriver
import SchemaFixtures
package import SchemaModel
import SchemaVersions
package import StoreInspection
package import Trellis

/// The schema versions from a store's version to a migration's target version.
package struct MigrationRoute {
  package let name: String
  /// The versions from the store's version to the target version, oldest first.
  package let passed: [ResolvedSchema]
  /// The runtime schemas up to the target version, oldest first. Versions before the store's version are included if
  /// apps with these versions might still use the store.
  package let schemas: [Schema]

  /// - Parameter target: The target version, or `nil` for the head.
  /// - Throws: ``DriverFailure`` if the files do not contain the store's version or the target version.
  package init(
    _ store: StoreDescription, _ folders: [SchemaFolder], to target: SchemaVersion?, module: String?
  ) throws {
    guard let stored = store.schemas.first else {
      throw DriverFailure(
        ["error: \(store.path): the store does not record its schema: open it with the app"], .usage)
    }
    guard store.schemas.count == 1 else {
      let names = store.schemas.map(\.name).joined(separator: ", ")
      throw DriverFailure(
        ["error: \(store.path): the store contains models of several schemas (\(names)): open it with the app"], .usage)
    }
    let found = folders.flatMap { folder in folder.histories.map { (folder, $0) } }
      .filter { $1.head.name == stored.name }
    guard let (folder, history) = found.first else {
      let reason =
        store.isNamed
        ? "no schema file declares '\(stored.name)': name the schema file or its folder as the last argument"
        : "the store does not record a schema name, because its models are in Swift files: open it with the app, which "
          + "migrates it"
      throw DriverFailure(["error: \(reason)"], .usage)
    }
    guard found.count == 1 else {
      let files = found.compactMap { $1.head.files.first?.path }.joined(separator: ", ")
      throw DriverFailure(
        ["error: there are \(found.count) schemas '\(stored.name)': name one of the files (\(files))"], .usage)
    }
    let versions = history.versions
    guard let end = target.map({ version in versions.firstIndex { $0.version == version } }) ?? versions.count - 1
    else {
      throw DriverFailure(["error: '\(stored.name)' has no version \(target?.description ?? "")"], .usage)
    }
    guard let start = history.index(of: stored), start <= end else {
      let isNewer = stored.version > versions[end].version
      throw DriverFailure(
        [
          isNewer
            ? "error: the store has the newer version \(stored.version)"
            : "error: the store matches no known version; 'trellis inspect' shows the differences"
        ], .findings)
    }
    name = stored.name
    guard let passed = history.way(from: versions[start], to: versions[end]) else {
      throw DriverFailure(
        ["error: there is no migration from version \(versions[start].version) to \(versions[end].version)"], .findings)
    }
    self.passed = passed
    // Apps with these versions might still use the store.
    let served = store.oldestServed.flatMap { version in versions.first { $0.version == version } }
    let earlier = served.flatMap { history.way(from: $0, to: versions[start]) }?.dropLast() ?? []
    let module =
      module ?? RequestedVersion.Found(folder: folder, history: history, version: history.head).module
    schemas = try (earlier + passed).enumerated().compactMap { index, version -> Schema? in
      do throws(FixtureRefusal) {
        return try SchemaFixture.schema(
          of: version, in: history, files: folder.project.files, module: module)
      } catch {
        // Apps with this version cannot be recognized.
        if index < earlier.count { return nil }
        throw DriverFailure(["error: \(stored.name) \(version.version): \(error)"], .findings)
      }
    }
    let number = passed[0].version
    let own = schemas.dropLast(passed.count - 1).last
    guard own.map({ Trellis.SchemaFingerprint.text(of: $0) }) == store.fingerprint else {
      throw DriverFailure(
        [
          "error: the store of \(stored.name) \(number) was not written by an app with the module '\(module)': "
            + "set the module with '--module'"
        ], .findings)
    }
  }

  /// `SampleTrips 1.0.0 → 2.0.0`
  package var title: String { "\(name) \(passed.map(\.version.description).joined(separator: " → "))" }

  /// The steps that only the app can run, as a string for each stage.
  package var stepsOfProgram: [String] {
    zip(passed, passed.dropFirst()).compactMap { old, new in
      let steps = Self.stepsOfProgram(old, new)
      return steps.isEmpty ? nil : "\(old.version) → \(new.version): \(steps.joined(separator: ", "))"
    }
  }

  /// The last version before the first stage that needs the app, or `nil` if it is the store's version.
  package var lastWithoutProgram: SchemaVersion? {
    let stage = zip(passed, passed.dropFirst()).first { !Self.stepsOfProgram($0, $1).isEmpty }
    guard let version = stage?.0.version, version != passed.first?.version else { return nil }
    return version
  }

  private static func stepsOfProgram(_ old: ResolvedSchema, _ new: ResolvedSchema) -> [String] {
    new.migrations.filter { $0.from == old.version }.flatMap(\.steps).compactMap { step in
      switch step {
      case .fill(let fill): "fill \(fill.entity).\(fill.property)"
      case .dedupe(let dedupe): "dedupe \(dedupe.entity)"
      case .custom(let custom): "custom \(custom.name)"
      case .accept: nil
      }
    }
  }
}
