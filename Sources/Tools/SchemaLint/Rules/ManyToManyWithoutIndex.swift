import SchemaDiagnostics
import SchemaModel

/// IDX003
struct ManyToManyWithoutIndex: LintRule {
  static let id = DiagnosticID("IDX003", "many-to-many-without-index")
  static let severity = Severity.warning
  static let summary = "Models that refer to many of another kind do so by a relationship."
  static let why = """
    A list of identifiers is one value in one column. Which objects have a certain one in it takes \
    reading every row, whereas a relationship is looked up from both ends by an index; and nothing \
    takes the identifier of a deleted object out of the lists.
    """
  static let remedy = "Declare a relationship to many, and its inverse at the other model."
  static let fix = FixKind.ask
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Notes 1.0.0
      @Model class Note { var tagIDs: [UUID] = [] }
      @Model class Tag { @Attribute(.unique) var id: UUID }
      """#,
    good: #"""
      schema Notes 1.0.0
      @Model class Note { var tags: [Tag] = [] }
      @Model class Tag { @Attribute(.unique) var id: UUID; var notes: [Note] = [] }
      """#)

  func run(in context: inout LintContext) {
    let schema = context.schema
    var models: [String: String]?
    for index in schema.entities.indices {
      for case .attribute(let attribute) in schema.entities[index].properties where !attribute.isTransient {
        guard Self.isList(attribute.type), let word = Self.stem(attribute.name) else { continue }
        let known =
          models
          ?? Dictionary(
            schema.entities.map { ($0.name.lowercased(), $0.name) }, uniquingKeysWith: { first, _ in first })
        models = known
        guard let model = known[EnglishNumber.singular(word).lowercased()] ?? known[word.lowercased()]
        else { continue }
        context.report(.listOfIdentifiers("\(schema.entities[index].name).\(attribute.name)", model, attribute.range))
      }
    }
  }

  /// The base name: `tag` for `tagIDs`.
  private static func stem(_ name: String) -> String? {
    for ending in ["IDs", "Ids", "IDS", "Identifiers", "UUIDs", "Uuids"] where name.hasSuffix(ending) {
      let stem = name.dropLast(ending.count)
      return stem.isEmpty ? nil : String(stem)
    }
    return nil
  }

  private static func isList(_ type: ValueType) -> Bool {
    switch type {
    case .optional(let wrapped): isList(wrapped)
    case .array(let element), .set(let element): isIdentifier(element)
    case .scalar, .enumeration, .structure, .opaque, .dictionary: false
    }
  }

  private static func isIdentifier(_ type: ValueType) -> Bool {
    switch type {
    case .scalar(.uuid), .scalar(.string): true
    // Narrower numbers are too few to number models.
    case .scalar(let scalar): scalar.integer.map { $0.bits >= 32 } ?? false
    case .opaque(let name): name.hasSuffix("PersistentIdentifier")
    case .enumeration, .structure, .optional, .array, .set, .dictionary: false
    }
  }
}

extension Diagnostic {
  fileprivate static func listOfIdentifiers(_ title: String, _ model: String, _ range: SourceRange) -> Self {
    Self(
      ManyToManyWithoutIndex.id, ManyToManyWithoutIndex.severity, at: range,
      "'\(title)' is a list in one column: who refers to a '\(model)' is found by reading every row",
      help: "declare a relationship to many '\(model)'")
  }
}
