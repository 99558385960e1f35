import SchemaDiagnostics
import SchemaSyntax

/// NAM003
struct SwiftReservedWord: NameRule {
  static let id = DiagnosticID("NAM003", "swift-reserved-word")
  static let severity = Severity.warning
  static let summary = "A name is not a reserved word in Swift."
  static let why = "Such a name needs backticks almost everywhere, and tools differ in where they print them."
  static let remedy = "Choose a different word, and declare the old name if it was stored."
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
      "'\(name.text)' is a reserved word in Swift", help: "choose a different name")
  }
}
