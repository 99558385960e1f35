import SchemaDiagnostics
import SchemaModel

/// TYP021
struct AttributeCount: LintRule {
  static let id = DiagnosticID("TYP021", "attribute-count")
  static let severity = Severity.info
  static let summary = "A model has a manageable number of attributes."
  static let why = """
    Each fetch reads all attributes, and each update writes the complete row. Among many attributes, some \
    usually belong together in a struct or a separate model.
    """
  static let remedy = "Group attributes in a Codable struct, or move them to a model with a relationship."
  static let presence = RulePresence.strict
  static let options = [
    RuleOption("limit", .integer(60), "The maximum number of attributes, including inherited attributes.")
  ]

  func run(in context: inout LintContext) {
    let (schema, limit) = (context.schema, context.number("limit", of: Self.self))
    let counts = schema.entities.map { Self.count($0) }
    for index in schema.entities.indices {
      var lineage = [counts[index]]
      var ancestor = context.graph.superentities[index]
      while let current = ancestor, lineage.count <= ResolvedSchema.maximumDepth {
        lineage.append(counts[current])
        ancestor = context.graph.superentities[current]
      }
      check(schema.entities[index], lineage, limit, &context)
    }
  }

  private func check(_ entity: ResolvedEntity, _ counts: [Int], _ limit: Int, _ context: inout LintContext) {
    let count = counts.reduce(0, +)
    // Report only the first model in the hierarchy that has too many attributes.
    guard count > limit, count - (counts.first ?? 0) <= limit else { return }
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: entity.range, "'\(entity.name)' has \(count) attributes, more than \(limit)",
        help: "group related attributes in a struct or a separate model"))
  }

  private static func count(_ entity: ResolvedEntity) -> Int {
    entity.properties.count { property in
      if case .attribute(let attribute) = property { !attribute.isTransient } else { false }
    }
  }
}
