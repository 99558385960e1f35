import SchemaDiagnostics
import SchemaModel

/// IDX008
struct RtreeIsOrdinary: EntityRule {
  static let id = DiagnosticID("IDX008", "rtree-is-ordinary")
  static let severity = Severity.info
  static let summary = "Indexes are not declared as '.rtree', because Trellis creates an ordinary index instead."
  static let why = """
    The store creates a binary index over the properties in order. It narrows a search by the first \
    property; a box query over latitudes and longitudes reads every row in the latitude band.
    """
  static let remedy = "Remove '.rtree' unless the file is also compiled with SwiftData."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Spot { #Index<Spot>(.rtree([\.x, \.y])); var x: Double; var y: Double }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Spot { #Index<Spot>([\.x, \.y]); var x: Double; var y: Double }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    for index in entity.indexes where index.kind == .rtree {
      let list = index.properties.map { "\\.\($0)" }.joined(separator: ", ")
      context.report(.ordinary(index, list))
    }
  }
}

extension Diagnostic {
  fileprivate static func ordinary(_ index: ResolvedIndex, _ list: String) -> Self {
    let first = index.properties.first ?? ""
    return Self(
      RtreeIsOrdinary.id, RtreeIsOrdinary.severity, at: index.range,
      "'.rtree' creates an ordinary index, which narrows a search by '\(first)' first",
      help: "write '[\(list)]'",
      fixIts: [.replace(index.range, with: "[\(list)]", title: "write '[\(list)]'")])
  }
}
