import Foundation
import SchemaDiagnostics
import SchemaLint
import SchemaModel
import TestSupport
import Testing

/// Applies all safe fixes to all schemas of this package.
@Suite struct FixingEverythingTests {
  private static let schemas = Repository.root.appending(path: "Schemas")

  static let folders: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: schemas.path(percentEncoded: false))) ?? []).sorted()

  private static func files(in folder: String) throws -> [SourceFile] {
    let path = schemas.appending(path: folder)
    return try FileManager.default.contentsOfDirectory(atPath: path.path(percentEncoded: false))
      .filter { $0.hasSuffix(".schema") }.sorted()
      .map { SourceFile(path: $0, text: try String(contentsOf: path.appending(path: $0), encoding: .utf8)) }
  }

  private static func lint(_ files: [SourceFile]) -> [Diagnostic] {
    // Rules of different profiles can contradict each other.
    var settings = LintSettings(profiles: [.history, .swiftdata, .portable])
    settings.preset = .strict
    return SchemaLinter.lint(LintInput(SchemaCompiler.compile(files)), settings).findings.open
  }

  private static func edits(_ findings: [Diagnostic]) -> [TextEdit] {
    findings.filter { RuleCatalogue.rule($0.id.code)?.fix == .auto }.flatMap { $0.fixIts.first?.edits ?? [] }
  }

  @Test(arguments: folders)
  func fixingLeavesNoFixesAndNoNewFindings(_ folder: String) throws {
    var files = try Self.files(in: folder)
    let first = Self.lint(files)
    #expect(!files.isEmpty)
    var findings = first
    // Overlapping edits are applied in the next round.
    for _ in 0..<4 where !Self.edits(findings).isEmpty {
      let edits = Self.edits(findings)
      files = files.enumerated().map { $1.applying(edits, file: $0) }
      #expect(!SchemaCompiler.compile(files).hasErrors)
      findings = Self.lint(files)
    }
    #expect(Self.edits(findings).isEmpty, "\(findings.filter { !$0.fixIts.isEmpty }.map(\.message))")
    let new = Set(findings.map { "\($0.id) \($0.message)" }).subtracting(first.map { "\($0.id) \($0.message)" })
    #expect(new.isEmpty)
  }
}
