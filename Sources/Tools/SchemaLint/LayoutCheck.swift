import SchemaDiagnostics
import SchemaFormat
import SchemaSyntax

/// Rule SYN014: checks that files match the formatter's layout.
enum LayoutCheck {
  /// Returns a finding for each unformatted file, at the first difference. The fix rewrites the file.
  static func findings(in trees: [SyntaxTree]) -> [Diagnostic] {
    trees.compactMap { tree in
      guard let formatted = SchemaFormatter.format(tree), formatted != tree.file.bytes else { return nil }
      let bytes = tree.file.bytes
      let place =
        zip(bytes, formatted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        ?? min(bytes.count, formatted.count)
      let whole = SourceRange(file: tree.fileIndex, start: 0, end: bytes.count)
      return Diagnostic(
        NotFormatted.id, NotFormatted.severity,
        at: SourceRange(file: tree.fileIndex, start: place, end: place), "the file is not formatted",
        help: "run 'trellis format' on the file",
        fixIts: [.replace(whole, with: String(decoding: formatted, as: UTF8.self), title: "format the file")])
    }
  }
}
