import Foundation
import SchemaDiagnostics
import SchemaLint
import SchemaModel
import Testing

/// The examples that `explain` prints must be correct.
@Suite struct RuleExampleTests {
  static let codes = RuleCatalogue.all.filter { $0.example != nil }.map { $0.id.code }

  private func findings(in text: String, of rule: any RuleDescription.Type) -> [Diagnostic] {
    var settings = LintSettings(profiles: rule.profile.map { [$0] } ?? [])
    if settings.severity(of: rule, reported: rule.severity, in: "") == nil {
      settings.levels[rule.id] = .on(rule.severity)
    }
    let file = SourceFile(path: "Trips.schema", text: text)
    return SchemaLinter.lint(LintInput(SchemaCompiler.compile([file])), settings).findings.open
  }

  @Test(arguments: codes) func badExamplesFireTheirRuleAndGoodExamplesFireNone(_ code: String) {
    guard let rule = RuleCatalogue.rule(code), let example = rule.example else {
      return #expect(Bool(false), "there is no example of \(code)")
    }
    let bad = findings(in: example.bad, of: rule)
    #expect(Set(bad.map(\.id)) == [rule.id], "\(bad.map { "\($0.id.code) \($0.message)" })")
    let good = findings(in: example.good, of: rule)
    #expect(good.isEmpty, "\(good.map { "\($0.id.code) \($0.message)" })")
    // A rule with safe fixes must offer a fix.
    if rule.fix == .auto { #expect(bad.allSatisfy { !$0.fixIts.isEmpty }, "\(code) has no fix") }
    if rule.fix == .none { #expect(bad.allSatisfy { $0.fixIts.isEmpty }, "\(code) has a fix") }
  }
}
