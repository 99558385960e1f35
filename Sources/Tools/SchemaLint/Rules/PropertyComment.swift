import SchemaDiagnostics
import SchemaModel

/// DOC002
struct PropertyComment: EntityRule {
  static let id = DiagnosticID("DOC002", "property-comment")
  static let severity = Severity.info
  static let summary = "Every model property has a comment."
  static let why = """
    Units, ranges and the meaning of nil are recorded nowhere else: neither in the type nor in the store. \
    Later readers have to infer them from code that uses the property.
    """
  static let remedy = "Add a '///' comment before the property."
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
          Self.id, Self.severity, at: property.range, "'\(entity.name).\(property.name)' has no documentation comment",
          help: "add a '///' comment before it"))
    }
  }
}
