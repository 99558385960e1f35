import Foundation
import Testing

/// Compares statements in the articles with the sources.
@Suite struct DocumentationTests {
  private func article(_ name: String) throws -> String {
    try #require(try Articles.named(name), "there is no article '\(name)'").text
  }

  /// Returns the names in backticks in the last column of the table of invariants.
  private func guards() throws -> [String] {
    let table = try article("Invariants").split(separator: "\n")
      .drop { !$0.hasPrefix("| # |") }.dropFirst(2).prefix { $0.hasPrefix("|") }
    return table.flatMap { Articles.code(in: $0.split(separator: "|").last ?? "") }
  }

  @Test func testsOfInvariantsExist() throws {
    let declared = Set(try SourceTree.files(below: "Tests").flatMap(\.lines).compactMap(Self.declaredName))
    let guards = try guards()
    #expect(guards.count > 20)
    for name in guards {
      if name.contains("/") {
        let path = SourceTree.root.appending(path: name).path(percentEncoded: false)
        #expect(FileManager.default.fileExists(atPath: path), "there is no \(name)")
      } else {
        #expect(declared.contains(name), "there is no test '\(name)'")
      }
    }
  }

  /// Returns the name of the function or suite that a line declares.
  private static func declaredName(_ line: Substring) -> String? {
    for keyword in ["func ", "struct "] {
      if let found = line.range(of: keyword) {
        return String(line[found.upperBound...].prefix { $0 != "(" && $0 != " " })
      }
    }
    return nil
  }

  /// Returns all declarations of diagnostic codes, with their names.
  private func declaredDiagnostics() throws -> [String] {
    // Filter lines first, because matching all lines takes half a minute.
    let lines = try SourceTree.files(below: "Sources").flatMap(\.lines).filter { $0.range(of: "(\"") != nil }
    return try lines.compactMap { try /(?:DiagnosticID|Self)\("([A-Z]+\d+)", "([a-z-]+)"\)/.firstMatch(in: $0) }
      .map { "| \($0.1) | \($0.2) |" }
  }

  @Test func everyDiagnosticIsListed() throws {
    let declared = try declaredDiagnostics()
    let listed = try article("Diagnostics").split(separator: "\n")
      .filter { $0.wholeMatch(of: /\| [A-Z]+\d+ \|.*/) != nil }
      .map { $0.split(separator: "|").prefix(2).map { "|\($0)" }.joined() + "|" }
    #expect(declared.count > 150)
    #expect(Set(declared).subtracting(listed) == [], "not in the article")
    #expect(Set(listed).subtracting(declared) == [], "nothing says that any more")
    #expect(Set(listed).count == listed.count)
    #expect(Set(declared).count == declared.count)
  }

  @Test func linkedFilesExist() throws {
    for article in try Articles.root() {
      let links = article.text.matches(of: /\]\(([^)h][^)]*)\)/).compactMap { $0.1.split(separator: "#").first }
      for link in links {
        let path = SourceTree.root.appending(path: String(link)).path(percentEncoded: false)
        #expect(FileManager.default.fileExists(atPath: path), "\(article.path) links to \(link)")
      }
    }
  }
}
