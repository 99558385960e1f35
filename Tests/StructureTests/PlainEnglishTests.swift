import Foundation
import Testing

/// Articles and comments must not contain banned phrases.
@Suite struct PlainEnglishTests {
  /// Phrases that hide the subject of a sentence, and metaphors, in lower case.
  static let banned = [
    "somebody", "someone", "nobody", "whoever", "the road", "newcomer", "newcomers", "the log anew", "told of",
    "tells of", "tell of", "stands in the way", "stand in the way", "behind your back", "leave the house",
  ]

  /// Returns those of the given phrases that a string contains.
  private static func findings(in text: some StringProtocol, of phrases: [String] = banned) -> [String] {
    let text = text.lowercased()
    return phrases.filter { phrase in
      guard let range = text.range(of: phrase) else { return false }
      let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : " "
      let after = range.upperBound < text.endIndex ? text[range.upperBound] : " "
      return !before.isLetter && !after.isLetter
    }
  }

  @Test func articlesContainNoBannedPhrases() throws {
    for article in try Articles.all() + Articles.root() {
      for (number, line) in article.prose {
        // Skip code in backticks, because names of tests may contain these phrases.
        let prose = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined(separator: " ")
        let found = Self.findings(in: prose)
        #expect(found.isEmpty, "\(article.path):\(number): \(found.joined(separator: ", "))")
      }
    }
  }

  @Test func commentsContainNoBannedPhrases() throws {
    for file in try SourceTree.files(below: "Sources") {
      // Most files have none of the phrases.
      let whole = file.lines.joined(separator: "\n").lowercased()
      let phrases = Self.banned.filter { strstr(whole, $0) != nil }
      for (number, line) in file.lines.enumerated() where !phrases.isEmpty {
        guard let comment = Self.comment(of: line) else { continue }
        let found = Self.findings(in: comment, of: phrases)
        #expect(found.isEmpty, "\(file.path):\(number + 1): \(found.joined(separator: ", "))")
      }
    }
  }

  /// Returns the comment in a line, or nil if it has none.
  private static func comment(of line: Substring) -> Substring? {
    if line.drop(while: { $0 == " " }).hasPrefix("//") { return line }
    return line.range(of: "  // ").map { line[$0.upperBound...] }
  }
}
