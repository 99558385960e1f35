import SchemaDiagnostics
import SchemaModel

/// CKT023
struct CustomStageAfterPromotion: LintRule {
  static let id = DiagnosticID("CKT023", "custom-stage-after-promotion")
  static let severity = Severity.warning
  static let summary = "Stores that CloudKit synchronizes migrate automatically, with no custom code."
  static let why = """
    A custom step runs on every device separately, and each device uploads a result, while devices with \
    the older version continue to write values that the step was meant to correct once.
    """
  static let remedy = "Correct old values in the app when they are read, so that all devices reach the same result."
  static let profile: LintProfile? = .cloudkit

  func run(in context: inout LintContext) {
    guard let promoted = context.promotion?.from else { return }
    // Steps of released versions cannot be edited.
    for migration in context.schema.migrations where migration.from >= promoted.version {
      for case .custom(let custom) in migration.steps {
        context.report(.customStageAfterPromotion(custom, promoted))
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func customStageAfterPromotion(
    _ custom: MigrationCustom, _ promoted: ResolvedSchema
  ) -> Self {
    Self(
      CustomStageAfterPromotion.id, CustomStageAfterPromotion.severity, at: custom.range,
      "custom step '\(custom.name)' runs on every device separately, and version \(promoted.version) is synchronized",
      help: "correct old values in the app when they are read")
  }
}
