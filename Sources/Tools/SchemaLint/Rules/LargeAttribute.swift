import SchemaDiagnostics
import SchemaModel

/// CKT009
struct LargeAttribute: EntityRule {
  static let id = DiagnosticID("CKT009", "large-attribute")
  static let severity = Severity.warning
  static let summary = "Data that CloudKit synchronizes is stored outside the record."
  static let why = """
    Inline values count toward the record size, and a record that is too large is rejected. Externally \
    stored data is uploaded as a file.
    """
  static let remedy = "Mark the attribute with '.externalStorage'."
  static let fix = FixKind.auto
  static let profile: LintProfile? = .cloudkit
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var photo: Data? }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.externalStorage) var photo: Data? }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    // Constrained and indexed values must remain in the row.
    let compared = Set(entity.uniques.flatMap(\.properties) + entity.indexes.flatMap(\.properties))
    for case .attribute(let attribute) in entity.properties {
      guard attribute.isStored, attribute.type.unwrapped == .scalar(.data), attribute.transformer == nil,
        !attribute.options.contains(.externalStorage), !compared.contains(attribute.name)
      else { continue }
      context.report(
        .largeAttribute(attribute, context.sources.property(attribute.range)?.adding(.externalStorage)))
    }
  }
}

extension Diagnostic {
  fileprivate static func largeAttribute(_ attribute: ResolvedAttribute, _ edit: TextEdit?) -> Self {
    Self(
      LargeAttribute.id, LargeAttribute.severity, at: attribute.range,
      "data in '\(attribute.name)' may exceed CloudKit's record size limit",
      help: "mark it with '.externalStorage'",
      fixIts: edit.map { [FixIt("store '\(attribute.name)' externally", [$0])] } ?? [])
  }
}
