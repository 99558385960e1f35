import Foundation
import SchemaDiagnostics
import SchemaLint
import TestSupport
import Testing

/// The catalogue must describe exactly the diagnostics of the compiler and the comparison of versions.
@Suite struct CatalogueTests {
  private static let root = Repository.root

  /// Codes for suppressions and for the formatter.
  private static let others: Set<String> = ["SYN011", "SYN012", "SYN013", "SYN014"]

  @Test func everyDiagnosticIsDescribed() {
    let described = Set(RuleCatalogue.all.map { $0.id })
    for id in DiagnosticID.compilerDiagnostics + DiagnosticID.versionDiagnostics {
      #expect(described.contains(id), "\(id) has no description")
    }
  }

  @Test func everyDescriptionHasADiagnostic() {
    let rules = Set(LintRules.all.map { $0.id })
    let said = Set(DiagnosticID.compilerDiagnostics + DiagnosticID.versionDiagnostics)
    for rule in RuleCatalogue.all where !rules.contains(rule.id) {
      #expect(said.contains(rule.id) || Self.others.contains(rule.id.code), "nobody finds \(rule.id)")
    }
  }

  @Test func everyDescriptionHasAFileOfTheSameName() throws {
    let folder = Self.root.appending(path: "Sources/Tools/SchemaLint/Catalogue").path(percentEncoded: false)
    let files = try #require(FileManager.default.subpaths(atPath: folder)).filter { $0.contains("/") }
    let names = Set(files.filter { $0.hasSuffix(".swift") }.compactMap { $0.split(separator: "/").last?.dropLast(6) })
    let rules = Set(LintRules.all.map { $0.id })
    let described = RuleCatalogue.all.filter { !rules.contains($0.id) }
    #expect(Set(described.map { "\($0)" }) == Set(names.map(String.init)))
  }

  @Test func everyDescriptionIsComplete() {
    for rule in RuleCatalogue.all {
      for text in [rule.summary, rule.why, rule.remedy] {
        #expect(text.hasSuffix(".") && text.count > 10 && !text.contains("\n"), "\(rule.id): \(text)")
      }
    }
  }

  /// In the annotated schemas of these folders, a code in brackets follows the carets that mark the range.
  @Test func everyDiagnosticIsTestedWithAnExactRange() throws {
    var texts = ""
    for folder in ["Tests/CompilerTests/Model", "Tests/SchemaLintTests"] {
      let path = Self.root.appending(path: folder).path(percentEncoded: false)
      for file in try #require(FileManager.default.subpaths(atPath: path)) where file.hasSuffix(".swift") {
        texts += try String(contentsOfFile: "\(path)/\(file)", encoding: .utf8)
      }
    }
    let lines = texts.split(separator: "\n").filter { $0.contains("//") && $0.contains("^") }
    var fired: Set<String> = []
    for line in lines {
      if let code = line.firstMatch(of: #/\[([A-Z]{3}\d{3})\]: /#) { fired.insert(String(code.output.1)) }
    }
    // Diagnostics about the lock file or released files have no range to annotate.
    let placeless: Set<String> = ["MIG002", "MIG003", "MIG006", "MIG007"]
    for id in DiagnosticID.compilerDiagnostics + DiagnosticID.versionDiagnostics
    where !placeless.contains(id.code) {
      #expect(fired.contains(id.code), "no test says where \(id) is found")
    }
  }

  /// Diagnostics that stop the build cannot be disabled.
  @Test(arguments: ["SYN001", "MIG001", "MIG005", "MIG041", "REL003"]) func errorsCannotBeDisabled(_ code: String) {
    guard let rule = RuleCatalogue.rule(code) else { return #expect(Bool(false), "there is no \(code)") }
    let isFixed = rule.isFixed
    #expect(isFixed)
    var settings = LintSettings()
    settings.levels[rule.id] = .off
    #expect(settings.severity(of: rule, reported: .error, in: "") == .error)
  }

  @Test(arguments: ["SYN016", "TYP013", "REL001", "MIG021", "MIG024", "MIG043", "MIG051", "MIG060"])
  func warningsCanBeDisabled(_ code: String) {
    let isFixed = RuleCatalogue.rule(code)?.isFixed
    #expect(isFixed == false)
  }
}
