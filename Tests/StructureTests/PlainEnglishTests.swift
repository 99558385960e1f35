import Foundation
import Testing

/// Articles and comments use the vocabulary of the architecture article.
@Suite struct PlainEnglishTests {
  /// Phrases that hide the subject of a sentence, and metaphors. In lower case.
  static let banned = [
    "somebody", "someone", "nobody", "whoever", "the road", "newcomer", "newcomers", "the log anew", "told of",
    "tells of", "tell of", "stands in the way", "stand in the way", "behind your back", "leave the house",
  ]

  /// The banned phrases in a text, among those given.
  private static func findings(in text: some StringProtocol, of phrases: [String] = banned) -> [String] {
    let text = text.lowercased()
    return phrases.filter { phrase in
      guard let range = text.range(of: phrase) else { return false }
      let before = range.lowerBound > text.startIndex ? text[text.index(before: range.lowerBound)] : " "
      let after = range.upperBound < text.endIndex ? text[range.upperBound] : " "
      return !before.isLetter && !after.isLetter
    }
  }

  @Test func articlesAreFree() throws {
    for article in try Articles.all() + Articles.root() {
      for (number, line) in article.prose {
        // Names of tests stay as they are.
        let prose = line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
          .filter { $0.offset % 2 == 0 }.map { String($0.element) }.joined(separator: " ")
        let found = Self.findings(in: prose)
        #expect(found.isEmpty, "\(article.path):\(number): \(found.joined(separator: ", "))")
      }
    }
  }

  /// The phrases that are left in comments, by folder: one line each, in the order of the names.
  private static let record = "Tests/plain-english.txt"

  /// Set `RECORD_GOLDENS=1` to record lower numbers.
  @Test func noFolderGetsMore() throws {
    var places: [String: [String]] = [:]
    for file in try SourceTree.files(below: "Sources") {
      let parts = file.path.split(separator: "/")
      // The layers of the runtime are counted one by one.
      let folder = parts.dropFirst().prefix(parts[1] == "Runtime" ? 3 : 1).joined(separator: "/")
      // Most files have none of the phrases.
      let whole = file.lines.joined(separator: "\n").lowercased()
      let phrases = Self.banned.filter { whole.range(of: $0) != nil }
      for (number, line) in file.lines.enumerated() where !phrases.isEmpty {
        guard let comment = Self.comment(of: line) else { continue }
        for phrase in Self.findings(in: comment, of: phrases) {
          places[folder, default: []].append("\(file.path):\(number + 1): \(phrase)")
        }
      }
    }
    let url = SourceTree.root.appending(path: Self.record)
    if ProcessInfo.processInfo.environment["RECORD_GOLDENS"] != nil {
      let lines = places.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.count)\n" }
      return try lines.joined().write(to: url, atomically: true, encoding: .utf8)
    }
    var allowed: [String: Int] = [:]
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      let parts = line.split(separator: " ")
      if let folder = parts.first, let count = parts.last.flatMap({ Int($0) }) { allowed[String(folder)] = count }
    }
    for (folder, found) in places where found.count > allowed[folder] ?? 0 {
      Issue.record("\(folder): \(found.count), not \(allowed[folder] ?? 0)\n\(found.joined(separator: "\n"))")
    }
    for (folder, count) in allowed where places[folder]?.count ?? 0 < count {
      print("\(folder) has \(places[folder]?.count ?? 0) of \(count) phrases left: record it")
    }
  }

  /// The comment of a line, if it has one.
  private static func comment(of line: Substring) -> Substring? {
    if line.drop(while: { $0 == " " }).hasPrefix("//") { return line }
    return line.range(of: "  // ").map { line[$0.upperBound...] }
  }
}
