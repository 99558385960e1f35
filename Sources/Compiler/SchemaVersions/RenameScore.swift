import SchemaDiagnostics
import SchemaModel

/// The similarity of two declarations with different names.
struct RenameScore {
  /// The total weight of the matching properties, at most `possible`.
  private(set) var points = 0
  private var possible = 0
  private var reasons: [String] = []

  func candidate(_ name: String, _ declaration: String, _ range: SourceRange) -> RenameCandidate {
    let score = possible == 0 ? 0 : points * 100 / possible
    let why = reasons.isEmpty ? "nothing in common" : reasons.joined(separator: ", ")
    return RenameCandidate(
      new: name, score: score, reasons: "\(why) (\(score) of 100)", declaration: declaration, range: range)
  }

  init(from old: ResolvedProperty, to new: ResolvedProperty) {
    switch (old, new) {
    case (.attribute(let old), .attribute(let new)):
      add(35, old.type == new.type, "same type")
      add(
        15, old.options == new.options && old.defaultValue?.text == new.defaultValue?.text,
        "same options and default")
      add(20, similarity: NameSimilarity.percent(old.name, new.name))
    case (.relationship(let old), .relationship(let new)):
      add(35, old.cardinality == new.cardinality, "same cardinality")
      add(15, old.deleteRule == new.deleteRule && old.isOrdered == new.isOrdered, "same delete rule")
      add(20, old.destination == new.destination, "same destination")
      add(20, similarity: NameSimilarity.percent(old.name, new.name))
    case (.attribute, .relationship), (.relationship, .attribute): possible = 1
    }
  }

  init(from old: ResolvedEntity, to new: ResolvedEntity) {
    let before = Set(old.properties.map(Self.signature))
    let after = Set(new.properties.map(Self.signature))
    let shared = before.intersection(after).count
    possible = 60
    points = before.union(after).isEmpty ? 0 : 60 * shared / before.union(after).count
    if shared > 0 { reasons.append("\(shared) of \(before.count) properties are the same") }
    add(20, similarity: NameSimilarity.percent(old.name, new.name))
    add(20, old.superentity == new.superentity && shared > 0, "same superclass")
  }

  private static func signature(_ property: ResolvedProperty) -> String {
    switch property {
    case .attribute(let attribute): "\(attribute.name): \(attribute.type)"
    case .relationship(let relationship): "\(relationship.name): \(relationship.cardinality)"
    }
  }

  private mutating func add(_ weight: Int, _ holds: Bool, _ reason: String) {
    possible += weight
    guard holds else { return }
    points += weight
    reasons.append(reason)
  }

  private mutating func add(_ weight: Int, similarity: Int) {
    possible += weight
    points += weight * similarity / 100
    if similarity >= 50 { reasons.append("similar name") }
  }
}

/// Compares names by words and letters.
enum NameSimilarity {
  /// Returns 100 for names with the same words, 0 for names that share nothing.
  static func percent(_ first: String, _ second: String) -> Int {
    let (old, new) = (words(first), words(second))
    guard !old.isEmpty, !new.isEmpty else { return 0 }
    let shared = old.intersection(new).count * 200 / (old.count + new.count)
    return max(shared, letters(Array(first.lowercased()), Array(second.lowercased())))
  }

  /// Splits `startDate2` into `start`, `date`, `2`.
  private static func words(_ name: String) -> Set<String> {
    var words: [String] = []
    var previous: Character = "_"
    for character in name {
      let begins = character.isUppercase && !previous.isUppercase || character.isNumber != previous.isNumber
      if character == "_" || begins || previous == "_" { words.append("") }
      if character != "_", !words.isEmpty { words[words.count - 1] += character.lowercased() }
      previous = character
    }
    return Set(words.filter { !$0.isEmpty })
  }

  /// Returns the similarity in percent, based on the edit distance.
  private static func letters(_ first: [Character], _ second: [Character]) -> Int {
    let longest = max(first.count, second.count)
    var previous = Array(0...second.count)
    for (i, a) in first.enumerated() {
      var current = [i + 1]
      for (j, b) in second.enumerated() {
        current.append(min(previous[j] + (a == b ? 0 : 1), previous[j + 1] + 1, current[j] + 1))
      }
      previous = current
    }
    return (longest - previous[second.count]) * 100 / longest
  }
}
