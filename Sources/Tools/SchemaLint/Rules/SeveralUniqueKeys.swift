import SchemaDiagnostics
import SchemaModel

/// UNQ003
struct SeveralUniqueKeys: EntityRule {
  static let id = DiagnosticID("UNQ003", "several-unique-keys")
  static let severity = Severity.warning
  static let summary = "At most one unique key of a model takes part in upserts."
  static let why = """
    A new object can have the values of one row in the first key and of another row in the second. \
    Neither can be the one that is meant, and the save is refused, on the data of some user only.
    """
  static let remedy = """
    Upsert by the key your data comes with, and write 'onConflict: .fail' at the others; or drop the \
    key that only follows from another one.
    """
  static let example: RuleExample? = RuleExample(
    bad: #"""
      schema Shop 1.0.0
      @Model class Item { #Unique<Item>([\.number], [\.title]); var number: Int; var title: String }
      """#,
    good: #"""
      schema Shop 1.0.0
      @Model class Item {
          @Attribute(.unique) var number: Int
          @Attribute(.unique, onConflict: .fail) var title: String
      }
      """#)

  func check(_ entity: ResolvedEntity, in context: inout LintContext) {
    guard !entity.uniques.isEmpty else { return }
    let inherited = context.inheritedUniques(of: entity)
    let keys = (inherited + entity.uniques).filter(Self.isUpsert)
    guard let first = keys.first else { return }
    let own = entity.uniques.filter(Self.isUpsert)
    // Report once per model.
    guard
      let second = own.first(where: {
        $0 != first && Self.areIndependent($0, first) && !Self.holdOneIdentifier($0, first, of: entity)
      })
    else { return }
    context.report(.severalKeys(first, second, context.place(of: second), first: context.place(of: first)))
  }

  private static func isUpsert(_ unique: ResolvedUnique) -> Bool { unique.policy != .fail }

  /// False for equal keys and keys that contain each other, which other rules check.
  private static func areIndependent(_ one: ResolvedUnique, _ other: ResolvedUnique) -> Bool {
    let (one, other) = (Set(one.properties), Set(other.properties))
    return !one.isSubset(of: other) && !other.isSubset(of: one)
  }

  /// True for keys such as `id` and `uuid`, or `id` and `tripID` of a trip. Both identify one object and match one row.
  private static func holdOneIdentifier(_ one: ResolvedUnique, _ other: ResolvedUnique, of entity: ResolvedEntity)
    -> Bool
  {
    let owner = CamelCase.words(entity.name)
    return [one, other].allSatisfy { unique in
      guard unique.properties.count == 1 else { return false }
      var words = CamelCase.words(unique.properties[0])[...]
      if words.starts(with: owner) { words = words.dropFirst(owner.count) }
      return !words.isEmpty && words.allSatisfy(identifierWords.contains)
    }
  }

  private static let identifierWords: Set<String> = [
    "id", "identifier", "identity", "uuid", "guid", "uid", "string", "value", "raw",
  ]
}

extension Diagnostic {
  fileprivate static func severalKeys(
    _ first: ResolvedUnique, _ second: ResolvedUnique, _ range: SourceRange, first firstRange: SourceRange
  ) -> Self {
    func names(_ unique: ResolvedUnique) -> String {
      unique.properties.map { "'\($0)'" }.joined(separator: ", ")
    }
    return Self(
      SeveralUniqueKeys.id, SeveralUniqueKeys.severity, at: range,
      "a new object can match one row by \(names(first)) and another by \(names(second)), and is refused then",
      related: [.init(firstRange, "the other key is here")],
      help: "write 'onConflict: .fail' at the key that does not say which object it is")
  }
}
