import SchemaDiagnostics
import SchemaModel

/// DOC002
struct PropertyComment: EntityRule {
  static let id = DiagnosticID("DOC002", "property-comment")
  static let severity = Severity.info
  static let summary = "Every property of a model says what it is."
  static let why = """
    Units, ranges and what nil means are nowhere else: not in the type, not in the store. Who comes \
    later reads them off the code that happens to use the property.
    """
  static let remedy = "Write a line that begins with '///' before the property."
  static let presence = RulePresence.comments
  static let example: RuleExample? = RuleExample(
    bad: "schema Trips 1.0.0\n/// A journey.\n@Model class Trip { var distance: Int }\n",
    good: """
      schema Trips 1.0.0
      /// A journey.
      @Model class Trip {
          /// In metres, as the crow flies.
          var distance: Int
      }
      """)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    for property in entity.properties {
      let documentation =
        switch property {
        case .attribute(let attribute): attribute.documentation
        case .relationship(let relationship): relationship.documentation
        }
      guard documentation.allSatisfy({ $0.allSatisfy(\.isWhitespace) }) else { continue }
      context.report(
        Diagnostic(
          Self.id, Self.severity, at: property.range, "nothing says what '\(entity.name).\(property.name)' is",
          help: "write a line of '///' before it"))
    }
  }
}
