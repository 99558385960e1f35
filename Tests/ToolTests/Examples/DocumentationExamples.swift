import Foundation

/// The Swift code blocks in articles and documentation comments, as source files to be type-checked.
///
/// The blocks of an article build on each other, as they do for a reader: each block sees the variables of the preceding
/// blocks and may declare them again. An example in a documentation comment stands alone. Articles and examples use the
/// models and variables in `Vocabulary`.
struct DocumentationExamples {
  struct Block: Equatable {
    /// The line number of the first code line.
    var line: Int
    var lines: [Substring]

    /// False for other languages, for tests, and for indented excerpts of source files. Other tests compare these with
    /// their sources.
    var isSwift: Bool {
      guard let first = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("import ") }) else { return false }
      return ![" ", "schema ", "migration ", "// swift-tools-version", "@Test", ".package(", ".executableTarget("]
        .contains { first.hasPrefix($0) }
    }
    /// True if the code cannot be placed in a function, because macros and extensions do not work with local types.
    var isDeclaration: Bool { lines.contains { line in Self.declarations.contains { line.hasPrefix($0) } } }
    var isExtension: Bool { lines.contains { $0.hasPrefix("extension ") } }
    var imports: [Substring] { lines.filter { $0.hasPrefix("import ") } }

    static let declarations = ["@Model", "@main", "extension ", "protocol ", "static ", "@available"]

    /// Returns the code with a marker for diagnostics, without imports and omitted parts.
    func code(at path: String) -> String {
      let code = lines.map { line in
        line.hasPrefix("import ") ? "" : line.replacingOccurrences(of: "{ … }", with: "{ }")
      }
      return """
        #sourceLocation(file: "\(path)", line: \(line))
        \(code.joined(separator: "\n"))
        #sourceLocation()
        """
    }
  }

  /// Returns the blocks between fences with the word `swift`. Each line may have a prefix, such as `///`.
  static func blocks(in text: String, prefix: String = "") -> [Block] {
    var blocks: [Block] = []
    var open: (indent: Int, block: Block)?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let indent = line.prefix { $0 == " " }.count
      var content = line.dropFirst(open == nil ? indent : min(open?.indent ?? 0, indent))
      guard content.hasPrefix(prefix) else {
        open = nil
        continue
      }
      content = content.dropFirst(prefix.count)
      if !prefix.isEmpty, content.hasPrefix(" ") { content = content.dropFirst() }
      if let (_, block) = open {
        if content.hasPrefix("```") {
          blocks.append(block)
          open = nil
        } else {
          open?.block.lines.append(content)
        }
      } else if content == "```swift" {
        open = (indent, Block(line: index + 2, lines: []))
      }
    }
    return blocks.filter(\.isSwift)
  }

  /// Returns an article's code as a namespace with its types and a function with its statements.
  static func article(_ text: String, path: String, name: String) -> String? {
    file(Self.blocks(in: text), path: path, name: name)
  }

  /// Returns the examples of a source file, each in its own namespace.
  static func comments(_ text: String, path: String, name: String) -> String? {
    let parts = blocks(in: text, prefix: "///").compactMap { block in
      file([block], path: path, name: "\(name)\(block.line)")
    }
    return parts.isEmpty ? nil : parts.joined(separator: "\n")
  }

  private static func file(_ blocks: [Block], path: String, name: String) -> String? {
    guard !blocks.isEmpty else { return nil }
    let isServer = path.contains("Postgres")
    let imports = Set(["import Foundation", "import SampleTripsGolden", "import Trellis"])
      .union(isServer ? ["import TrellisPostgres"] : []).union(blocks.flatMap(\.imports).map(String.init))
    let types = blocks.filter { $0.isDeclaration && !$0.isExtension }
    let statements = blocks.filter { !$0.isDeclaration }
    return """
      \(imports.sorted().joined(separator: "\n"))
      \(blocks.filter(\.isExtension).map { $0.code(at: path) }.joined(separator: "\n"))
      enum \(name)Examples {
      \(types.map { $0.code(at: path) }.joined(separator: "\n"))
      static func statements() async throws {
      \(statements.map { $0.code(at: path) }.joined(separator: "\ndo {\n"))
      \(String(repeating: "}", count: statements.count))
      \(statements.isEmpty ? "}" : "")
      }
      """
  }
}
