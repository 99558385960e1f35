import SchemaImport
import SchemaLint
import SchemaModel

/// Swift names for tables and columns.
package enum SwiftName {
  /// Returns a class name, singular if possible: `blog_posts` becomes `BlogPost`.
  package static func type(_ name: String) -> String {
    var words = words(name)
    if let last = words.last { words[words.count - 1] = EnglishNumber.singular(last) }
    return usable(words.map(capitalized).joined(), or: "Table")
  }

  /// Returns a class name, keeping the singular or plural form.
  static func plainType(_ name: String) -> String { usable(words(name).map(capitalized).joined(), or: "Table") }

  /// Returns a property or case name: `created_at` becomes `createdAt`.
  package static func member(_ name: String) -> String {
    let words = words(name)
    guard let first = words.first else { return "value" }
    let start =
      first.contains { $0.isLowercase } ? first.prefix(1).lowercased() + first.dropFirst() : first.lowercased()
    return usable(start + words.dropFirst().map(capitalized).joined(), or: "value")
  }

  /// Returns the name for a list of models: `BlogPost` becomes `blogPosts`.
  package static func list(_ type: String) -> String { plural(lowered(type)) }

  static func lowered(_ type: String) -> String {
    let words = NameWords.split(type)
    guard let first = words.first else { return type }
    return first.lowercased() + words.dropFirst().joined()
  }

  static func plural(_ word: String) -> String {
    let last = NameWords.split(word).last ?? word
    guard !EnglishNumber.isPlural(last) else { return word }
    if last.lowercased().hasSuffix("y"), let before = last.dropLast().last, !"aeiouAEIOU".contains(before) {
      return word.dropLast() + "ies"
    }
    let hisses = ["s", "x", "z", "ch", "sh"].contains { last.lowercased().hasSuffix($0) }
    return word + (hisses ? "es" : "s")
  }

  /// Returns a reference's name, dropping the column's suffix: `author_id` becomes `author`.
  static func reference(_ column: String) -> String {
    var words = words(column)
    if words.count > 1, let last = words.last?.lowercased(), ["id", "fk", "uuid", "guid", "key", "pk"].contains(last) {
      words.removeLast()
    }
    return member(words.joined(separator: "_"))
  }

  private static func words(_ name: String) -> [String] {
    let isShouted = !name.contains { $0.isLowercase }
    return NameWords.split(name).map { isShouted ? $0.lowercased() : $0 }
  }

  static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  /// Returns the name, made valid in Swift if necessary.
  private static func usable(_ name: String, or other: String) -> String {
    for candidate in [name, "_" + name] where CoreDataSpelling.name(candidate) != nil && candidate != "_" {
      return candidate
    }
    return other
  }
}

/// Assigns names that are unique regardless of case, as stores require.
struct NamePool {
  private let reserved: Set<String>
  private var taken: Set<String> = []

  /// - Parameter reserved: Names that Swift or Trellis uses.
  init(reserved: Set<String>) { self.reserved = reserved }

  /// Returns the first available wanted name, or else the first with a number appended.
  mutating func claim(_ wanted: String...) -> String {
    for name in wanted where take(name) { return name }
    let name = wanted[0]
    var number = 2
    while !take("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }

  private mutating func take(_ name: String) -> Bool {
    !reserved.contains(name) && taken.insert(name.lowercased()).inserted
  }

  /// Names not available for properties, because every model class has such a member.
  static let members: Set<String> = [
    "schemaMetadata", "persistentBackingData", "hashValue", "self", "Self", "Type", "Protocol", "init", "Root", "ID",
    "Snapshot",
  ]

  /// Names not available for enum cases.
  static let cases = members.union(["none", "some", "rawValue", "allCases"])

  /// Names not available for a schema's types.
  static func types(_ schema: String) -> Set<String> {
    CommonTypeNames.all.union(["Type", "Protocol", "Self", "self", schema + "Schema", schema + "MigrationPlan"])
      .union(["Schema", "Model", "ModelContext", "ModelContainer", "Relationship", "Attribute", "FetchDescriptor"])
  }
}
