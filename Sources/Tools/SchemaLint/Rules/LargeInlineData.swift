import SchemaDiagnostics
import SchemaModel

/// TYP010
struct LargeInlineData: AttributeRule {
  static let id = DiagnosticID("TYP010", "large-inline-data")
  static let severity = Severity.info
  static let summary = "Data that can be large is kept in files beside the store."
  static let why = """
    A picture in a row is read with the row, by every fetch of the model, and each update of another \
    property writes its page again.
    """
  static let remedy = """
    Mark the property '@Attribute(.externalStorage)'; one that has shipped needs a migration then. Names \
    of data that stays small are set as 'small'.
    """
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [RuleOption("small", .words([]), "Words in names of data that stays small.")]
  static let example: RuleExample? = RuleExample(
    bad: "schema Trips 1.0.0\n@Model class Trip { var photo: Data? }\n",
    good: "schema Trips 1.0.0\n@Model class Trip { @Attribute(.externalStorage) var photo: Data? }\n")

  private static let small: Set<String> = [
    "bookmark", "checksum", "color", "colour", "cookie", "digest", "etag", "fingerprint", "hash", "id", "identifier",
    "iv",
    "key", "mac", "md5", "nonce", "salt", "sha", "sha256", "signature", "tag", "token", "uuid", "version",
  ]

  /// True if the name of a data attribute indicates small values, such as digests and identifiers.
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
    context.report(.inlineData(attribute, context.choice("keep '\(attribute.name)' in files", edit)))
  }
}

extension Diagnostic {
  fileprivate static func inlineData(_ attribute: ResolvedAttribute, _ choices: [FixIt]) -> Self {
    Self(
      LargeInlineData.id, LargeInlineData.severity, at: attribute.range,
      "the data of '\(attribute.name)' is kept in the row, however large it is",
      help: "mark it '@Attribute(.externalStorage)'", fixIts: choices)
  }
}
