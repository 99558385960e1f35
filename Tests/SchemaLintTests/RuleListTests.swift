import Foundation
import SchemaDiagnostics
import SchemaLint
import Testing

/// Every rule is whole: listed, explained and tested.
@Suite struct RuleListTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static func names(in folder: String) throws -> [String] {
    let path = root.appending(path: folder).path(percentEncoded: false)
    return try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }.sorted()
  }

  @Test func everyFileIsListed() throws {
    let listed = LintRules.all.map { String(describing: $0) }
    let files = try Self.names(in: "Sources/SchemaLint/Rules")
    #expect(files == listed.sorted())
  }

  @Test func everyRuleIsTested() throws {
    for rule in LintRules.all {
      let path = "Tests/SchemaLintTests/Rules/\(rule)Tests.swift"
      let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
      #expect(text.contains("[\(rule.id.code)]:"), "\(path) expects no \(rule.id)")
      #expect(text.contains("func staysSilent"), "\(path) has no schema without a finding")
      #expect(text.contains("fixed:") == (rule.fix == .auto), "\(path) and the fix of \(rule.id)")
    }
  }

  @Test(arguments: LintRules.all.indices)
  func aRuleExplainsItself(_ index: Int) {
    let rule = LintRules.all[index]
    for text in [rule.summary, rule.why, rule.remedy] {
      #expect(text.hasSuffix(".") && text.count > 20, "\(rule.id)")
      #expect(!text.contains("\n"), "\(rule.id)")
    }
    #expect(rule.id.code.wholeMatch(of: /[A-Z]{3}\d{3}/) != nil)
    #expect(rule.id.name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
  }

  @Test func identitiesAreUnique() {
    let all = LintRules.all.map { $0.id } + DiagnosticID.compilerDiagnostics
      + DiagnosticID.versionDiagnostics
    #expect(Set(all.map(\.code)).count == all.count)
    #expect(Set(all.map(\.name)).count == all.count)
  }

  @Test(arguments: ["REL010", "cascade-on-many-to-many"])
  func rulesAreFoundByCodeAndName(_ text: String) {
    #expect(LintRules.rule(text)?.id.code == "REL010")
    #expect(LintRules.rule(text + "x") == nil)
  }
}
