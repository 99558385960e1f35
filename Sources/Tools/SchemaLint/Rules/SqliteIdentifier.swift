import SchemaDiagnostics
import SchemaModel

/// POR004
struct SqliteIdentifier: EntityRule {
  static let id = DiagnosticID("POR004", "sqlite-identifier")
  static let severity = Severity.warning
  static let summary = "Tables and columns that other programs read have names SQL takes without quotes."
  static let why = """
    A statement that says 'SELECT order FROM …' is an error, and one in single quotes a text that is \
    never found. Whoever reads the store by hand stumbles over it.
    """
  static let remedy = "Choose another name; 'originalName' keeps the values of stores."
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

  /// The keywords of SQLite and its names for the row ID.
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
    // The table of a submodel is the table of its root.
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
        Self.id, Self.severity, at: range, "'\(name)' is a word of SQL: whoever reads the \(what) has to quote it",
        help: "choose another name"))
  }
}
