import SchemaDiagnostics
import SchemaModel
import SchemaVersions

/// MIG082
struct ChainTooLong: LintRule {
  static let id = DiagnosticID("MIG082", "chain-too-long")
  static let severity = Severity.info
  static let summary = "The migration path from the oldest supported version has a limited length."
  static let why = """
    A store migrates version by version, and each step may write every row. The models of each supported \
    version are also compiled into the app.
    """
  static let remedy = "Drop support for the oldest versions once no stores use them."
  static let presence = RulePresence.strict
  static let options = [
    RuleOption("limit", .integer(20), "The maximum number of steps from the oldest version to the newest.")
  ]

  func run(in context: inout LintContext) {
    let limit = context.number("limit", of: Self.self)
    guard let history = context.history, let oldest = history.older.first,
      let versions = history.way(from: oldest, to: history.head), versions.count - 1 > limit
    else { return }
    context.report(.chainTooLong(versions.count - 1, limit, oldest, context.schema.versionRange))
  }
}

extension Diagnostic {
  fileprivate static func chainTooLong(
    _ hops: Int, _ limit: Int, _ oldest: ResolvedSchema, _ range: SourceRange
  ) -> Self {
    Self(
      ChainTooLong.id, ChainTooLong.severity, at: range,
      "a store with version \(oldest.version) needs \(hops) migration steps, more than \(limit)",
      related: [.init(oldest.versionRange, "the oldest version is declared here")])
  }
}
