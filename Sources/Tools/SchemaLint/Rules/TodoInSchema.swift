import SchemaDiagnostics
import SchemaModel

/// DOC005
struct TodoInSchema: LintRule {
  static let id = DiagnosticID("DOC005", "todo-in-schema")
  static let severity = Severity.info
  static let summary = "A schema contains no open tasks when it is released."
  static let why = "A released version is never edited again, so mistakes remain in stores."
  static let remedy = "Complete the task, or move the note."
  static let presence = RulePresence.comments
  static let example: RuleExample? = RuleExample(
    bad:
      "schema Trips 1.0.0\n/// A journey.\n@Model class Trip {\n  // TODO: in which currency?\n  /// In money.\n  var budget: Decimal\n}\n",
    good: "schema Trips 1.0.0\n/// A journey.\n@Model class Trip {\n  /// In euros.\n  var budget: Decimal\n}\n")

  func run(in context: inout LintContext) {
    for tree in context.sources.trees(of: context.schema) {
      for (range, text) in Comments.lines(of: tree) {
        guard let mark = ["TODO", "FIXME"].first(where: { Self.begins(text, with: $0) }) else { continue }
        context.report(
          Diagnostic(
            Self.id, Self.severity, at: range, "'\(mark)' in an unreleased version",
            help: "resolve it before the version is frozen"))
      }
    }
  }

  private static func begins(_ text: Substring, with mark: String) -> Bool {
    guard text.hasPrefix(mark) else { return false }
    return text.dropFirst(mark.count).first.map { !$0.isLetter && !$0.isNumber } ?? true
  }
}
