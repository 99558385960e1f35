import SchemaDiagnostics
import SchemaModel
import SchemaVersions

/// MIG080
struct StageNotTested: HopRule {
  static let id = DiagnosticID("MIG080", "stage-not-tested")
  static let severity = Severity.warning
  static let summary = "A custom step of a migration is tried by a test before stores meet it."
  static let why = """
    A custom step is code of the program that runs once in every installed store and never again. What \
    it does wrong is found by those whose data it was.
    """
  static let remedy = "Hand the plan to a MigrationMatrix in a test of the package."
  static let fix = FixKind.add

  func check(_ stage: PlannedStage, _ history: SchemaHistory, in context: inout LintContext) {
    // Without the tests of a package, nothing can be reported.
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
      "no test tries the custom step '\(custom.name)'",
      help: "add a test: try MigrationMatrix(\(plan).self).check()")
  }
}
