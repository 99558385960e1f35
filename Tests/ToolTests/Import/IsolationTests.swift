import Foundation
import SchemaDriver
import SchemaEmitter
import TestSchemas
import TestSupport
import TestTraits
import Testing

/// The generated code of all schemas must compile with both default isolations.
///
/// Other targets compile most of this code without isolation and `Landmine` on the main actor. `./run test --all` adds the
/// remaining combinations.
@Suite(.waiting, .enabled(if: Repetitions.isThorough)) struct IsolationTests {
  static let folders = Set(SchemaPlans.bySchema.keys.map(SchemaPlans.folder)).sorted()

  @Test(arguments: folders) func compilesOnTheMainActor(_ folder: String) throws {
    try compile(folder, ["-default-isolation", "MainActor"])
  }

  @Test func difficultNamesCompileWithoutIsolation() throws { try compile("Landmine", []) }

  private func compile(_ name: String, _ flags: [String]) throws {
    let schemas = Repository.root.appending(path: "Schemas/\(name)")
    let work = FileManager.default.temporaryDirectory.appending(path: "isolation \(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: work) }
    let files = try FileManager.default.subpathsOfDirectory(atPath: schemas.path).sorted()
      .filter { $0.hasSuffix(".schema") || $0.hasSuffix(".lock") }.map { schemas.appending(path: $0).path }
    let output = work.appending(path: "Generated")
    var generation = Generation(
      heads: files.filter { !$0.contains("/versions/") }, outputFolder: output.path, module: name, target: name,
      access: .public, root: Repository.root.path)
    generation.inputs = files.filter { $0.contains("/versions/") }
    let (status, messages) = generation.run()
    #expect(status == .clean, "\(messages)")
    var sources = try FileManager.default.contentsOfDirectory(atPath: output.path).sorted()
      .filter { $0.hasSuffix(".swift") }.map { output.appending(path: $0).path }
    // Custom migration steps that a schema requires.
    let steps = Repository.root.appending(path: "Tests/Goldens/\(name)Golden/Steps.swift").path
    if FileManager.default.fileExists(atPath: steps) { sources.append(steps) }
    let features = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"]
    let problems = try GeneratedModules.typecheck(
      sources, module: name, in: work,
      flags: flags + features.flatMap { ["-enable-upcoming-feature", $0] }
        + ["-warnings-as-errors", "-package-name", "isolation"])
    #expect(problems.isEmpty, "\(problems)")
  }
}
