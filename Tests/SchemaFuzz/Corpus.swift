import Foundation
import SchemaDiagnostics
import SchemaSyntax

/// The schema files of the package, cut into what mutations put together: declarations and words.
struct Corpus: Sendable {
  /// Whole declarations, from their documentation to their closing brace.
  private(set) var declarations: [[UInt8]] = []
  /// Every token there is, once.
  private(set) var words: [[UInt8]] = []

  /// Texts no schema of ours has.
  private static let oddities = [
    "\"", "\\(", "\"\"\"", "/*", "*/", "#if", "#endif", "#\"", "`", "@", "@@", "\\.", "<<<<<<< HEAD", "// schema:ignore",
    "// schema:ignore-file REL001 --", "9223372036854775808", "-1", "1.0.0.0", "0x", "\u{1F98A}", "e\u{301}", "\u{0}",
    "T??", "[[", "]]", "{{{{{{{{", "}}}}}}}}", "((((((((", "migration from", "accept MIG011 A.b --", "fill A.b = old.",
    "dedupe A on [\\.b] keep newest", "custom x", "inverse: \\Self.self", "= nil", "= []", "indirect", "\r", "\r\n", "\t", "\u{2028}",
  ]

  init(root: String) {
    var known: Set<[UInt8]> = []
    for folder in ["Schemas", "Tests", "Sources", "Benchmarks"] {
      let paths = FileManager.default.enumerator(atPath: root + "/" + folder)?.compactMap { $0 as? String } ?? []
      for path in paths.sorted() where path.hasSuffix(".schema") {
        guard let data = FileManager.default.contents(atPath: "\(root)/\(folder)/\(path)") else { continue }
        let tree = Parser.parse(SourceFile(path: path, bytes: Array(data)), index: 0).0
        for node in tree.root.children where node.hasTokens && node.kind != .schemaLine {
          let range = node.range
          if range.end - range.start < 4_000 { declarations.append(Array(tree.file.bytes[range.start..<range.end])) }
        }
        for token in tree.tokens {
          let word = Array(tree.file.bytes[Int(token.start)..<Int(token.end)])
          if word.count < 200, known.insert(word).inserted { words.append(word) }
        }
      }
    }
    words += Self.oddities.map { Array($0.utf8) }
  }
}
