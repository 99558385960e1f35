import SchemaDiagnostics
import SchemaModel

/// CKT007
struct UnsupportedType: AttributeRule {
  static let id = DiagnosticID("CKT007", "unsupported-type")
  static let severity = Severity.error
  static let summary = "A value that CloudKit synchronizes has the same meaning on every device."
  static let why = """
    Integers in CloudKit records are signed 64-bit values, so the upper half of an unsigned range does not \
    fit. An object identifier belongs to a single store and identifies nothing elsewhere.
    """
  static let remedy =
    "Store 'Int64' or a string instead of the number, and a separate key or a relationship instead of the identifier."
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
      context.report(
        .unsupportedType("'\(attribute.name)' may contain a number that does not fit into a CloudKit record", range))
    default:
      guard attribute.type.opaqueNames.contains("PersistentIdentifier") else { return }
      context.report(
        .unsupportedType("'\(attribute.name)' only identifies an object within a store, not on other devices", range))
    }
  }
}

extension Diagnostic {
  fileprivate static func unsupportedType(_ message: String, _ range: SourceRange) -> Self {
    Self(UnsupportedType.id, UnsupportedType.severity, at: range, message)
  }
}
