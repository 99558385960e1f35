import SchemaDiagnostics
import SchemaModel

/// IDX006
struct LowSelectivityIndex: LintRule {
  static let id = DiagnosticID("IDX006", "low-selectivity-index")
  static let severity = Severity.info
  static let summary = "An index begins with a property that has many values."
  static let why = """
    A search in an index that begins with a Bool or an enum with three cases finds a third of all rows or \
    more, so reading the whole table is just as fast.
    """
  static let remedy = "Begin the index with a different property, or remove it; 'cases' sets the limit."
  static let fix = FixKind.ask
  static let presence = RulePresence.strict
  static let options = [RuleOption("cases", .integer(3), "The maximum number of enum cases that counts as few.")]
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { #Index<Trip>([\.isOpen]); var isOpen: Bool; var start: Date }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { #Index<Trip>([\.start]); var isOpen: Bool; var start: Date }
      """#)

  func run(in context: inout LintContext) {
    let limit = context.number("cases", of: Self.self)
    let counts = Dictionary(context.schema.enums.map { ($0.name, $0.cases.count) }) { first, _ in first }
    for entity in context.schema.entities {
      for index in entity.indexes where index.kind == .binary {
        guard let name = index.properties.first, let attribute = context.attribute(name, of: entity) else { continue }
        let what: String
        switch attribute.type.unwrapped {
        case .scalar(.bool): what = "two values"
        case .enumeration(let type):
          guard let count = counts[type], count <= limit else { continue }
          what = count == 1 ? "a single value" : "\(count) values"
        default: continue
        }
        let constraint = context.sources.constraint(index.range)
        let choices = constraint.map { [FixIt.remove($0.removalRange, title: "remove the index")] } ?? []
        context.report(
          Diagnostic(
            Self.id, Self.severity, at: constraint?.keyPath(name) ?? index.range,
            "the index begins with '\(name)', which has \(what)",
            help: "begin it with a different property, or remove it", fixIts: choices))
      }
    }
  }
}
