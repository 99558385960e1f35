import SchemaDiagnostics
import SchemaModel

/// IDX003
struct ManyToManyWithoutIndex: LintRule {
  static let id = DiagnosticID("IDX003", "many-to-many-without-index")
  static let severity = Severity.warning
  static let summary = "A model refers to many objects with a relationship, not a list of identifiers."
  static let why = """
    A list of identifiers is a single value in a column. Finding the objects that contain an identifier \
    reads every row, whereas a relationship is indexed from both ends; and deleted objects' identifiers \
    remain in the lists.
    """
  static let remedy = "Declare a to-many relationship, and an inverse in the destination model."
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

  /// Returns the base name: `tag` for `tagIDs`.
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
    // Narrower integers are unlikely to be model identifiers.
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
      "'\(title)' is a list in a column: finding the objects that refer to a '\(model)' reads every row",
      help: "declare a to-many relationship to '\(model)'")
  }
}
