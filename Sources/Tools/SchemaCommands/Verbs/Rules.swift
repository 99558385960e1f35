import Foundation
import SchemaDiagnostics
package import SchemaDriver
import SchemaLint

/// `trellis rules`: lists the lint rules and their severities.
package enum Rules: Verb {
  package static let name = "rules"
  package static let summary = "List the lint rules and their severities"
  package static let options = LintConfiguration.options.union(["--format"])
  package static let flags: Set<String> = ["--no-config", "--all"]
  package static let choices = LintConfiguration.choices
  package static let help = """
    Usage: trellis rules [--all] [--preset NAME] [--profile NAME]… [--format text|json|markdown] [FOLDER]

    Lists the lint rules that are enabled for the schemas in FOLDER (default: the current folder), with
    their severities. Accepts the same rule options as 'trellis lint', and reads the nearest
    'schema.config.json'.

      --all            list disabled rules too

    """

  private enum Format: String, CaseIterable { case text, json, markdown }

  package static func run(_ arguments: Arguments, _ session: inout Session) throws -> ExitStatus {
    let format = try arguments.choice("--format", Format.allCases) ?? .text
    guard arguments.files.count <= 1 else {
      throw DriverFailure(["error: 'trellis rules' accepts a single folder"], .usage)
    }
    let folder = session.path(arguments.files.first ?? ".")
    let configuration = try LintConfiguration(try Configuration.find(for: folder, arguments, session), arguments)
    let listed = RuleCatalogue.all.map { RuleListing($0, configuration.settings) }
      .filter { arguments.has("--all") || $0.severity != nil }
    switch format {
    case .text: session.say(text(listed))
    case .json: try session.json(listed)
    case .markdown: session.say(markdown(listed))
    }
    return .clean
  }

  private static func text(_ rules: [RuleListing]) -> String {
    let width = rules.map(\.name.count).max() ?? 0
    return rules.map { rule in
      let name = rule.name.padding(toLength: width, withPad: " ", startingAt: 0)
      let severity = (rule.severity ?? "off").padding(toLength: 7, withPad: " ", startingAt: 0)
      return "\(rule.id) \(name)  \(severity)  \(rule.summary)\n"
    }.joined()
  }

  private static func markdown(_ rules: [RuleListing]) -> String {
    "| Code | Name | Severity | Fix | Requirement |\n|---|---|---|---|---|\n"
      + rules.map { rule in
        "| \(rule.id) | `\(rule.name)` | \(rule.severity ?? "off") | \(rule.fix) "
          + "| \(rule.summary.replacing("|", with: "\\|")) |\n"
      }.joined()
  }
}

/// A rule and its configured state.
struct RuleListing: Encodable {
  var id: String
  var name: String
  /// The configured severity, or nil if the rule is disabled.
  var severity: String?
  /// The default severity.
  var standardSeverity: String
  var presence: String
  var profile: String?
  var fix: String
  var summary: String
  var why: String
  var remedy: String
  /// True if the rule cannot be disabled.
  var isFixed: Bool
  var options: [String: String]

  init(_ rule: any RuleDescription.Type, _ settings: LintSettings) {
    id = rule.id.code
    name = rule.id.name
    severity = settings.severity(of: rule, reported: rule.severity, in: "")?.rawValue
    standardSeverity = rule.severity.rawValue
    presence = rule.presence.rawValue
    profile = rule.profile?.rawValue
    fix = rule.fix.rawValue
    summary = rule.summary
    why = rule.why
    remedy = rule.remedy
    isFixed = rule.isFixed
    options = Dictionary(
      rule.options.map { option in
        let value = settings.value(option.name, of: rule) ?? option.standard
        return (option.name, Self.text(value))
      }, uniquingKeysWith: { first, _ in first })
  }

  private static func text(_ value: RuleValue) -> String {
    switch value {
    case .integer(let number): String(number)
    case .words(let words): words.joined(separator: " ")
    case .table(let table): table.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }
  }
}
