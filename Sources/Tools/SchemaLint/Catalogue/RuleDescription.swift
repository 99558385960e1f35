package import SchemaDiagnostics

/// Describes a kind of finding. `trellis rules` lists the kinds, and `trellis explain` prints a description. Each kind
/// is a separate type, regardless of whether the compiler, the version comparison or a ``LintRule`` reports it.
package protocol RuleDescription: Sendable {
  static var id: DiagnosticID { get }
  /// The default severity.
  static var severity: Severity { get }
  /// The requirement, in a single sentence.
  static var summary: String { get }
  /// The consequences of a violation.
  static var why: String { get }
  /// The recommended change.
  static var remedy: String { get }
  static var fix: FixKind { get }
  static var presence: RulePresence { get }
  /// The profile that enables the rule; `nil` for a rule that belongs to no profile.
  static var profile: LintProfile? { get }
  /// The presets and profiles that raise the severity.
  static var raises: [RuleRaise] { get }
  static var options: [RuleOption] { get }
  /// A schema that violates the rule and a schema that follows it; `nil` if schema text cannot show the difference.
  static var example: RuleExample? { get }
}

extension RuleDescription {
  package static var fix: FixKind { .none }
  package static var presence: RulePresence { .recommended }
  package static var profile: LintProfile? { nil }
  package static var raises: [RuleRaise] { [] }
  package static var options: [RuleOption] { [] }
  package static var example: RuleExample? { nil }

  /// True if configuration and comments cannot disable the rule, because its findings stop the build.
  package static var isFixed: Bool { presence == .always }
}

/// The kind of fix that a rule offers.
package enum FixKind: String, Sendable, CaseIterable, Encodable {
  /// An edit that is safe without review.
  case auto
  /// Alternatives from which the author chooses.
  case ask
  /// A new declaration that the author completes.
  case add
  case none
}

/// The presets that contain a rule.
package enum RulePresence: String, Sendable, CaseIterable, Encodable {
  /// Every preset, because a schema with such findings cannot be built.
  case always
  case minimal, recommended, strict
  /// Only the documentation preset.
  case comments
}

/// A higher severity in a preset or profile.
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

/// A configurable rule option.
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

/// An option value.
package enum RuleValue: Sendable, Hashable {
  case integer(Int)
  case words([String])
  /// Patterns by subject, each optionally followed by a message for findings.
  case table([String: String])
}

/// Two schemas for a rule's documentation.
package struct RuleExample: Sendable {
  package var bad: String
  package var good: String

  package init(bad: String, good: String) {
    self.bad = bad
    self.good = good
  }
}
