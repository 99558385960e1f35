import SchemaDiagnostics
import SchemaModel

/// NAM011
struct BooleanPhrase: AttributeRule {
  static let id = DiagnosticID("NAM011", "boolean-phrase")
  static let severity = Severity.info
  static let summary = "A Bool's name reads as a statement that is true or false."
  static let why = "'if task.deadline' does not state the condition; 'if task.hasDeadline' does."
  static let remedy = "Begin the name with is, has, can, should or a similar verb; 'words' adds more verbs."
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [RuleOption("words", .words([]), "Additional words that a name may begin with.")]
  static let example: RuleExample? = RuleExample(
    bad: "schema Tasks 1.0.0\n@Model class Item { var visible: Bool }\n",
    good: "schema Tasks 1.0.0\n@Model class Item { var isVisible: Bool }\n")

  private static let verbs: Set<String> = [
    "are", "can", "could", "did", "do", "had", "have", "may", "might", "must", "shall", "should", "was", "were",
    "will", "would",
  ]

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard attribute.type.unwrapped == .scalar(.bool), let first = CamelCase.words(attribute.name).first,
      !Self.verbs.contains(first), !context.words("words", of: Self.self).contains(first),
      // Accept verbs in the third person, such as is, has, allows and needs.
      !first.hasSuffix("s") || first.hasSuffix("ss")
    else { return }
    context.report(.noPhrase(attribute))
  }
}

extension Diagnostic {
  fileprivate static func noPhrase(_ attribute: ResolvedAttribute) -> Self {
    Self(
      BooleanPhrase.id, BooleanPhrase.severity, at: attribute.range,
      "Bool '\(attribute.name)' does not read as a statement",
      help: "begin it with 'is', 'has', 'can' or 'should', and write '@Attribute(originalName: \"\(attribute.name)\")'")
  }
}
