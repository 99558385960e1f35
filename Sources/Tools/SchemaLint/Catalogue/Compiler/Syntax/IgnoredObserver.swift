import SchemaDiagnostics

/// SYN016
struct IgnoredObserver: RuleDescription {
  static let id = DiagnosticID.ignoredObserver
  static let severity = Severity.warning
  static let summary = "Stored model properties have no 'willSet' and 'didSet'."
  static let why = "As in SwiftData, values are loaded and saved directly, and the observers are not called."
  static let remedy = "Observe the object from outside, or set the property in a method that performs the side effects."
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String { didSet { count += 1 } }
      }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip {
        var name: String
        func rename(to name: String) { self.name = name }
      }
      """#)
}
