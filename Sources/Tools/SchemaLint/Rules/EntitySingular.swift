import SchemaDiagnostics

/// NAM008
struct EntitySingular: NameRule {
  static let id = DiagnosticID("NAM008", "entity-singular")
  static let severity = Severity.info
  static let summary = "The name of a model says what one object is."
  static let why = """
    'Trips' is one trip wherever it is used, and an array of them is '[Trips]'. Readers take it for a \
    list each time.
    """
  static let remedy = """
    Name the model after one of its objects; 'trellis rename' does so everywhere and keeps its rows. \
    Words that only look like several are set as 'exceptions'.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [RuleOption("exceptions", .words([]), "Names that are left alone.")]
  static let example: RuleExample? = RuleExample(
    bad: "schema Trips 1.0.0\n@Model class Trips { var name: String }\n",
    good: "schema Trips 1.0.0\n@Model class Trip { var name: String }\n")

  func check(_ name: DeclaredName, in context: inout LintContext) {
    guard name.kind == .entity, !context.words("exceptions", of: Self.self).contains(name.text),
      let last = CamelCase.words(name.text).last, EnglishNumber.isPlural(last)
    else { return }
    let better = name.text.dropLast(last.count) + EnglishNumber.singular(String(name.text.suffix(last.count)))
    context.report(.pluralEntity(name, String(better)))
  }
}

extension Diagnostic {
  fileprivate static func pluralEntity(_ name: DeclaredName, _ better: String) -> Self {
    Self(
      EntitySingular.id, EntitySingular.severity, at: name.range, "model '\(name.text)' has the name of several",
      help: "rename it to '\(better)' and write '@Model(originalName: \"\(name.text)\")'")
  }
}
