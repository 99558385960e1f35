import SchemaDiagnostics
import SchemaModel
import SchemaVersions

/// MIG080
struct StageNotTested: HopRule {
  static let id = DiagnosticID("MIG080", "stage-not-tested")
  static let severity = Severity.warning
  static let summary = "A custom migration step is tested before it migrates installed stores."
  static let why = """
    A custom step is app code that runs once in every installed store and never again. Errors are discovered \
    by the affected users.
    """
  static let remedy = "Pass the plan to a MigrationMatrix in a package test."
  static let fix = FixKind.add

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    // If the package's tests are unknown, nothing can be reported.
    guard let words = context.testWords else { return }
    let plan = "\(context.schema.name)MigrationPlan"
    guard !words.contains(plan) else { return }
    for custom in stage.customs { context.report(.stageNotTested(custom, plan)) }
  }
}

extension Diagnostic {
  fileprivate static func stageNotTested(_ custom: MigrationCustom, _ plan: String) -> Self {
    Self(
      StageNotTested.id, StageNotTested.severity, at: custom.range,
      "no test runs the custom step '\(custom.name)'",
      help: "add a test: try MigrationMatrix(\(plan).self).check()")
  }
}
