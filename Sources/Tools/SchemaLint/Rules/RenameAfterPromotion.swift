import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// CKT021
struct RenameAfterPromotion: LintRule {
  static let id = DiagnosticID("CKT021", "rename-after-promotion")
  static let severity = Severity.error
  static let summary = "What was deployed to CloudKit's production environment keeps its name."
  static let why = """
    CloudKit knows no former names: a rename is a field that nobody fills any more and a new one that is \
    empty. Devices with the older version go on with the old one.
    """
  static let remedy = "Add a property with the new name beside the old one, and copy the value."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .cloudkit

  func run(in context: inout LintContext) {
    guard let promotion = context.promotion else { return }
    for change in promotion.changes where Self.isRename(change) {
      context.report(.renameAfterPromotion(change, promotion.from, context.place(of: change)))
    }
  }

  private static func isRename(_ change: SchemaChange) -> Bool {
    switch change {
    case .entity(.renamed): true
    case .attribute(let detail): detail.aspect == .renamed && !(detail.old?.isTransient ?? false)
    case .relationship(let detail): detail.aspect == .renamed
    default: false
    }
  }
}

extension Diagnostic {
  fileprivate static func renameAfterPromotion(
    _ change: SchemaChange, _ promoted: ResolvedSchema, _ range: SourceRange
  ) -> Self {
    Self(
      RenameAfterPromotion.id, RenameAfterPromotion.severity, at: range,
      "\(change.text), and CloudKit has the old name in production since version \(promoted.version)",
      related: change.oldRange.map { [.init($0, "it is here in version \(promoted.version)")] } ?? [],
      help: "keep it, add the new name beside it, and copy the value")
  }
}
