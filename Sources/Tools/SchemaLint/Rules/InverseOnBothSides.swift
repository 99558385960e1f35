import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// REL004
struct InverseOnBothSides: RelationshipRule {
  static let id = DiagnosticID("REL004", "inverse-on-both-sides")
  static let severity = Severity.info
  static let summary = "Only one side of a relationship pair names the inverse."
  static let why = """
    The second declaration is redundant. In a SwiftData project, the two macros depend on each other, and \
    the compiler reports a circular reference.
    """
  static let remedy = "Remove 'inverse:' from either side."
  static let fix = FixKind.auto
  static let profile: LintProfile? = .swiftdata
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { @Relationship(inverse: \Trip.stops) var trip: Trip? }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { @Relationship(inverse: \Stop.trip) var stops: [Stop] = [] }
      @Model class Stop { var trip: Trip? }
      """#)

  func check(_ edge: RelationshipEdge, in context: inout LintContext) {
    guard !edge.relationship.declaresInverse, let inverse = context.graph.inverse(of: edge),
      inverse.index != edge.index,
      let property = context.sources.property(edge.relationship.range), let argument = property.inverse,
      let other = context.sources.property(inverse.relationship.range)?.inverse
    else { return }
    context.report(.inverseOnBothSides(edge, inverse, argument.range, other.range, property.removingInverse))
  }
}

extension Diagnostic {
  fileprivate static func inverseOnBothSides(
    _ edge: RelationshipEdge, _ inverse: RelationshipEdge, _ range: SourceRange, _ other: SourceRange,
    _ removal: TextEdit?
  ) -> Self {
    Self(
      InverseOnBothSides.id, InverseOnBothSides.severity, at: range,
      "'\(inverse.title)' already names '\(edge.title)' as its inverse",
      related: [.init(other, "the inverse is already named here")],
      help: "name the inverse once", fixIts: removal.map { [FixIt("remove this inverse", [$0])] } ?? [])
  }
}
