import SchemaDiagnostics
import SchemaDiff
import SchemaModel

/// CKT021
struct RenameAfterPromotion: LintRule {
  static let id = DiagnosticID("CKT021", "rename-after-promotion")
  static let severity = Severity.error
  static let summary = "A declaration deployed to CloudKit's production environment keeps its name."
  static let why = """
    CloudKit does not support original names: after a rename, the old field is no longer written, and the \
    new field is empty. Devices with the older version continue to use the old field.
    """
  static let remedy = "Add a property with the new name next to the old property, and copy the value."
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
      "\(change.text), but the old name has been in CloudKit production since version \(promoted.version)",
      related: change.oldRange.map { [.init($0, "declared here in version \(promoted.version)")] } ?? [],
      help: "keep the old property, add one with the new name, and copy the value")
  }
}
