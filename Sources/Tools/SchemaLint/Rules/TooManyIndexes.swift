import SchemaDiagnostics
import SchemaModel

/// IDX005
struct TooManyIndexes: EntityRule {
  static let id = DiagnosticID("IDX005", "too-many-indexes")
  static let severity = Severity.info
  static let summary = "A model has only the indexes that its queries need."
  static let why = """
    Every insertion and deletion writes all indexes, and an update writes the indexes over changed values. \
    Each index needs as much space as the indexed values.
    """
  static let remedy = "Remove indexes that no query uses; 'limit' sets the maximum number."
  static let presence = RulePresence.strict
  static let options = [
    RuleOption("limit", .integer(8), "The maximum number of indexes, including inherited indexes and unique keys.")
  ]

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    guard !entity.indexes.isEmpty else { return }
    let limit = context.number("limit", of: Self.self)
    let lineage = context.lineage(of: entity)
    let uniques = lineage.reduce(0) { $0 + $1.uniques.count }
    let inherited = lineage.dropFirst().reduce(0) { $0 + $1.indexes.count }
    let count = uniques + inherited + entity.indexes.count
    guard count > limit else { return }
    // Report the first index beyond the limit.
    let place = max(0, limit - uniques - inherited)
    let range = entity.indexes[min(place, entity.indexes.count - 1)].range
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: range, "'\(entity.name)' has \(count) indexes, more than \(limit)",
        help: "remove indexes that no query uses"))
  }
}
