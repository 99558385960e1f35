import SchemaDiagnostics
import SchemaModel
import SchemaSyntax

/// POR002
struct SwiftdataAvailability: EntityRule {
  static let id = DiagnosticID("POR002", "swiftdata-availability")
  static let severity = Severity.error
  static let summary =
    "A file that is also compiled as SwiftData source uses only features of the oldest supported system."
  static let why = "The source does not compile for older systems unless the class is marked '@available'."
  static let remedy =
    "Mark the class with '@available', avoid the feature, or set 'ios' to the oldest system that the app supports."
  static let profile: LintProfile? = .swiftdata
  static let options = [
    RuleOption("ios", .integer(18), "The oldest iOS that the source supports, or an equivalent system release.")
  ]
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      @Model class BusinessTrip: Trip { var budget: Int }
      """#,
    good: #"""
      schema S 1.0.0
      @Model class Trip { var name: String }
      @available(iOS 26, *) @Model class BusinessTrip: Trip { var budget: Int }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    let oldest = context.number("ios", of: Self.self)
    // An `@available` attribute shows that older systems were considered.
    guard !entity.swiftAttributes.contains(where: { $0.text.hasPrefix("@available") }) else { return }
    func report(_ what: String, _ version: Int, _ range: SourceRange, _ context: inout LintContext) {
      if oldest < version { context.report(.unavailable(what, version, oldest, range)) }
    }
    if entity.superentity != nil { report("model inheritance", 26, entity.range, &context) }
    for unique in entity.uniques where context.sources.constraint(unique.range) != nil {
      report("'#Unique'", 18, unique.range, &context)
    }
    for index in entity.indexes { report("'#Index'", 18, index.range, &context) }
    for case .attribute(let attribute) in entity.properties {
      for (option, version) in [(AttributeOption.preserveValueOnDeletion, 18), (.codable, 27)]
      where attribute.options.contains(option) {
        let name = option.rawValue
        let place = context.sources.property(attribute.range)?.option(name, of: "Attribute")?.range
        report("'.\(name)'", version, place ?? attribute.range, &context)
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func unavailable(
    _ what: String, _ version: Int, _ oldest: Int, _ range: SourceRange
  ) -> Self {
    Self(
      SwiftdataAvailability.id, SwiftdataAvailability.severity, at: range,
      "\(what) requires iOS \(version), but the source also supports iOS \(oldest)",
      help: "mark the class with '@available(iOS \(version), *)', or avoid the feature")
  }
}
