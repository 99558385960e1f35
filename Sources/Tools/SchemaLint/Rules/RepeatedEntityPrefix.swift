import SchemaDiagnostics

/// NAM010
struct RepeatedEntityPrefix: NameRule {
  static let id = DiagnosticID("NAM010", "repeated-entity-prefix")
  static let severity = Severity.info
  static let summary = "A property name does not repeat the model name."
  static let why = "Every use repeats the name: 'person.personName'."
  static let remedy =
    "Remove the repeated word; 'trellis rename' renames the property everywhere and keeps stored values."
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let example: RuleExample? = RuleExample(
    bad: "schema People 1.0.0\n@Model class Person { var personName: String }\n",
    good: "schema People 1.0.0\n@Model class Person { var name: String }\n")

  /// Words that do not replace the whole name, because they would be reserved or meaningless if the prefix is missing.
  private static let kept: Set<String> = [
    "id", "ids", "description", "hash", "hashValue", "self", "type", "init", "modelContext", "persistentModelID",
    "hasChanges", "isDeleted",
  ]

  func check(_ name: DeclaredName, in context: inout LintContext) {
    switch name.kind {
    case .attribute, .relationship: break
    case .entity, .enumeration, .structure, .enumCase, .field: return
    }
    guard let owner = name.owner, let prefix = CamelCase.lower(owner), name.text.hasPrefix(prefix) else { return }
    let rest = name.text.dropFirst(prefix.count)
    guard rest.first?.isUppercase ?? false, let better = CamelCase.lower(String(rest)),
      !Self.kept.contains(better)
    else { return }
    context.report(.repeatedPrefix(name, owner, better))
  }
}

extension Diagnostic {
  fileprivate static func repeatedPrefix(_ name: DeclaredName, _ owner: String, _ better: String) -> Self {
    let attribute = name.kind == .relationship ? "@Relationship" : "@Attribute"
    return Self(
      RepeatedEntityPrefix.id, RepeatedEntityPrefix.severity, at: name.range,
      "'\(name.text)' repeats the model name '\(owner)'",
      help: "rename it to '\(better)' and write '\(attribute)(originalName: \"\(name.text)\")'")
  }
}
