package import SchemaModel
package import SchemaVersions

/// A lint rule for schemas. The settings decide whether it runs, and callers print and count the findings.
package protocol LintRule: RuleDescription {
  init()
  func run(in context: inout LintContext)
}

/// A rule for type, property and case names.
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

/// A rule for a relationship and its inverse. It runs once for each side.
package protocol RelationshipRule: LintRule {
  func check(_ edge: RelationshipEdge, in context: inout LintContext)
}

extension RelationshipRule {
  package func run(in context: inout LintContext) {
    for edge in context.graph.edges { check(edge, in: &context) }
  }
}

/// A rule for the complete relationship graph.
package protocol GraphRule: LintRule {
  func check(_ graph: RelationshipGraph, in context: inout LintContext)
}

extension GraphRule {
  package func run(in context: inout LintContext) { check(context.graph, in: &context) }
}

/// A rule for migrations to a newest version that is not yet released. Migrations between released versions are not
/// checked, because they cannot be changed.
package protocol HopRule: LintRule {
  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext)
}

extension HopRule {
  package func run(in context: inout LintContext) {
    guard let history = context.history else { return }
    for stage in context.openStages { check(stage, history, in: &context) }
  }
}
