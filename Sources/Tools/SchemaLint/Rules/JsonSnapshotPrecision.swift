import SchemaDiagnostics
import SchemaModel

/// POR005
struct JsonSnapshotPrecision: LintRule {
  static let id = DiagnosticID("POR005", "json-snapshot-precision")
  static let severity = Severity.warning
  static let summary = "Numbers stored in JSON are exact for every reader."
  static let why = """
    JSON has a single number type, which many readers convert to 'Double': digits in a 'Decimal' or large \
    integer are silently lost. Columns store numbers exactly, but JSON text in a column does not.
    """
  static let remedy = "Store such a number as a string, in a separate attribute, or flatten the struct."
  static let profile: LintProfile? = .portable
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var price: Price }
      struct Price: Codable { var amount: Decimal; var currency: String }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { @Attribute(.flattened) var price: Price }
      struct Price: Codable { var amount: Decimal; var currency: String }
      """#)

  private static let long: Set<ScalarType> = [.decimal, .int64, .uint64]

  func run(in context: inout LintContext) {
    let texts = JSONTypes(context.schema)
    for attribute in texts.collections where Self.isLong(attribute.type) {
      let range = context.sources.property(attribute.range)?.typeRange ?? attribute.range
      context.report(.jsonSnapshotPrecision(attribute.name, range))
    }
    for value in context.schema.structs where texts.names.contains(value.name) {
      let places = context.sources.fields(of: value)
      for field in value.fields where Self.isLong(field.type) {
        context.report(.jsonSnapshotPrecision("\(value.name).\(field.name)", places[field.name] ?? value.range))
      }
    }
    for value in context.schema.enums where texts.names.contains(value.name) {
      let places = context.sources.cases(of: value)
      for enumCase in value.cases where enumCase.payload.contains(where: { Self.isLong($0.type) }) {
        context.report(
          .jsonSnapshotPrecision(
            "\(value.name).\(enumCase.name)", places[enumCase.name]?.nameRange ?? value.range))
      }
    }
  }

  private static func isLong(_ type: ValueType) -> Bool { !long.isDisjoint(with: type.scalars) }
}

extension Diagnostic {
  fileprivate static func jsonSnapshotPrecision(_ name: String, _ range: SourceRange) -> Self {
    Self(
      JsonSnapshotPrecision.id, JsonSnapshotPrecision.severity, at: range,
      "'\(name)' is a JSON number with more digits than some readers support",
      help: "store it as a string, or in a separate attribute")
  }
}
