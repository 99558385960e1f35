import SchemaDiagnostics

/// NAM013
struct IdentifierTooLong: NameRule {
  static let id = DiagnosticID("NAM013", "identifier-too-long")
  static let severity = Severity.warning
  static let summary = "Model and property names fit into every database."
  static let why = """
    Names become table and column names. SQLite accepts any length; a server that truncates names at 63 \
    bytes, such as Postgres, may treat two names as equal.
    """
  static let remedy = "Shorten the name, with 'originalName:' if it was released; 'limit' changes the maximum length."
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [RuleOption("limit", .integer(63), "The maximum length of a name in UTF-8 bytes.")]
  static let example: RuleExample? = RuleExample(
    bad: """
      schema Trips 1.0.0
      @Model class Trip { var theNumberThatTheAuthorityForFlightsGaveToTheAircraftOfTheReturnFlight: Int }
      """,
    good: "schema Trips 1.0.0\n@Model class Trip { var returnAircraft: Int }\n")

  func check(_ name: DeclaredName, in context: inout LintContext) {
    switch name.kind {
    case .entity, .attribute(isTransient: false), .relationship: break
    case .attribute(isTransient: true), .enumeration, .structure, .enumCase, .field: return
    }
    let limit = context.number("limit", of: Self.self)
    guard name.text.utf8.count > limit else { return }
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: name.range, "'\(name.text)' has \(name.text.utf8.count) bytes, more than \(limit)",
        help: "choose a shorter name"))
  }
}
