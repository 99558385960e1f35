import SchemaDiagnostics
import SchemaModel

/// TYP010
struct LargeInlineData: AttributeRule {
  static let id = DiagnosticID("TYP010", "large-inline-data")
  static let severity = Severity.info
  static let summary = "Potentially large data is stored in external files."
  static let why = """
    Every fetch of the model also reads a picture that is stored in the row, and an update to a different \
    property writes the picture again.
    """
  static let remedy = """
    Mark the property '@Attribute(.externalStorage)'; a released property then needs a migration. List names \
    for small data in 'small'.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [RuleOption("small", .words([]), "Words in the names of small data attributes.")]
  static let example: RuleExample? = RuleExample(
    bad: "schema Trips 1.0.0\n@Model class Trip { var photo: Data? }\n",
    good: "schema Trips 1.0.0\n@Model class Trip { @Attribute(.externalStorage) var photo: Data? }\n")

  private static let small: Set<String> = [
    "bookmark", "checksum", "color", "colour", "cookie", "digest", "etag", "fingerprint", "hash", "id", "identifier",
    "iv",
    "key", "mac", "md5", "nonce", "salt", "sha", "sha256", "signature", "tag", "token", "uuid", "version",
  ]

  /// Returns true if a data attribute's name indicates small values, such as digests and identifiers.
  static func isSmall(_ name: String, in context: LintContext) -> Bool {
    let small = small.union(context.words("small", of: Self.self))
    return CamelCase.words(name).contains { small.contains($0) }
  }

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard attribute.type.unwrapped == .scalar(.data), !attribute.isTransient,
      attribute.options.isDisjoint(with: [.externalStorage, .ephemeral, .unique])
    else { return }
    guard !Self.isSmall(attribute.name, in: context) else { return }
    let edit = context.sources.property(attribute.range)?.adding(.externalStorage)
    context.report(.inlineData(attribute, context.choice("store '\(attribute.name)' in files", edit)))
  }
}

extension Diagnostic {
  fileprivate static func inlineData(_ attribute: ResolvedAttribute, _ choices: [FixIt]) -> Self {
    Self(
      LargeInlineData.id, LargeInlineData.severity, at: attribute.range,
      "'\(attribute.name)' is stored in the row, regardless of its size",
      help: "mark it '@Attribute(.externalStorage)'", fixIts: choices)
  }
}
