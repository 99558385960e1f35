import SchemaDiagnostics
import SchemaModel

/// POR004
struct SqliteIdentifier: EntityRule {
  static let id = DiagnosticID("POR004", "sqlite-identifier")
  static let severity = Severity.warning
  static let summary = "The names of tables and columns that external tools read need no quotes in SQL."
  static let why = """
    'SELECT order FROM …' is an error, and a name in single quotes is a string literal that matches nothing. \
    Reading the store by hand becomes error-prone.
    """
  static let remedy = "Choose a different name; 'originalName' keeps the stored values."
  static let fix = FixKind.ask
  static let profile: LintProfile? = .sqlite
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var order: Int }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var position: Int }
      """#)

  /// SQLite's keywords and names for the row ID.
  private static let words: Set<String> = [
    "add", "all", "alter", "and", "as", "autoincrement", "between", "case", "check", "collate", "commit",
    "constraint", "create", "current_date", "current_time", "current_timestamp", "default", "deferrable",
    "delete", "distinct", "drop", "else", "escape", "except", "exists", "foreign", "from", "group",
    "having", "in", "index", "insert", "intersect", "into", "is", "isnull", "join", "limit", "not",
    "nothing", "notnull", "null", "oid", "on", "or", "order", "primary", "raise", "references",
    "returning", "rowid", "_rowid_", "select", "set", "table", "then", "to", "transaction", "union",
    "unique", "update", "using", "values", "when", "where",
  ]

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    // A submodel is stored in the root's table.
    if entity.superentity == nil { check(entity.name, "table", entity.range, &context) }
    for property in entity.properties {
      switch property {
      case .attribute(let attribute) where attribute.isStored:
        check(attribute.name, "column", attribute.range, &context)
      case .relationship(let relationship):
        guard case .toOne = relationship.cardinality else { continue }
        check(relationship.name, "column", relationship.range, &context)
      case .attribute: continue
      }
    }
  }

  private func check(_ name: String, _ what: String, _ range: SourceRange, _ context: inout LintContext) {
    guard Self.words.contains(name.lowercased()) else { return }
    context.report(
      Diagnostic(
        Self.id, Self.severity, at: range, "'\(name)' is an SQL keyword and must be quoted to read the \(what)",
        help: "choose a different name"))
  }
}
