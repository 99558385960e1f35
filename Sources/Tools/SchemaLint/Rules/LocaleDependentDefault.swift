import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// POR006
struct LocaleDependentDefault: LintRule {
  static let id = DiagnosticID("POR006", "locale-dependent-default")
  static let severity = Severity.warning
  static let summary = "A default value is the same on every device."
  static let why = """
    Text formatted for a specific language, or a day that started in a specific time zone, is stored \
    unchanged and has a different meaning on a device with different settings.
    """
  static let remedy = "Store the underlying value, and format it for display."
  static let profile: LintProfile? = .portable
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var language: String = Locale.current.identifier }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var language: String = "en" }
      """#)

  func run(in context: inout LintContext) {
    for entity in context.schema.entities {
      for case .attribute(let attribute) in entity.properties where attribute.isStored {
        guard let word = attribute.defaultValue.flatMap(Self.setting) else { continue }
        let value = context.sources.property(attribute.range)?.binding.defaultValue?.range
        context.report(.localeDependentDefault(attribute.name, word, value ?? attribute.range))
      }
    }
    for value in context.schema.structs where context.storedTypes.contains(value.name) {
      let places = context.sources.fields(of: value)
      for field in value.fields {
        guard let word = field.defaultValue.flatMap(Self.setting) else { continue }
        context.report(
          .localeDependentDefault("\(value.name).\(field.name)", word, places[field.name] ?? value.range))
      }
    }
  }

  /// Returns the device setting that the expression reads.
  private static func setting(_ value: SwiftText) -> String? {
    let file = SourceFile(path: "", text: value.text)
    let words = Lexer.lex(file, index: 0).0.map { file.text(from: Int($0.start), to: Int($0.end)) }
    for (index, word) in words.enumerated() {
      switch word {
      case "DateFormatter", "NumberFormatter", "MeasurementFormatter", "NSLocalizedString",
        "LocalizedStringResource":
        return word
      case "formatted" where index > 0 && words[index - 1] == ".": return word
      case "localized" where words.dropFirst(index + 1).first == ":": return word
      case "current", "autoupdatingCurrent":
        guard index > 1, words[index - 1] == ".", ["Locale", "TimeZone", "Calendar"].contains(words[index - 2])
        else { continue }
        return "\(words[index - 2]).\(word)"
      default: continue
      }
    }
    return nil
  }
}

extension Diagnostic {
  fileprivate static func localeDependentDefault(_ name: String, _ word: String, _ range: SourceRange) -> Self {
    Self(
      LocaleDependentDefault.id, LocaleDependentDefault.severity, at: range,
      "the default of '\(name)' depends on a device setting: '\(word)'",
      help: "store the underlying value, and format it for display")
  }
}
