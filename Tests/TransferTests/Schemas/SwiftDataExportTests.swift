import Foundation
import SchemaDiagnostics
import SchemaDriver
import SchemaExport
import SchemaImport
import SchemaModel
import SchemaVersions
import TestSupport
import TestTraits
import Testing

/// Tests of schemas as Apple's SwiftData source.
@Suite struct SwiftDataExportTests {
  /// Imports a source and returns the versions by number.
  private static func imported(_ source: SwiftDataSource, name: String) throws -> (ImportResult, [ResolvedSchema]) {
    let result = SwiftImporter.run([SourceFile(path: "\(name).swift", text: source.text)], name: name)
    let schemas = try result.files.filter { $0.path.hasSuffix(".schema") }.map { file in
      let compilation = SchemaCompiler.compile([SourceFile(path: file.path, text: file.text)])
      let errors = compilation.diagnostics.filter { $0.severity == .error }.map(\.message)
      #expect(errors.isEmpty, "\(file.path): \(errors)\n\(file.text)")
      return try #require(compilation.schemas.first)
    }
    return (result, schemas.sorted { $0.version < $1.version })
  }

  /// Every version of every schema comes back with its fingerprint, without the options that are reported.
  @Test(arguments: EveryHistory.sample.filter { !$0.hasStorageGap })
  func everySchemaIsImportedUnchanged(_ schema: EveryHistory) throws {
    let source = SwiftDataSource(schema.history, files: schema.files)
    let (result, imported) = try Self.imported(source, name: schema.history.head.name)
    // SwiftData's plans are linear, so the import drops the code of other stages.
    let lost = result.notes.filter { $0.kind == .notCarried && !$0.message.hasPrefix("the stage from") }
    #expect(lost.isEmpty, "\(lost.map(\.text))\n\(source.text)")
    // The import joins versions that only differ in their numbers.
    var expected: [ResolvedSchema] = []
    for version in schema.history.versions.map(\.withoutGaps)
    where expected.last?.fingerprint() != version.fingerprint() {
      expected.append(version)
    }
    #expect(imported.count == expected.count, "\(source.text)")
    for (one, other) in zip(imported, expected) where one.fingerprint() != other.fingerprint() {
      Issue.record("\(one.version): \(try Self.differences(one, other))")
    }
    let gaps = schema.history.versions.flatMap(\.entities).flatMap(\.swiftDataGaps).count
    #expect(source.notes.count { $0.message.contains("has no syntax") } == gaps)
  }

  private static func differences(_ one: ResolvedSchema, _ other: ResolvedSchema) throws -> [String] {
    func lines(_ schema: ResolvedSchema) throws -> [Substring] {
      try SchemaDocument(schema).text.split(separator: "\n").filter { !$0.contains("documentation\"") }
    }
    return try lines(one).difference(from: lines(other)).prefix(12).map { "\($0)" }
  }

  @Test func mostSchemasHaveNoGaps() {
    let complete = EveryHistory.all.filter { $0.history.versions.flatMap(\.entities).flatMap(\.swiftDataGaps).isEmpty }
    #expect(complete.count >= 80)
    #expect(
      complete.allSatisfy { schema in
        schema.history.versions.allSatisfy { version in
          version.imports.contains { $0.module == "Foundation" }
            || version.withoutGaps.fingerprint() == version.fingerprint()
        }
      })
  }

  @Test func gapsAreReportedWithTheirLines() throws {
    let schema = try EveryHistory.golden()
    let notes = SwiftDataSource(schema.history, files: schema.files).notes
    let lines = try Repository.text("Tests/TransferTests/Schemas/Goldens/Harbor.schema").split(
      separator: "\n", omittingEmptySubsequences: false)
    let found = notes.map { note in "\(lines[note.line - 1].trimmingCharacters(in: .whitespaces)) | \(note.message)" }
    #expect(
      found == [
        "@Attribute(.flattened) var registry: Registry? | SwiftData has no syntax for a storage option",
        "var crew: [Sailor] = [] | SwiftData has no syntax for a message for refused deletions",
        "class Voyage { | SwiftData has no syntax for a model's original name",
        "@Relationship(.ordered, inverse: \\Sailor.voyages) var watch: [Sailor] = [] "
          + "| SwiftData has no syntax for an ordered list",
        "@Attribute(.unique, onConflict: .fail) var number: Int | SwiftData has no syntax for a conflict policy",
        "migration from 1.0.0 { | the migration from 1.0.0 to 2.0.0 is copied as a comment; write it for SwiftData",
      ])
    #expect(notes.allSatisfy { $0.file.hasSuffix("Goldens/Harbor.schema") })
  }

  /// The schemas whose source is compiled. There are only a few in a short run, because each takes some seconds.
  private static let compiled = EveryHistory.all.filter { schema in
    let short = ["Schemas/SampleTrips", "Schemas/Relationships", "Tests/TransferTests/Schemas/Goldens"]
    let long = short + ["Schemas/Several", "Sources/Testing/StoreConformance", "Tests/Versions/ClassicV1"]
    return (Repetitions.isThorough ? long : short).contains(schema.folder)
  }

  /// The source compiles with the module `SwiftData` of this package.
  @Test(.waiting, arguments: compiled) func theSourceCompiles(_ schema: EveryHistory) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "swiftdata-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "Models.swift")
    let source = SwiftDataSource(schema.history, files: schema.files)
    try source.text.write(to: file, atomically: true, encoding: .utf8)
    let problems = try SwiftSourceCheck(folder).problems([file.path(percentEncoded: false)])
    #expect(problems.isEmpty, "\(problems)\n\(source.text)")
  }
}

extension EveryHistory {
  /// True if a value would be stored in another form, which can change the meaning of its type and of key paths.
  fileprivate var hasStorageGap: Bool {
    history.versions.flatMap(\.entities).flatMap(\.swiftDataGaps).contains { $0.what == "a storage option" }
  }
}

extension ResolvedSchema {
  /// The schema without the options that SwiftData does not have. Every Swift file imports Foundation.
  fileprivate var withoutGaps: ResolvedSchema {
    var schema = self
    schema.imports.removeAll { $0.module == "Foundation" }
    for index in schema.entities.indices {
      schema.entities[index].originalName = nil
      for place in schema.entities[index].uniques.indices {
        schema.entities[index].uniques[place].policy = .replace
      }
      schema.entities[index].properties = schema.entities[index].properties.map { property in
        switch property {
        case .attribute(let one) where one.storage != nil || one.unknown != nil:
          .attribute(
            ResolvedAttribute(
              name: one.name, originalName: one.originalName, hashModifier: one.hashModifier, type: one.type,
              defaultValue: one.defaultValue, options: one.options, transformer: one.transformer,
              isTransient: one.isTransient, isLet: one.isLet, access: one.access, setterAccess: one.setterAccess,
              documentation: one.documentation, range: one.range))
        case .relationship(let one) where one.isOrdered || schema.entities[index].isOwnInverse(one):
          .relationship(
            ResolvedRelationship(
              name: one.name, originalName: one.originalName, hashModifier: one.hashModifier,
              destination: one.destination, cardinality: one.cardinality, deleteRule: one.deleteRule,
              denyMessage: one.denyMessage, inverse: schema.entities[index].isOwnInverse(one) ? .none : one.inverse,
              declaresInverse: one.declaresInverse,
              minimumCount: one.minimumCount, maximumCount: one.maximumCount, isUnique: one.isUnique,
              defaultValue: one.defaultValue, access: one.access, setterAccess: one.setterAccess,
              documentation: one.documentation, range: one.range))
        case .attribute, .relationship: property
        }
      }
    }
    return schema
  }
}

/// Type-checks Swift files with models, after the generator has run as in a build.
private struct SwiftSourceCheck {
  private let folder: URL

  init(_ folder: URL) { self.folder = folder }

  /// Returns the diagnostics; empty if there are none.
  func problems(_ files: [String]) throws -> String {
    let output = folder.appending(path: "Generated").path(percentEncoded: false)
    var generation = Generation(
      heads: [], outputFolder: output, module: "App", target: "App", access: nil,
      root: folder.path(percentEncoded: false))
    generation.swiftFiles = files
    let (status, messages) = generation.run()
    guard status == .clean else { return "\(messages)" }
    let generated = try FileManager.default.contentsOfDirectory(atPath: output).map { output + "/" + $0 }
      .filter { $0.hasSuffix(".swift") }
    let products = Bundle.main.bundleURL
    let built = try #require(
      [products, products.deletingLastPathComponent()].first {
        FileManager.default.fileExists(atPath: $0.appending(path: "Modules/SwiftData.swiftmodule").path)
      }, "the runtime is not built beside \(products.path)")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", "-suppress-warnings", "-module-name", "App",
        "-I", built.appending(path: "Modules").path, "-load-plugin-executable",
        "\(built.appending(path: "TrellisMacros-tool").path)#TrellisMacros", "-Xcc",
        "-fmodule-map-file=\(Repository.root.path)/Sources/Runtime/CSQLite/module.modulemap",
      ] + generated.sorted() + files
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "" : "swiftc ends with \(process.terminationStatus):\n\(text)"
  }
}
