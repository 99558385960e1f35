package import SchemaDiagnostics
package import SchemaModel

/// One thing a schema can be judged by. A rule finds and words; it never prints, counts or decides
/// whether it runs.
package protocol LintRule: Sendable {
  static var id: DiagnosticID { get }
  static var severity: Severity { get }
  /// What should hold, in one sentence.
  static var summary: String { get }
  /// What happens to people who do otherwise.
  static var why: String { get }
  /// What to do instead.
  static var remedy: String { get }
  static var fix: FixKind { get }
  /// The profile the rule belongs to; nil for a rule that always runs.
  static var profile: LintProfile? { get }

  init()
  func run(in context: inout LintContext)
}

extension LintRule {
  package static var fix: FixKind { .none }
  package static var profile: LintProfile? { nil }
}

/// What a rule can offer besides its words.
package enum FixKind: String, Sendable, CaseIterable {
  /// An edit that is safe without being looked at.
  case auto
  /// A choice only the author can make.
  case ask
  case none
}

/// Rules for a certain use of a schema, off unless asked for.
package enum LintProfile: String, Sendable, CaseIterable {
  case history
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
    for entity in context.schema.entities { check(entity, in: &context) }
  }
}

package protocol AttributeRule: LintRule {
  func check(_ attribute: ResolvedAttribute, in context: inout LintContext)
}

extension AttributeRule {
  package func run(in context: inout LintContext) {
    for entity in context.schema.entities {
      for case .attribute(let attribute) in entity.properties { check(attribute, in: &context) }
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
