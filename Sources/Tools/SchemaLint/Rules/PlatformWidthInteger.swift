import SchemaDiagnostics
import SchemaModel

/// TYP016
struct PlatformWidthInteger: AttributeRule {
  static let id = DiagnosticID("TYP016", "platform-width-integer")
  static let severity = Severity.info
  static let summary = "Numbers exchanged between platforms have a fixed width."
  static let why = """
    'Int' has 64 bits on most platforms and 32 bits on some, such as WebAssembly. A value written on a \
    64-bit platform may not be readable on a 32-bit platform.
    """
  static let remedy = "Use 'Int64' or 'Int32'; a released attribute needs a new schema version."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .portable
  static let example: RuleExample? = RuleExample(
    bad: "schema Trips 1.0.0\n@Model class Trip { var distance: Int }\n",
    good: "schema Trips 1.0.0\n@Model class Trip { var distance: Int64 }\n")

  func check(_ attribute: ResolvedAttribute, in context: inout LintContext) {
    guard case .scalar(let scalar) = attribute.type.unwrapped, scalar == .int || scalar == .uint,
      !attribute.isTransient, !attribute.options.contains(.ephemeral)
    else { return }
    let property = context.sources.property(attribute.range)
    let edit = property?.renamingType(scalar.rawValue, to: scalar.rawValue + "64")
    context.report(
      .platformWidth(attribute, scalar, context.choice("change the type to '\(scalar.rawValue)64'", edit)))
  }
}

extension Diagnostic {
  fileprivate static func platformWidth(
    _ attribute: ResolvedAttribute, _ scalar: ScalarType, _ choices: [FixIt]
  ) -> Self {
    Self(
      PlatformWidthInteger.id, PlatformWidthInteger.severity, at: attribute.range,
      "the width of '\(attribute.name)' depends on the platform's '\(scalar.rawValue)'",
      help: "use '\(scalar.rawValue)64'", fixIts: choices)
  }
}
