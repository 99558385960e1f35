/// What names of one kind have to look like, as somebody has set it.
struct NamePattern {
  /// What a pattern can be about.
  enum Subject: String, CaseIterable {
    case entity, enumeration = "enum", structure = "struct", attribute, relationship, enumCase = "case", field
    /// Every entity, enum and struct.
    case type
    /// Every attribute and relationship.
    case property
  }

  let subject: Subject
  let pattern: String
  /// What to say instead of the pattern.
  let message: String?
  private let regex: Regex<AnyRegexOutput>

  /// - Parameter text: a regular expression, and perhaps ` -- ` with the words of the finding.
  init(_ subject: String, _ text: String) throws(SettingFailure) {
    guard let known = Subject(rawValue: subject) else {
      let all = Subject.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
      throw SettingFailure("a pattern is about one of \(all), not '\(subject)'")
    }
    let parts = Self.split(text)
    self.subject = known
    (pattern, message) = parts
    do {
      regex = try Regex(pattern)
    } catch {
      throw SettingFailure("'\(pattern)' is no regular expression: \(error)")
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

  /// Whether the name is one of those the pattern describes, from its first letter to its last.
  func matches(_ name: String) -> Bool { (try? regex.wholeMatch(in: name)) != nil }
}
