import SchemaDiagnostics
import SchemaModel

/// UNQ003
struct SeveralUniqueKeys: EntityRule {
  static let id = DiagnosticID("UNQ003", "several-unique-keys")
  static let severity = Severity.warning
  static let summary = "A model has at most one unique key for upserts."
  static let why = """
    A new object can match two different rows, each by a different key. Neither row is the obvious target, \
    so the save fails, but only for users with such data.
    """
  static let remedy = """
    Upsert by the key that your data contains, and write 'onConflict: .fail' for all remaining keys; or \
    remove a key that is derived from the first.
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

  /// Returns false for equal keys and keys that contain each other, which are checked by separate rules.
  private static func areIndependent(_ one: ResolvedUnique, _ other: ResolvedUnique) -> Bool {
    let (one, other) = (Set(one.properties), Set(other.properties))
    return !one.isSubset(of: other) && !other.isSubset(of: one)
  }

  /// Returns true for keys such as `id` and `uuid`, or `id` and `tripID` in a trip. Both identify the same object and
  /// match the same row.
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
      "a new object can match one row by \(names(first)) and another by \(names(second)), and is then rejected",
      related: [.init(firstRange, "the first key is here")],
      help: "write 'onConflict: .fail' for the key that does not identify the object")
  }
}
