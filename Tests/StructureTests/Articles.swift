import Foundation

/// The articles of the documentation catalogue, and the texts at the root of the package.
enum Articles {
  static let catalogue = "Sources/Runtime/Trellis/Trellis.docc"

  struct Article {
    /// Relative to the package root.
    let path: String
    let text: String

    /// As in `<doc:Performance>`.
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

  /// All but the pages of types in `Types`, which only order the members of a type.
  static func all() throws -> [Article] {
    let base = SourceTree.root.appending(path: catalogue)
    let names = FileManager.default.enumerator(atPath: base.path(percentEncoded: false))?.compactMap { $0 as? String }
    return try (names ?? []).filter { $0.hasSuffix(".md") && !$0.hasPrefix("Types/") }.sorted().map {
      try article(at: "\(catalogue)/\($0)")
    }
  }

  static func named(_ name: String) throws -> Article? { try all().first { $0.name == name } }

  /// README, CONTRIBUTING and the like.
  static func root() throws -> [Article] {
    try ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map(article(at:))
  }

  private static func article(at path: String) throws -> Article {
    Article(path: path, text: try String(contentsOf: SourceTree.root.appending(path: path), encoding: .utf8))
  }

  /// The texts between backticks.
  static func code(in line: some StringProtocol) -> [String] {
    line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
