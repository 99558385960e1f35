package import SchemaModel
package import SchemaVersions

/// One thing a schema can be judged by. A rule finds and words; it never prints, counts or decides
/// whether it runs.
package protocol LintRule: RuleDescription {
  init()
  func run(in context: inout LintContext)
}

/// Judges names of types, properties and cases.
package protocol NameRule: LintRule {
  func check(_ name: DeclaredName, in context: inout LintContext)
}

extension NameRule {
  package func run(in context: inout LintContext) {
    for name in context.names { check(name, in: &context) }
  }
}

package protocol EntityRule: LintRule {
  func check(_ entity: ResolvedEntity, in context: inout LintContext)
}

extension EntityRule {
  package func run(in context: inout LintContext) {
    let schema = context.schema
    for index in schema.entities.indices { check(schema.entities[index], in: &context) }
  }
}

package protocol AttributeRule: LintRule {
  func check(_ attribute: ResolvedAttribute, in context: inout LintContext)
}

extension AttributeRule {
  package func run(in context: inout LintContext) {
    let schema = context.schema
    for index in schema.entities.indices {
      for case .attribute(let attribute) in schema.entities[index].properties { check(attribute, in: &context) }
    }
  }
}

package protocol EnumRule: LintRule {
  func check(_ enumeration: ResolvedEnum, in context: inout LintContext)
}

extension EnumRule {
  package func run(in context: inout LintContext) {
    for enumeration in context.schema.enums { check(enumeration, in: &context) }
  }
}

/// Judges a relationship together with its inverse, once from each side.
package protocol RelationshipRule: LintRule {
  func check(_ edge: RelationshipEdge, in context: inout LintContext)
}

extension RelationshipRule {
  package func run(in context: inout LintContext) {
    for edge in context.graph.edges { check(edge, in: &context) }
  }
}

/// Judges what relationships are together.
package protocol GraphRule: LintRule {
  func check(_ graph: RelationshipGraph, in context: inout LintContext)
}

extension GraphRule {
  package func run(in context: inout LintContext) { check(context.graph, in: &context) }
}

/// Judges the way from the newest released version to the head, as long as it can still be changed: advice
/// about what is released would never end.
package protocol HopRule: LintRule {
  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext)
}

extension HopRule {
  package func run(in context: inout LintContext) {
    guard let history = context.history, let stage = context.openStage else { return }
    check(stage, history, in: &context)
  }
}
