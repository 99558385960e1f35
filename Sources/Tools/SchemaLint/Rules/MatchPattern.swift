package import SchemaDiagnostics
import SchemaModel

/// NAM012
package struct MatchPattern: LintRule {
  package init() {}

  package static let id = DiagnosticID("NAM012", "match-pattern")
  package static let severity = Severity.warning
  package static let summary = "Names match the configured patterns."
  package static let why = "A convention that is only partly followed is hard to remember and no longer helps readers."
  package static let remedy = "Rename the declaration, with 'originalName:' if it was released, or change the pattern."
  package static let options = [
    RuleOption(
      "patterns", .table([:]),
      "Regular expressions for whole names, keyed by entity, enum, struct, type, attribute, relationship, property, "
        + "case or field; add ' -- ' and a message to replace the default message.")
  ]

  /// Throws the error for the first invalid pattern in alphabetical order.
  package static func check(_ patterns: [String: String]) throws(SettingFailure) { _ = try read(patterns) }

  private static func read(_ patterns: [String: String]) throws(SettingFailure) -> [NamePattern] {
    var result: [NamePattern] = []
    for (subject, text) in patterns.sorted(by: { $0.key < $1.key }) {
      result.append(try NamePattern(subject, text))
    }
    return result
  }

  package func run(in context: inout LintContext) {
    guard case .table(let table)? = context.settings.value("patterns", of: Self.self), !table.isEmpty else { return }
    do throws(SettingFailure) {
      let patterns = try Self.read(table)
      for name in context.names {
        for pattern in patterns where pattern.isAbout(name.kind) && !pattern.matches(name.text) {
          context.report(.otherName(name, pattern))
        }
      }
    } catch {
      context.report(Diagnostic(Self.id, Self.severity, at: context.schema.versionRange, error.message))
    }
  }
}

extension Diagnostic {
  fileprivate static func otherName(_ name: DeclaredName, _ pattern: NamePattern) -> Self {
    Self(
      MatchPattern.id, MatchPattern.severity, at: name.range,
      "'\(name.text)' does not match '\(pattern.pattern)', the \(pattern.subject.rawValue) name pattern",
      help: pattern.message)
  }
}
