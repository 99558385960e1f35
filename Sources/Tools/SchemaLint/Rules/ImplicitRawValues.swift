import SchemaDiagnostics
import SchemaModel

/// TYP007
struct ImplicitRawValues: EnumRule {
  static let id = DiagnosticID("TYP007", "implicit-raw-values")
  static let severity = Severity.warning
  static let summary = "A stored numeric enum declares every raw value."
  static let why = """
    Swift numbers the cases. Inserting, removing or moving a case renumbers the following cases, and \
    existing rows then stand for different cases.
    """
  static let remedy = "Write the current values, so that the case order does not matter."
  static let fix = FixKind.auto
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { var kind: Kind }
      enum Kind: Int, Codable { case work, leisure }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { var kind: Kind }
      enum Kind: Int, Codable { case work = 0, leisure = 1 }
      """#)

  func check(_ enumeration: ResolvedEnum, in context: inout LintContext) {
    // String raw values are the case names and do not depend on the case order.
    guard let rawType = enumeration.rawType, rawType != .string,
      context.storedTypes.contains(enumeration.name)
    else { return }
    let written = context.sources.cases(of: enumeration)
    var implicit: [(name: String, range: SourceRange, value: Int64)] = []
    for enumCase in enumeration.cases {
      guard let syntax = written[enumCase.name], !syntax.hasRawValue,
        case .integer(let value)? = enumCase.rawValue
      else { continue }
      implicit.append((enumCase.name, syntax.nameRange, value))
    }
    guard let first = implicit.first else { return }
    let edits = implicit.map { place in
      let end = SourceRange(
        file: place.range.file, start: place.range.end, end: place.range.end)
      return TextEdit(end, " = \(place.value)")
    }
    context.report(.implicitRawValues(of: enumeration.name, first, edits))
  }
}

extension Diagnostic {
  fileprivate static func implicitRawValues(
    of name: String, _ first: (name: String, range: SourceRange, value: Int64), _ edits: [TextEdit]
  ) -> Self {
    Self(
      ImplicitRawValues.id, ImplicitRawValues.severity, at: first.range,
      "'\(name).\(first.name)' is stored as \(first.value) because of its position",
      fixIts: [FixIt("write the raw values for '\(name)'", edits)])
  }
}
