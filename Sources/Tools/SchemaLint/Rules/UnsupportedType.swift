import SchemaDiagnostics
import SchemaModel

/// CKT007
struct UnsupportedType: AttributeRule {
  static let id = DiagnosticID("CKT007", "unsupported-type")
  static let severity = Severity.error
  static let summary = "A value that CloudKit synchronises means the same on every device."
  static let why = """
    Numbers of a record are signed and have 64 bits, so that the upper half of an unsigned one has no \
    place. The identifier of an object is that of one store and names nothing in another one.
    """
  static let remedy =
    "Store 'Int64' or a text in place of the number, and a key of your own or a relationship in place of the identifier."
  static let profile: LintProfile? = .cloudkit
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var size: UInt64 = 0 }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var size: Int64 = 0 }
      """#)

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard attribute.isStored else { return }
    let range = context.sources.property(attribute.range)?.typeRange ?? attribute.range
    switch attribute.type.unwrapped {
    case .scalar(.uint), .scalar(.uint64):
      context.report(.unsupportedType("'\(attribute.name)' can be a number CloudKit has no room for", range))
    default:
      guard attribute.type.opaqueNames.contains("PersistentIdentifier") else { return }
      context.report(
        .unsupportedType("'\(attribute.name)' names an object of one store, and nothing on another device", range))
    }
  }
}

extension Diagnostic {
  fileprivate static func unsupportedType(_ message: String, _ range: SourceRange) -> Self {
    Self(UnsupportedType.id, UnsupportedType.severity, at: range, message)
  }
}
