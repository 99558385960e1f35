package import SchemaDiagnostics
import SchemaSyntax

/// What tests say about migrations, as far as their text shows it.
package enum MigrationTests {
  /// The identifiers of a Swift file that uses a `MigrationMatrix`, the name of a plan among them; none
  /// for another file. Comments and texts are not looked at.
  package static func words(in file: SourceFile) -> Set<String> {
    let words = Lexer.lex(file, index: 0).0.filter { $0.kind == .identifier }.map {
      file.text(from: Int($0.start), to: Int($0.end))
    }
    return words.contains("MigrationMatrix") ? Set(words) : []
  }
}
