import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// CKT020
struct DropAfterPromotion: LintRule {
  static let id = DiagnosticID("CKT020", "drop-after-promotion")
  static let severity = Severity.error
  static let summary = "A declaration deployed to CloudKit's production environment remains in the schema."
  static let why = """
    Production record types and fields are permanent. Devices with the older version continue to write them, \
    but this version no longer reads them, and values that the older version reads are missing.
    """
  static let remedy = "Keep the declaration, but stop using it."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .cloudkit

  func run(in context: inout LintContext) {
    guard let promotion = context.promotion else { return }
    for change in promotion.changes where Self.isDrop(change) {
      context.report(.dropAfterPromotion(change, promotion.from, context.place(of: change)))
    }
  }

  private static func isDrop(_ change: SchemaChange) -> Bool {
    switch change {
    case .entity(.removed): true
    case .attribute(let detail):
      switch detail.aspect {
      case .removed: !(detail.old?.isTransient ?? false)
      case .becameTransient, .optionAdded(.ephemeral): true
      default: false
      }
    case .relationship(let detail): detail.aspect == .removed
    default: false
    }
  }
}

extension Diagnostic {
  fileprivate static func dropAfterPromotion(
    _ change: SchemaChange, _ promoted: ResolvedSchema, _ range: SourceRange
  ) -> Self {
    Self(
      DropAfterPromotion.id, DropAfterPromotion.severity, at: range,
      "\(change.text), although it has been in CloudKit production since version \(promoted.version)",
      related: change.oldRange.map { [.init($0, "declared here in version \(promoted.version)")] } ?? [],
      help: "keep the declaration, but stop using it")
  }
}
