import SchemaFacts
@testable import SchemaModel

/// All options and arguments of a schema's attributes and macros, collected from the lists that the compiler uses.
enum LanguageOptions {
  /// `@Attribute(.unique)`, `@Relationship(deleteRule: .cascade)`, `#Index(.rtree)`.
  static let all: [String] =
    AttributeOption.allCases.map { "@Attribute(.\($0))" } + ValueStorage.allCases.map { "@Attribute(.\($0))" }
    + UnknownPolicy.allCases.map { "@Attribute(.unknown(.\($0.rawValue)))" }
    + AttributeOptions.optionNames.filter { name in
      AttributeOption(rawValue: name) == nil && ValueStorage(rawValue: name) == nil && name != "unknown"
    }.map { "@Attribute(.\($0))" }
    + AttributeOptions.labels.filter { $0 != "onConflict" }.map { "@Attribute(\($0):)" }
    + ConflictPolicy.allCases.map { "@Attribute(onConflict: .\($0))" }
    + RelationshipOptions.optionNames.filter { DeleteRule(rawValue: $0) == nil }.map { "@Relationship(.\($0))" }
    + DeleteRule.allCases.map { "@Relationship(deleteRule: .\($0))" }
    + RelationshipOptions.labels.filter { $0 != "deleteRule" }.map { "@Relationship(\($0):)" }
    + EntityLinker.uniqueLabels.flatMap { label in ConflictPolicy.allCases.map { "#Unique(\(label): .\($0))" } }
    + ResolvedIndex.Kind.allCases.map { "#Index(.\($0))" } + ["@Transient"]
}
