import SchemaDiagnostics

/// NAM008
struct EntitySingular: NameRule {
  static let id = DiagnosticID("NAM008", "entity-singular")
  static let severity = Severity.info
  static let summary = "A model name is singular."
  static let why = """
    'Trips' stands for a single trip wherever it is used, and an array is '[Trips]', so readers mistake a \
    model for a list.
    """
  static let remedy = """
    Name the model after a single object; 'trellis rename' renames it everywhere and keeps the rows. List \
    words that only look plural in 'exceptions'.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [RuleOption("exceptions", .words([]), "Names that are not checked.")]
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
      EntitySingular.id, EntitySingular.severity, at: name.range, "model name '\(name.text)' is plural",
      help: "rename it to '\(better)' and write '@Model(originalName: \"\(name.text)\")'")
  }
}
