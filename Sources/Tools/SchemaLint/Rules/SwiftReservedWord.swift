import SchemaDiagnostics
import SchemaSyntax

/// NAM003
struct SwiftReservedWord: NameRule {
  static let id = DiagnosticID("NAM003", "swift-reserved-word")
  static let severity = Severity.warning
  static let summary = "No name is a word that Swift reserves."
  static let why = """
    Such a name needs back-ticks at most places of use, and a different set of places in every \
    tool that prints it.
    """
  static let remedy = "Choose another word, and state the old one if it has been stored."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { var `class`: Int }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Attribute(originalName: "class") var seatClass: Int }
      """#)

  func check(_ name: DeclaredName, in context: inout LintContext) {
    guard Keyword(rawValue: name.text)?.isReserved ?? false else { return }
    context.report(.reservedWord(name))
  }
}

extension Diagnostic {
  fileprivate static func reservedWord(_ name: DeclaredName) -> Self {
    Self(
      SwiftReservedWord.id, SwiftReservedWord.severity, at: name.range,
      "'\(name.text)' is a reserved word of Swift", help: "choose another name")
  }
}
