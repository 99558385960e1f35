import SchemaDiagnostics
import SchemaModel
import SchemaVersions

/// MIG082
struct ChainTooLong: LintRule {
  static let id = DiagnosticID("MIG082", "chain-too-long")
  static let severity = Severity.info
  static let summary = "The oldest store is not too many versions away."
  static let why = """
    A store goes from version to version, and each step may write every row. Every version that is \
    supported is compiled into the program as well, with its models and its tests.
    """
  static let remedy = "Give up the support of the oldest versions, as soon as nobody has stores of them."
  static let presence = RulePresence.strict
  static let options = [
    RuleOption("limit", .integer(20), "how many steps from the oldest version to the newest are all right")
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
      "a store of version \(oldest.version) takes \(hops) steps to get here, more than \(limit)",
      related: [.init(oldest.versionRange, "the oldest version is here")])
  }
}
