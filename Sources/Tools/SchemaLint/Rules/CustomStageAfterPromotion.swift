import SchemaDiagnostics
import SchemaModel

/// CKT023
struct CustomStageAfterPromotion: LintRule {
  static let id = DiagnosticID("CKT023", "custom-stage-after-promotion")
  static let severity = Severity.warning
  static let summary = "Stores that CloudKit synchronises follow without code."
  static let why = """
    The step runs on every device for itself and each uploads what came of it, while devices with the \
    older version go on writing what the step was to put right once.
    """
  static let remedy =
    "Put the values right in the program, whenever it meets old ones, so that all devices come to the same."
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
      "custom step '\(custom.name)' runs on every device for itself, and version \(promoted.version) is synchronised",
      help: "put the values right in the program, whenever it meets old ones")
  }
}
