import SchemaDiagnostics

/// The catalog of all finding kinds.
package enum RuleCatalogue {
  /// All rules, grouped by code prefix and then ordered by code.
  package static let all: [any RuleDescription.Type] = {
    let families = ["SYN", "NAM", "TYP", "REL", "UNQ", "IDX", "HIS", "MIG", "CKT", "POR", "DOC"]
    let rules: [any RuleDescription.Type] = CompilerRules.all + VersionRules.all + LintRules.all
    return rules.sorted { first, second in
      let places = [first, second].map { families.firstIndex(of: String($0.id.code.prefix(3))) ?? families.count }
      return places[0] != places[1] ? places[0] < places[1] : first.id < second.id
    }
  }()

  /// All rule codes and names.
  package static let words: [String] = all.flatMap { [$0.id.code, $0.id.name] }

  private static let byText: [String: any RuleDescription.Type] = Dictionary(
    all.flatMap { rule in [(rule.id.code, rule), (rule.id.name, rule)] },
    uniquingKeysWith: { first, _ in first })

  /// Returns a rule by name, or by code in any letter case.
  package static func rule(_ text: String) -> (any RuleDescription.Type)? {
    byText[text] ?? byText[text.uppercased()] ?? byText[text.lowercased()]
  }
}
