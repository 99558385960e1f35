import Foundation
import SchemaDriver
import TestSupport
import Testing

/// The schema files shown in the README and the articles must have no findings, because readers copy them.
@Suite struct ArticleSchemaTests {
  private static let articles = "Sources/Runtime/Trellis/Trellis.docc"
  /// Articles whose schemas refer to models or versions that they do not show. Only their layout is tested.
  private static let fragments: Set<String> = ["Formatting.md", "Versions.md", "TutorialSecondRelease.md"]

  /// Returns the code blocks that begin with a `schema` line, except those that are introduced as unformatted.
  private static func schemas(in path: String) throws -> [String] {
    let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    let parts = text.components(separatedBy: "\n```")
    return zip(parts, parts.dropFirst()).compactMap { before, block in
      guard let line = block.firstIndex(of: "\n"), block[line...].hasPrefix("\nschema "),
        !before.hasSuffix("Before:\n")
      else { return nil }
      return String(block[line...].dropFirst()) + "\n"
    }
  }

  @Test func articleSchemasAreFormattedAndHaveNoFindings() throws {
    let folder = Repository.root.appending(path: Self.articles).path(percentEncoded: false)
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".md") && !$0.hasPrefix("Walkthroughs/") }.sorted()
    var count = 0
    for path in ["README.md"] + names.map({ "\(Self.articles)/\($0)" }) {
      let name = String(path.split(separator: "/").last ?? "")
      for text in try Self.schemas(in: path) {
        try play { place in
          let schema = text.split(separator: " ")[1]
          try place.write("\(schema).schema", text)
          let format = place.run("format", "--diff")
          #expect(format.text == "" && format.status == .clean, "\(path): \(format.text)")
          count += 1
          guard !Self.fragments.contains(name) else { return }
          let lint = place.run("lint", "--no-config", "--format", "compact", "--quiet")
          #expect(lint.text == "" && lint.status == .clean, "\(path): \(lint.text)")
        }
      }
    }
    #expect(count >= 4)
  }
}
