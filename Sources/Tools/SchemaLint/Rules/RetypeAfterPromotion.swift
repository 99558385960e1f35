import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// CKT022
struct RetypeAfterPromotion: LintRule {
  static let id = DiagnosticID("CKT022", "retype-after-promotion")
  static let severity = Severity.error
  static let summary = "A property deployed to CloudKit's production environment keeps its type."
  static let why = """
    A production field's type cannot be changed, not even to a wider type. Records with a different type are \
    rejected, and devices with the older version could not read them.
    """
  static let remedy = "Add a property with the new type next to the old property, and copy the value."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .cloudkit

  func run(in context: inout LintContext) {
    guard let promotion = context.promotion else { return }
    for change in promotion.changes where Self.isRetype(change) {
      context.report(.retypeAfterPromotion(change, promotion.from, context.place(of: change)))
    }
  }

  private static func isRetype(_ change: SchemaChange) -> Bool {
    switch change {
    case .attribute(let detail):
      guard let old = detail.old, let new = detail.new, !old.isTransient, !new.isTransient else { return false }
      switch detail.aspect {
      case .type: return old.type.unwrapped != new.type.unwrapped
      case .storage, .transformer: return true
      default: return false
      }
    case .relationship(let detail):
      switch (detail.aspect, detail.old?.cardinality, detail.new?.cardinality) {
      case (.destination, _, _): return true
      case (.cardinality, .toOne, .toMany), (.cardinality, .toMany, .toOne): return true
      default: return false
      }
    case .enumeration(let detail):
      if case .rawType = detail.aspect { return true }
      return false
    default: return false
    }
  }
}

extension Diagnostic {
  fileprivate static func retypeAfterPromotion(
    _ change: SchemaChange, _ promoted: ResolvedSchema, _ range: SourceRange
  ) -> Self {
    Self(
      RetypeAfterPromotion.id, RetypeAfterPromotion.severity, at: range,
      "\(change.text), but the old type has been in CloudKit production since version \(promoted.version)",
      related: change.oldRange.map { [.init($0, "declared here in version \(promoted.version)")] } ?? [],
      help: "keep the old property, add one with the new type, and copy the value")
  }
}
