import SchemaDiagnostics
import SchemaModel

/// NAM007
struct ShadowsStandardType: NameRule {
  static let id = DiagnosticID("NAM007", "shadows-standard-type")
  static let severity = Severity.warning
  static let summary = "Models, enums and structs do not have the same names as common types."
  static let why = """
    Inside the module, the unqualified name refers to the schema's type, so unrelated code stops compiling \
    or changes meaning.
    """
  static let remedy = "Choose a more specific name, such as 'ReviewResult' or 'SyncTask'."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Task { var text: String }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model(originalName: "Task")
      class Errand { var text: String }
      """#)

  func check(_ name: DeclaredName, in context: inout LintContext) {
    switch name.kind {
    case .entity, .enumeration, .structure: break
    case .attribute, .relationship, .enumCase, .field: return
    }
    guard CommonTypeNames.all.contains(name.text) else { return }
    context.report(.shadows(name))
  }
}

/// The names of types that most Swift code uses.
package enum CommonTypeNames {
  /// Common names from the standard library, concurrency and Foundation.
  package static let all = Set(ScalarType.allCases.map(\.rawValue)).union([
    "Any", "AnyObject", "Array", "ArraySlice", "Bundle", "Calendar", "CaseIterable", "Clock",
    "Codable", "CodingKey", "Collection", "Comparable", "ContiguousArray", "Decodable", "Decoder",
    "Dictionary", "Encodable", "Encoder", "Equatable", "Error", "FileManager",
    "Hashable", "Hasher", "Identifiable", "IndexPath", "IndexSet", "Iterator", "KeyPath", "Locale",
    "MainActor", "Measurement", "Mirror", "Never", "Notification", "Optional", "Predicate",
    "Process", "Range", "RawRepresentable", "Result", "Sendable", "Sequence", "Set",
    "SortDescriptor", "StaticString", "Substring", "Task", "TaskGroup", "TimeInterval", "TimeZone",
    "Timer", "URLRequest", "URLSession", "Unicode", "Unit", "Void",
  ])
}

extension Diagnostic {
  fileprivate static func shadows(_ name: DeclaredName) -> Self {
    Self(
      ShadowsStandardType.id, ShadowsStandardType.severity, at: name.range,
      "'\(name.text)' hides the standard type with the same name", help: "choose a different name")
  }
}
