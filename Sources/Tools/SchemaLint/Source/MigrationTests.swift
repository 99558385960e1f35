package import SchemaDiagnostics
import SchemaSyntax

/// Detects tests of migrations by the words in their source.
package enum MigrationTests {
  /// The identifiers of a Swift file that uses `MigrationMatrix`, including the names of plans. Empty for other files.
  /// Comments and strings are ignored.
  package static func words(in file: SourceFile) -> Set<String> {
    let words = Lexer.lex(file, index: 0).0.filter { $0.kind == .identifier }.map {
      file.text(from: Int($0.start), to: Int($0.end))
    }
    return words.contains("MigrationMatrix") ? Set(words) : []
  }
}
