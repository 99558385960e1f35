package import SchemaDiagnostics
import SchemaModel
package import SchemaVersions
import SwiftSource

/// Apple's SwiftData source for a schema: `@Model` classes, enums and structs.
///
/// Each version becomes a `VersionedSchema` enum. If there are several versions, a `SchemaMigrationPlan` connects them.
/// Type aliases name the newest version's types.
///
/// `trellis import --from swiftdata` restores schemas with the same fingerprints, unless ``notes`` lists an option that
/// SwiftData lacks.
package struct SwiftDataSource {
  /// A part of the schema that is missing in the source.
  package struct Note: Sendable, Equatable, Encodable {
    package var file: String
    /// The line number, starting at 1.
    package var line: Int
    package var message: String

    package var text: String { "\(file):\(line): \(message)" }
  }

  package let text: String
  package private(set) var notes: [Note] = []

  /// - Parameter files: The files that declare the versions. Source ranges refer to them by index.
  package init(_ history: SchemaHistory, files: [SourceFile]) {
    let versions = history.versions
    var places = NotePlaces(files: files)
    var lines = Self.imports(versions)
    let names = Self.names(versions)
    for (version, name) in zip(versions, names) {
      let models = SwiftDataModels(version)
      lines += [""] + Self.enumeration(version, name, models) + models.conformances(in: name)
      notes += places.notes(version)
    }
    lines += [""] + Self.aliases(history.head, in: names.last ?? "")
    if versions.count > 1 {
      let plan = SwiftDataPlan(history, names: names)
      lines += [""] + plan.lines
      notes += plan.unwritten.map { stage in places.note(on: stage) }
    }
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func imports(_ versions: [ResolvedSchema]) -> [String] {
    var modules: [String: String] = ["Foundation": "import Foundation", "SwiftData": "import SwiftData"]
    for one in versions.flatMap(\.imports) where modules[one.module] == nil {
      let marks = (one.isPreconcurrency ? ["@preconcurrency"] : []) + (one.access.map { [$0.rawValue] } ?? [])
      modules[one.module] = (marks + ["import", one.module]).joined(separator: " ")
    }
    return modules.ordered { $0.key < $1.key }.map(\.value)
  }

  /// `TripsV1`, `TripsV2`, or `TripsV1_0_0` if two versions have the same major number.
  private static func names(_ versions: [ResolvedSchema]) -> [String] {
    let isShort = Set(versions.map(\.version.major)).count == versions.count
    return versions.map { schema in
      let number = schema.version
      return schema.name + (isShort ? "V\(number.major)" : "V\(number.major)_\(number.minor)_\(number.patch)")
    }
  }

  private static func enumeration(
    _ version: ResolvedSchema, _ name: String, _ models: SwiftDataModels
  ) -> [String] {
    let number = version.version
    let list = version.entities.map { "\(SwiftNames.escaped($0.name)).self" }
    return [
      "enum \(name): VersionedSchema {",
      "    static let versionIdentifier = Schema.Version(\(number.major), \(number.minor), \(number.patch))", "",
      "    static var models: [any PersistentModel.Type] {", "        [\(list.joined(separator: ", "))]", "    }", "",
    ] + models.declarations.map { $0.isEmpty ? "" : "    " + $0 } + ["}"]
  }

  private static func aliases(_ head: ResolvedSchema, in name: String) -> [String] {
    let names = head.entities.map(\.name) + head.enums.map(\.name) + head.structs.map(\.name)
    return names.filter { !$0.contains(".") }.map {
      "typealias \(SwiftNames.escaped($0)) = \(name).\(SwiftNames.escaped($0))"
    }
  }
}

/// Converts source ranges to notes with file and line.
private struct NotePlaces {
  let files: [SourceFile]
  private var tables: [Int: LineTable] = [:]

  init(files: [SourceFile]) { self.files = files }

  mutating func notes(_ schema: ResolvedSchema) -> [SwiftDataSource.Note] {
    schema.entities.flatMap { entity in
      entity.swiftDataGaps.map { gap in note(gap.range, "SwiftData has no syntax for \(gap.what)") }
        + (SwiftDataInitializer(entity, in: schema).isMissing
          ? [
            note(
              entity.range,
              "'\(entity.name)' has no initializer, because its superclass has initializers that take other values")
          ] : [])
    }
  }

  mutating func note(on stage: PlannedStage) -> SwiftDataSource.Note {
    let migration = stage.to.migrations.first { $0.from == stage.from.version }
    return note(
      migration?.range ?? stage.to.versionRange,
      "the migration from \(stage.from.version) to \(stage.to.version) is copied as a comment; write it for SwiftData")
  }

  private mutating func note(_ range: SourceRange, _ message: String) -> SwiftDataSource.Note {
    guard files.indices.contains(range.file) else { return .init(file: "", line: 1, message: message) }
    let table = tables[range.file] ?? LineTable(files[range.file])
    tables[range.file] = table
    return .init(file: files[range.file].path, line: table.line(at: range.start), message: message)
  }
}

/// The migration plan between released versions.
private struct SwiftDataPlan {
  private let history: SchemaHistory
  private let names: [SchemaVersion: String]

  init(_ history: SchemaHistory, names: [String]) {
    self.history = history
    self.names = Dictionary(
      zip(history.versions.map(\.version), names).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
  }

  /// Stages with custom migration code for Trellis.
  var unwritten: [PlannedStage] { history.stages.filter { !$0.isLightweight } }

  var lines: [String] {
    let versions = history.versions.compactMap { names[$0.version] }.map { "\($0).self" }
    return [
      "enum \(history.head.name)MigrationPlan: SchemaMigrationPlan {",
      "    static var schemas: [any VersionedSchema.Type] {", "        [\(versions.joined(separator: ", "))]", "    }",
      "", "    static var stages: [MigrationStage] {", "        [",
    ] + history.stages.flatMap(stage) + ["        ]", "    }", "}"]
  }

  private func stage(_ stage: PlannedStage) -> [String] {
    let (from, to) = (names[stage.from.version] ?? "", names[stage.to.version] ?? "")
    let ends = "fromVersion: \(from).self, toVersion: \(to).self"
    guard !stage.isLightweight else { return ["            .lightweight(\(ends)),"] }
    let body = stage.to.migrations.first { $0.from == stage.from.version }?.body.text ?? ""
    let steps = SwiftNames.shifted(body).filter { !$0.allSatisfy(\.isWhitespace) }
    return ["            .custom(", "                \(ends), willMigrate: nil,", "                didMigrate: { _ in"]
      + steps.map { "                    // \($0)" }
      + ["                    throw CocoaError(.featureUnsupported)", "                }),"]
  }
}
