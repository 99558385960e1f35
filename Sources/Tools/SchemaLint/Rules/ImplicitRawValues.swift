import SchemaDiagnostics
import SchemaModel

/// TYP007
struct ImplicitRawValues: EnumRule {
  static let id = DiagnosticID("TYP007", "implicit-raw-values")
  static let severity = Severity.warning
  static let summary = "A stored enum of numbers writes every raw value."
  static let why = """
    Swift counts the cases. One that is inserted, removed or moved renumbers those behind it, and \
    rows written before then mean another case.
    """
  static let remedy = "Write today's values; then the order of the cases does not matter."
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
    // String raw values are the case names and do not depend on their order.
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
      "'\(name).\(first.name)' is stored as \(first.value) because of its place",
      fixIts: [FixIt("write the raw values of '\(name)'", edits)])
  }
}
