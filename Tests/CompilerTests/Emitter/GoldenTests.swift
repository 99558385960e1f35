import Foundation
import SchemaDriver
import SchemaEmitter
import TestSupport
import Testing

/// Compares the generated code of four schemas in `Schemas/` byte for byte. `RECORD_GOLDENS=1` writes the files and
/// still fails, so that a recording run is never green.
struct GoldenTests {
  static let schemas = Repository.root.appendingPathComponent("Schemas")
  static let goldens = Repository.root.appendingPathComponent("Tests/Goldens")

  static let names = folders(goldens).map { String($0.dropLast("Golden".count)) }

  @Test(arguments: names) func generatedCodeMatchesTheGoldens(_ name: String) throws {
    let folder = Self.schemas.appendingPathComponent(name)
    let golden = Self.goldens.appendingPathComponent(name + "Golden")
    let heads = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".schema") }.map { folder.appendingPathComponent($0).path }
    var generation = Generation(
      heads: heads, outputFolder: golden.path, module: name + "Golden", target: name + "Golden",
      access: .public, root: Repository.root.path)
    let versions = folder.appendingPathComponent("versions")
    generation.inputs = (FileManager.default.enumerator(atPath: versions.path) ?? .init())
      .compactMap { $0 as? String }.filter { $0.contains(".") }
      .map { versions.appendingPathComponent($0).path }.filter { !$0.hasSuffix("/") }
    let (files, report) = try generation.generate()
    #expect(report == "")
    let expected = Set(files.map(\.name))
    // Generated files have a plus sign in their names; other files are written by hand.
    let present = Set((try? FileManager.default.contentsOfDirectory(atPath: golden.path)) ?? [])
      .filter { $0.contains("+") }
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      for stale in present.subtracting(expected) {
        try FileManager.default.removeItem(at: golden.appendingPathComponent(stale))
      }
      #expect(generation.run().status == .clean)
      Issue.record("recorded; run again without RECORD_GOLDENS")
      return
    }
    #expect(present == expected)
    for file in files {
      let recorded = try? String(
        contentsOf: golden.appendingPathComponent(file.name), encoding: .utf8)
      #expect(recorded == file.text, "\(name)Golden/\(file.name) differs")
    }
  }

  /// The plugin generates the code of the remaining schemas, which is compiled and run in tests.
  @Test func everySchemaIsCompiled() throws {
    let generated = Self.folders(Repository.root.appendingPathComponent("Tests/Generated"))
    #expect((Self.names + generated).sorted() == Self.folders(Self.schemas))
    let manifest = try Repository.text("Package.swift")
    for name in Self.names + generated { #expect(manifest.contains("\"\(name)\"")) }
  }

  private static func folders(_ url: URL) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    return names.filter { !$0.hasPrefix(".") && !$0.contains(".") }.sorted()
  }
}
