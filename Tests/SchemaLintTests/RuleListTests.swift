import Foundation
import SchemaDiagnostics
import SchemaLint
import SchemaModel
import TestSupport
import Testing

/// Every rule must be listed, explained and tested.
@Suite struct RuleListTests {
  private static let root = Repository.root

  private static func names(in folder: String) throws -> [String] {
    let path = root.appending(path: folder).path(percentEncoded: false)
    return try FileManager.default.contentsOfDirectory(atPath: path)
      .filter { $0.hasSuffix(".swift") }.map { String($0.dropLast(6)) }.sorted()
  }

  @Test func everyFileIsListed() throws {
    let listed = LintRules.all.map { String(describing: $0) }
    let files = try Self.names(in: "Sources/Tools/SchemaLint/Rules")
    #expect(files == listed.sorted())
  }

  /// Tests must cover findings with ranges, schemas without findings, and fixes.
  @Test(arguments: LintRules.all.indices)
  func everyRuleIsTested(_ index: Int) throws {
    let rule = LintRules.all[index]
    let path = "Tests/SchemaLintTests/Rules/\(rule)Tests.swift"
    let text = try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    let mark = "[\(rule.id.code)]: "
    let annotations = text.split(separator: "\n").filter { $0.contains(mark) }
    #expect(annotations.contains { $0.firstMatch(of: /\/\/ *\^~* \w+\[/) != nil }, "\(path) expects no \(rule.id)")
    let silent = text.components(separatedBy: "  @Test").first { $0.contains("func staysSilent") } ?? ""
    #expect(silent.contains("expectFindings(") && silent.contains("schema "), "\(path) has no schema without a finding")
    #expect(!silent.contains(mark), "\(path) finds \(rule.id) where it stays silent")
    #expect(text.contains("fixed:") == (rule.fix == .auto), "\(path) and the fix of \(rule.id)")
    let source = try String(
      contentsOf: Self.root.appending(path: "Sources/Tools/SchemaLint/Rules/\(rule).swift"), encoding: .utf8)
    guard rule.fix != .auto, source.contains("fixIts") else { return }
    #expect(
      text.contains("chosen:") || RuleChoiceTests.choices[rule.id.code] != nil, "no choice of \(rule.id) is compared")
  }

  @Test(arguments: LintRules.all.indices)
  func everyRuleHasAnExplanation(_ index: Int) {
    let rule = LintRules.all[index]
    for text in [rule.summary, rule.why, rule.remedy] {
      #expect(text.hasSuffix(".") && text.count > 20, "\(rule.id)")
      #expect(!text.contains("\n"), "\(rule.id)")
    }
    #expect(rule.id.code.wholeMatch(of: /[A-Z]{3}\d{3}/) != nil)
    #expect(rule.id.name.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
  }

  /// A rule's bad example must have its finding, and its good example must not.
  @Test(arguments: LintRules.all.indices)
  func examplesDemonstrateTheirRule(_ index: Int) {
    let rule = LintRules.all[index]
    guard let example = rule.example else { return }
    let profiles = Set(rule.profile.map { [$0] } ?? [])
    let file = { (text: String) in SourceFile(path: "Trips.schema", text: text) }
    #expect(!lintFindings(file(example.bad), profiles, of: rule.id.code).isEmpty, "\(rule.id) does not fire")
    #expect(lintFindings(file(example.good), profiles, of: rule.id.code).isEmpty, "\(rule.id) fires")
    for text in [example.bad, example.good] {
      let others = lintFindings(file(text), profiles).filter { $0.id != rule.id }
      #expect(others.isEmpty, "\(rule.id): \(others.map { "\($0.id) \($0.message)" })")
    }
  }

  /// Each choice for an example must remove the finding, and the schema must still compile.
  @Test(arguments: LintRules.all.indices)
  func everyChoiceRemovesItsFinding(_ index: Int) {
    let rule = LintRules.all[index]
    guard let text = rule.example?.bad else { return }
    let profiles = Set(rule.profile.map { [$0] } ?? [])
    let file = SourceFile(path: "Trips.schema", text: text)
    let findings = lintFindings(file, profiles, of: rule.id.code)
    for choice in findings.flatMap(\.fixIts) {
      let result = file.applying(choice.edits, file: 0)
      #expect(!SchemaCompiler.compile([result]).hasErrors, "\(rule.id): \(choice.title)")
      let left = lintFindings(result, profiles, of: rule.id.code)
      #expect(left.count < findings.count, "\(rule.id): \(choice.title)")
    }
  }

  @Test func codesAndNamesAreUnique() {
    let all = RuleCatalogue.all.map { $0.id }
    #expect(Set(all.map(\.code)).count == all.count)
    #expect(Set(all.map(\.name)).count == all.count)
  }

  @Test(arguments: ["REL010", "rel010", "cascade-on-many-to-many"])
  func rulesAreFoundByCodeAndName(_ text: String) {
    #expect(RuleCatalogue.rule(text)?.id.code == "REL010")
    #expect(RuleCatalogue.rule(text + "x") == nil)
  }
}
