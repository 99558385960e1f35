import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// CKT024
struct RequiredAfterPromotion: LintRule {
  static let id = DiagnosticID("CKT024", "required-after-promotion")
  static let severity = Severity.error
  static let summary = "A property that is optional in CloudKit's production environment remains optional."
  static let why =
    "Devices with the older version continue to write records that lack the value, and this version cannot load them."
  static let remedy = "Make it optional again, and handle nil where it is read."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .cloudkit

  func run(in context: inout LintContext) {
    guard let promotion = context.promotion else { return }
    for change in promotion.changes where Self.isRequiredNow(change) {
      let range = context.place(of: change)
      let edit = context.sources.property(range)?.makingOptional
      context.report(.requiredAfterPromotion(change, promotion.from, range, edit))
    }
  }

  private static func isRequiredNow(_ change: SchemaChange) -> Bool {
    switch change {
    case .attribute(let detail) where detail.aspect == .type:
      guard let old = detail.old, let new = detail.new, !old.isTransient, !new.isTransient else { return false }
      return old.type != old.type.unwrapped && new.type == new.type.unwrapped
    case .relationship(let detail) where detail.aspect == .cardinality:
      if case (.toOne(isOptional: true), .toOne(isOptional: false)) = (detail.old?.cardinality, detail.new?.cardinality)
      {
        return true
      }
      return false
    default: return false
    }
  }
}

extension Diagnostic {
  fileprivate static func requiredAfterPromotion(
    _ change: SchemaChange, _ promoted: ResolvedSchema, _ range: SourceRange, _ edit: TextEdit?
  ) -> Self {
    Self(
      RequiredAfterPromotion.id, RequiredAfterPromotion.severity, at: range,
      "'\(change.subject)' is now required, but devices with version \(promoted.version) write records that lack it",
      related: change.oldRange.map { [.init($0, "declared here in version \(promoted.version)")] } ?? [],
      help: "make it optional again", fixIts: edit.map { [FixIt("make it optional", [$0])] } ?? [])
  }
}
