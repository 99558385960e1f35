package import SchemaDiagnostics

/// What is known of a kind of finding besides the finding itself: what `rules` lists and `explain`
/// prints. A type of its own for each, whoever finds it: the compiler, the comparison of versions, or
/// a ``LintRule``.
package protocol RuleDescription: Sendable {
  static var id: DiagnosticID { get }
  /// What it is reported as unless the configuration says otherwise.
  static var severity: Severity { get }
  /// What should hold, in one sentence.
  static var summary: String { get }
  /// What happens to people who do otherwise.
  static var why: String { get }
  /// What to do instead.
  static var remedy: String { get }
  static var fix: FixKind { get }
  static var presence: RulePresence { get }
  /// The profile the rule belongs to; nil for a rule that does not need one.
  static var profile: LintProfile? { get }
  /// Where it is reported as something else than by default.
  static var raises: [RuleRaise] { get }
  static var options: [RuleOption] { get }
  /// A schema that breaks the rule and one that keeps it; nil where a text cannot show it.
  static var example: RuleExample? { get }
}

extension RuleDescription {
  package static var fix: FixKind { .none }
  package static var presence: RulePresence { .recommended }
  package static var profile: LintProfile? { nil }
  package static var raises: [RuleRaise] { [] }
  package static var options: [RuleOption] { [] }
  package static var example: RuleExample? { nil }

  /// Whether no configuration and no comment turns it off: what it finds stops the build.
  package static var isFixed: Bool { presence == .always }
}

/// What a rule can offer besides its words.
package enum FixKind: String, Sendable, CaseIterable, Encodable {
  /// An edit that is safe without being looked at.
  case auto
  /// A choice only the author can make.
  case ask
  /// A declaration is added whose values the author completes.
  case add
  case none
}

/// Whether a rule runs when nobody says anything about it.
package enum RulePresence: String, Sendable, CaseIterable, Encodable {
  /// Always, since what it finds cannot be built.
  case always
  case minimal, recommended, strict
  /// With the preset for documentation.
  case comments
}

/// A rule that is more serious in some preset or profile.
package struct RuleRaise: Sendable {
  package enum Occasion: Sendable, Hashable {
    case strict
    case profile(LintProfile)
  }

  package var occasion: Occasion
  package var severity: Severity

  package init(_ occasion: Occasion, _ severity: Severity) {
    self.occasion = occasion
    self.severity = severity
  }
}

/// Something about a rule that can be set.
package struct RuleOption: Sendable {
  package var name: String
  package var summary: String
  package var standard: RuleValue

  package init(_ name: String, _ standard: RuleValue, _ summary: String) {
    self.name = name
    self.summary = summary
    self.standard = standard
  }
}

/// What an option is set to.
package enum RuleValue: Sendable, Hashable {
  case integer(Int)
  case words([String])
  /// Patterns by what they are about, with the words of a finding behind them.
  case table([String: String])
}

/// Two schemas for the page about a rule.
package struct RuleExample: Sendable {
  package var bad: String
  package var good: String

  package init(bad: String, good: String) {
    self.bad = bad
    self.good = good
  }
}
