import Foundation

/// The articles of the documentation catalogue, and the documents in the root folder of the package.
enum Articles {
  static let catalogue = "Sources/Runtime/Trellis/Trellis.docc"
  static let serverCatalogue = "Sources/Runtime/TrellisPostgres/TrellisPostgres.docc"

  struct Article {
    /// The path relative to the package root.
    let path: String
    let text: String

    /// The file name without `.md`.
    var name: String { String(path.split(separator: "/").last?.dropLast(3) ?? "") }

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The lines outside of code blocks.
    var prose: [(number: Int, text: Substring)] {
      var isCode = false
      return lines.enumerated().compactMap { index, line in
        if line.drop(while: { $0 == " " }).hasPrefix("```") {
          isCode.toggle()
          return nil
        }
        return isCode ? nil : (index + 1, line)
      }
    }
  }

  /// Returns all articles except the pages of types in `Types`, which only arrange the members of a type.
  static func all(in catalogue: String = catalogue) throws -> [Article] {
    let base = SourceTree.root.appending(path: catalogue)
    let names = FileManager.default.enumerator(atPath: base.path(percentEncoded: false))?.compactMap { $0 as? String }
    return try (names ?? []).filter { $0.hasSuffix(".md") && !$0.hasPrefix("Types/") }.sorted().map {
      try article(at: "\(catalogue)/\($0)")
    }
  }

  static func named(_ name: String) throws -> Article? { try all().first { $0.name == name } }

  /// Returns README, CONTRIBUTING and similar documents.
  static func root() throws -> [Article] {
    try ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map(article(at:))
  }

  private static func article(at path: String) throws -> Article {
    Article(path: path, text: try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8))
  }

  struct Link {
    /// The path relative to the linking article's folder; empty for a heading of the same article.
    var path: String
    var anchor: String?
    /// The linked article's name.
    var name: String { String(path.split(separator: "/").last?.dropLast(3) ?? "") }
  }

  /// Returns the links to articles. They have the form `[Title](Folder/Name.md#a-heading)`.
  static func links(in text: String) -> [Link] {
    text.matches(of: /\]\(([^):#]*\.md)?(?:#([^)]*))?\)/).map {
      Link(path: String($0.1 ?? ""), anchor: $0.2.map(String.init))
    }
  }

  /// Returns a heading's anchor on code hosts.
  static func anchor(of heading: some StringProtocol) -> String {
    heading.drop { $0 == "#" || $0 == " " }.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
      .replacingOccurrences(of: " ", with: "-")
  }

  /// Returns the code between backticks.
  static func code(in line: some StringProtocol) -> [String] {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
