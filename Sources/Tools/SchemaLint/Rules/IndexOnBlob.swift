import SchemaDiagnostics
import SchemaModel

/// IDX004
struct IndexOnBlob: EntityRule {
  static let id = DiagnosticID("IDX004", "index-on-blob")
  static let severity = Severity.warning
  static let summary = "Indexes cover values that predicates compare, not whole structs."
  static let why = """
    No predicate uses an index over a struct's JSON, so such an index only slows down writes and enlarges \
    the file. An index over a 'Data' value, in contrast, is used.
    """
  static let remedy = "Remove the index, or index the property that predicates compare."
  static let fix = FixKind.auto
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Trips 1.0.0
      @Model class Trip { #Index<Trip>([\.place]); var place: Place; var name: String }
      struct Place: Codable { var city: String }
      """#,
    good: #"""
      schema Trips 1.0.0
      @Model class Trip { #Index<Trip>([\.name]); var place: Place; var name: String }
      struct Place: Codable { var city: String }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    for index in entity.indexes where index.kind == .binary {
      let blobs = index.properties.filter { name in
        context.attribute(name, of: entity).map { Self.isBlob($0, in: context) } ?? false
      }
      guard let first = blobs.first else { continue }
      let constraint = context.sources.constraint(index.range)
      let kept = index.properties.prefix { $0 != first }
      // The preceding properties can remain indexed.
      let edit =
        kept.isEmpty
        ? constraint.map { TextEdit($0.removalRange, "") } : constraint?.keeping(first: kept.count)
      context.report(.blobIndex(first, constraint?.keyPath(first) ?? index.range, edit, whole: kept.isEmpty))
    }
  }

  private static func isBlob(_ attribute: ResolvedAttribute, in context: LintContext) -> Bool {
    switch attribute.storage {
    case .json: return true
    case .flattened, .raw: return false
    case nil: break
    }
    switch attribute.type.unwrapped {
    // Binary data in a column can be compared and indexed.
    case .scalar: return false
    case .enumeration(let name), .structure(let name):
      return attribute.options.contains(.codable) || !context.rawTypes.contains(name)
    case .opaque, .optional, .array, .set, .dictionary: return false
    }
  }
}

extension Diagnostic {
  fileprivate static func blobIndex(
    _ name: String, _ range: SourceRange, _ edit: TextEdit?, whole: Bool
  ) -> Self {
    Self(
      IndexOnBlob.id, IndexOnBlob.severity, at: range, "no predicate uses an index over '\(name)'",
      help: whole ? "remove the index" : "end the index before this property",
      fixIts: edit.map { [FixIt(whole ? "remove the index" : "end the index before '\(name)'", [$0])] } ?? [])
  }
}
