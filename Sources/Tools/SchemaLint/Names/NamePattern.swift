/// A configured name pattern for a declaration kind.
struct NamePattern {
  /// The declarations that a pattern can apply to.
  enum Subject: String, CaseIterable {
    case entity, enumeration = "enum", structure = "struct", attribute, relationship, enumCase = "case", field
    /// Entities, enums and structs.
    case type
    /// Attributes and relationships.
    case property
  }

  let subject: Subject
  let pattern: String
  /// The configured message; `nil` for the default message.
  let message: String?
  private let regex: Regex<AnyRegexOutput>

  /// - Parameter text: A regular expression, optionally followed by ` -- ` and a message.
  init(_ subject: String, _ text: String) throws(SettingFailure) {
    guard let known = Subject(rawValue: subject) else {
      let all = Subject.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw SettingFailure("a pattern applies to \(all), not '\(subject)'")
    }
    let parts = Self.split(text)
    self.subject = known
    (pattern, message) = parts
    do {
      regex = try Regex(pattern)
    } catch {
      throw SettingFailure("'\(pattern)' is not a valid regular expression: \(error)")
    }
  }

  private static func split(_ text: String) -> (String, String?) {
    var end = text.startIndex
    while end < text.endIndex {
      let rest = text[end...]
      if rest.hasPrefix(" -- ") { return (String(text[..<end]), String(rest.dropFirst(4))) }
      end = text.index(after: end)
    }
    return (text, nil)
  }

  func isAbout(_ kind: DeclaredName.Kind) -> Bool {
    switch (subject, kind) {
    case (.entity, .entity), (.enumeration, .enumeration), (.structure, .structure), (.attribute, .attribute),
      (.relationship, .relationship), (.enumCase, .enumCase), (.field, .field), (.type, .entity),
      (.type, .enumeration), (.type, .structure), (.property, .attribute), (.property, .relationship):
      true
    default: false
    }
  }

  /// Returns true if the pattern matches the whole name.
  func matches(_ name: String) -> Bool { (try? regex.wholeMatch(in: name)) != nil }
}
