import SchemaDiagnostics

/// Diagnostics about the two sides of a relationship.
extension Diagnostic {
  /// - Parameter path: The path after the model's name.
  static func unknownModel(_ name: String, _ path: [String], _ range: SourceRange, nearest: String?) -> Self {
    let meant = nearest.map { "\\" + ([$0] + path).joined(separator: ".") }
    return Self(
      .unresolvedReference, at: range, "'\(name)' is not a model of this schema",
      help: nearest.map { "did you mean '\($0)'?" },
      fixIts: meant.map { [.replace(range, with: $0, title: "replace it with '\($0)'")] } ?? [])
  }

  /// - Parameter candidates: The key paths that could be meant.
  static func otherDestination(
    _ end: String, _ destination: String, _ written: String, _ range: SourceRange, candidates: [String]
  ) -> Self {
    Self(
      .inverseMismatch, at: range,
      "'\(end)' refers to '\(destination)', so its inverse must be a property of '\(destination)', not '\(written)'",
      fixIts: replacements(range, candidates))
  }

  private static func replacements(_ range: SourceRange, _ candidates: [String]) -> [FixIt] {
    candidates.map { .replace(range, with: $0, title: "replace it with '\($0)'") }
  }

  /// - Parameter additions: Declarations of the property, and the edits that add them.
  static func unknownInverse(
    _ name: String, of model: String, _ range: SourceRange, nearest: String?,
    additions: [(text: String, edit: TextEdit)]
  ) -> Self {
    let message = "'\(model)' has no property '\(name)'"
    if let nearest {
      let path = "\\\(model).\(nearest)"
      return Self(
        .unresolvedReference, at: range, message, help: "did you mean '\(path)'?",
        fixIts: [.replace(range, with: path, title: "replace it with '\(path)'")])
    }
    let fixIts = additions.map { FixIt("add '\($0.text)' to '\(model)'", [$0.edit]) }
    return Self(.unresolvedReference, at: range, message, help: fixIts.first?.title, fixIts: fixIts)
  }

  static func inverseIsValue(_ name: String, _ model: String, _ range: SourceRange, candidates: [String]) -> Self {
    Self(
      .inverseMismatch, at: range, "'\(model).\(name)' is not a relationship",
      fixIts: replacements(range, candidates))
  }

  static func inverseOfOtherType(
    _ other: String, _ type: String, _ wanted: String, _ range: SourceRange, _ place: SourceRange,
    candidates: [String]
  ) -> Self {
    Self(
      .inverseMismatch, at: range,
      "'\(other)' refers to '\(type)' and cannot be the inverse of a property of '\(wanted)'",
      related: [.init(place, "'\(other)' is declared here")], fixIts: replacements(range, candidates))
  }

  static func inverseDeclaredElsewhere(
    _ end: String, _ destination: String, _ other: String, owner: String, _ range: SourceRange,
    _ place: SourceRange
  ) -> Self {
    Self(
      .inverseMismatch, at: range,
      "'\(end)' refers to '\(destination)', but '\(other)' belongs to every '\(owner)'",
      related: [.init(place, "'\(other)' is declared here")])
  }

  static func inverseTaken(
    _ other: String, _ partner: String, _ range: SourceRange, _ place: SourceRange
  ) -> Self {
    Self(
      .inverseMismatch, at: range, "'\(other)' is already the inverse of '\(partner)'",
      related: [.init(place, "'\(partner)' is declared here")])
  }

  /// Used for Swift files, where the second relationship has no inverse.
  static func inverseTaken(
    _ other: String, _ partner: String, _ range: SourceRange, _ place: SourceRange, loser: String
  ) -> Self {
    Self(
      .inverseMismatch, .warning, at: range,
      "'\(other)' is the inverse of '\(partner)', so '\(loser)' has no inverse",
      related: [.init(place, "'\(partner)' is declared here")],
      help: "write 'inverse:' on one relationship and '@Relationship(inverse: nil)' on the other")
  }

  static func inverseRefused(_ other: String, _ range: SourceRange, _ place: SourceRange) -> Self {
    Self(
      .inverseMismatch, at: range, "'\(other)' is declared to have no inverse",
      related: [.init(place, "'\(other)' is declared here")],
      help: "remove 'inverse: nil' there, or write it here as well")
  }

  /// - Parameter addition: A declaration of the other side, and the edit that adds it.
  static func missingInverse(
    _ relationship: ResolvedRelationship, end: String, _ range: SourceRange,
    addition: (text: String, edit: TextEdit)?
  ) -> Self {
    Self(
      .missingInverse, .warning, at: range, "relationship '\(end)' has no inverse",
      help:
        "declare the other side in '\(relationship.destination)', or write '@Relationship(inverse: nil)'",
      fixIts: addition.map { [FixIt("add '\($0.text)' to '\(relationship.destination)'", [$0.edit])] } ?? [])
  }

  static func ambiguousInverse(
    _ end: String, _ range: SourceRange, candidates: [(title: String, range: SourceRange)], isSwift: Bool
  ) -> Self {
    let shown = candidates.prefix(8)
    let text = "the inverse of '\(end)' could be \(shown.map { "'\($0.title)'" }.joined(separator: " or "))"
    return Self(
      .ambiguousInverse, isSwift ? .warning : .error, at: range,
      isSwift ? text + ", so none is used" : text,
      related: shown.map { .init($0.range, "'\($0.title)' is declared here") },
      help: "write 'inverse:' on one side of each pair")
  }

  /// Two references from a model to itself can be a pair (`next` and `previous`) or unrelated (`manager` and
  /// `mentor`).
  static func guessedInverse(
    _ end: (title: String, range: SourceRange), _ other: (title: String, range: SourceRange)
  ) -> Self {
    Self(
      .ambiguousInverse, .warning, at: end.range,
      "'\(end.title)' and '\(other.title)' are assumed to be inverses",
      related: [.init(other.range, "'\(other.title)' is declared here")],
      help: "write 'inverse:' on either if they are a pair, or '@Relationship(inverse: nil)' on both")
  }
}
