import Foundation
import Testing

/// Compares statements in the README with the sources.
@Suite struct ReadmeTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8)
  }

  /// The manifest and `run` reject an old toolchain before generated code fails to compile.
  @Test func allPlacesRequireTheSameSwiftVersion() throws {
    let places = [
      ("README.md", /needs Swift (\d+\.\d+) or later/), ("README.md", /- Swift (\d+\.\d+) or later/),
      ("README.md", /swift-tools-version: (\d+\.\d+)/), ("Package.swift", /swift-tools-version: (\d+\.\d+)/),
      ("Benchmarks/Package.swift", /swift-tools-version: (\d+\.\d+)/),
      ("Tests/Consumers/Shop/Package.swift", /swift-tools-version: (\d+\.\d+)/),
      ("run", /oldest_swift=(\d+\.\d+)/), ("run", /needs Swift (\d+\.\d+) or later/),
      ("Sources/Runtime/Trellis/Trellis.docc/GettingStarted.md", /needs Swift (\d+\.\d+) or later/),
      ("Sources/Runtime/Trellis/Trellis.docc/BuildTimes.md", /swift-tools-version: (\d+\.\d+)/),
    ]
    for (path, pattern) in places {
      let found = try text(path).firstMatch(of: pattern).map { String($0.1) }
      #expect(found == "6.3", "\(path)")
    }
  }

  /// Tests the claims "without swift-syntax in your build" and "no dependencies beyond the toolchain
  /// and the system's SQLite".
  @Test func thePackageHasNoDependencies() throws {
    let manifest = try text("Package.swift")
    for word in [".package(", ".binaryTarget("] { #expect(!manifest.contains(word), "\(word)") }
    for file in try SourceTree.files(below: "Sources") {
      let macros = file.imports.filter { $0.hasPrefix("SwiftSyntax") || $0.hasPrefix("SwiftCompilerPlugin") }
      #expect(macros.isEmpty, "\(file.path)")
    }
  }

  @Test func everyCommandInTheReadmeExists() throws {
    let commands = try text("README.md").matches(of: /\n\.\/run ([a-z]+)/).map { String($0.1) }
    #expect(commands == ["install", "demo", "test", "bench"])
    let script = try text("run")
    for command in commands { #expect(script.contains("\n  \(command)) "), "\(command)") }
  }

  /// Continuous integration runs exactly the command in the README.
  @Test func continuousIntegrationRunsTheTestCommand() throws {
    let lines = try text(".ci/run").split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines == [#"cd "$(dirname "${BASH_SOURCE[0]}")/.." && exec ./run test"#])
    #expect(try text("Tests/test.sh").contains("\n  restrict_path\n"))
  }
}
