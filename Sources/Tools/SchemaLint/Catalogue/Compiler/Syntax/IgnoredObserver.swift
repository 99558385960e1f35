import SchemaDiagnostics

/// SYN016
struct IgnoredObserver: RuleDescription {
  static let id = DiagnosticID.ignoredObserver
  static let severity = Severity.warning
  static let summary = "Stored properties of models have no 'willSet' and 'didSet'."
  static let why = """
    Values come from a store and go back there without the observers being called, as in \
    SwiftData.
    """
  static let remedy = """
    Observe the object from outside, or set the property by a method that does what has to \
    follow.
    """
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
