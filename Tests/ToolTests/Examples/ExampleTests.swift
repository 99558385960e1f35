import Foundation
import SchemaDriver
import SchemaEmitter
import TestSupport
import Testing

/// All Swift code in articles and documentation comments must compile, because readers copy it.
@Suite struct ExampleTests {
  private static let vocabulary = "Tests/ToolTests/Examples/Vocabulary"

  @Test func articlesCompile() throws {
    // `Tests/Consumers/tutorial.sh` builds and runs the tutorial.
    let articles = try paths(below: "Sources") {
      $0.contains(".docc/") && $0.hasSuffix(".md") && !$0.contains("/Tutorial/")
    }
    try expectToCompile(articles, atLeast: 90, DocumentationExamples.article)
  }

  @Test func documentationCommentsCompile() throws {
    let sources = try paths(below: "Sources/Runtime") { $0.hasSuffix(".swift") }
    try expectToCompile(
      sources + paths(below: "Sources/Testing") { $0.hasSuffix(".swift") }, atLeast: 250, DocumentationExamples.comments
    )
  }

  private func paths(below folder: String, where isIncluded: (String) -> Bool) throws -> [String] {
    let base = Repository.root.appending(path: folder).path(percentEncoded: false)
    let names = try #require(FileManager.default.enumerator(atPath: base)).compactMap { $0 as? String }
    return names.filter(isIncluded).sorted().map { "\(folder)/\($0)" }
  }

  /// Generates the vocabulary's models and those in the examples, as the plugin does, and type-checks everything.
  private func expectToCompile(
    _ paths: [String], atLeast count: Int, _ source: (String, String, String) -> String?
  ) throws {
    let place = FileManager.default.temporaryDirectory.appending(path: "examples-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let vocabulary = try self.paths(below: Self.vocabulary) { _ in true }
      .map { Repository.root.appending(path: $0).path(percentEncoded: false) }
    var files = vocabulary.filter { $0.hasSuffix(".swift") }
    var marks = 0
    for (index, path) in paths.enumerated() {
      let name = path.split(separator: "/").last?.prefix { $0 != "." }.filter { $0.isLetter || $0.isNumber } ?? ""
      guard let text = source(try Repository.text(path), path, "\(name)\(index)") else { continue }
      marks += text.components(separatedBy: "#sourceLocation(file:").count - 1
      let file = place.appending(path: "\(index)-\(name).swift")
      try text.write(to: file, atomically: true, encoding: .utf8)
      files.append(file.path(percentEncoded: false))
    }
    #expect(marks >= count)
    var generation = Generation(
      heads: vocabulary.filter { $0.hasSuffix(".schema") }, outputFolder: place.path(percentEncoded: false),
      module: "Examples", target: "Examples", access: .internal, root: place.path(percentEncoded: false))
    generation.swiftFiles = files
    let (status, messages) = generation.run()
    try #require(status == .clean, "\(messages)")
    let generated = try FileManager.default.contentsOfDirectory(atPath: place.path(percentEncoded: false))
      .map { place.appending(path: $0).path(percentEncoded: false) }
      .filter { $0.hasSuffix(".swift") && !files.contains($0) }
    let libpq = [
      "-fmodule-map-file=\(Repository.root.path(percentEncoded: false))Sources/Runtime/CPostgres/module.modulemap",
      "-I/usr/include/postgresql", "-I/usr/local/opt/libpq/include", "-I/opt/homebrew/opt/libpq/include",
    ]
    let problems = try GeneratedModules.typecheck(
      files + generated, module: "Examples", in: place,
      flags: ["-suppress-warnings", "-wmo"] + libpq.flatMap { ["-Xcc", $0] })
    #expect(problems.isEmpty, "\(problems)")
  }
}
