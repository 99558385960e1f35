package import SchemaDiagnostics
import SchemaSyntax

/// Detects migration tests by the words in their source.
package enum MigrationTests {
  /// Returns the identifiers in a Swift file that uses `MigrationMatrix`, including plan names, or an empty set for
  /// files that do not. Comments and strings are ignored.
  package static func words(in file: SourceFile) -> Set<String> {
    let words = Lexer.lex(file, index: 0).0.filter { $0.kind == .identifier }.map {
      file.text(from: Int($0.start), to: Int($0.end))
    }
    return words.contains("MigrationMatrix") ? Set(words) : []
  }
}
