import SchemaDiagnostics
package import SchemaSyntax

/// Formats schema text in the canonical layout.
///
/// Tokens and comments keep their text and order. Only whitespace changes, and semicolons and commas are removed where
/// a line break or bracket makes them superfluous.
package enum SchemaFormatter {
  /// The maximum line length in columns.
  package static let lineLimit = 110
  /// The maximum length of a line with attributes and the annotated declaration.
  package static let attributeLineLimit = 100
  package static let indentation = 4

  /// Formats a file's text. Returns text that does not parse unchanged.
  package static func format(_ text: String) -> String {
    format(Parser.parse(SourceFile(path: "", text: text), index: 0).0).map { String(decoding: $0, as: UTF8.self) }
      ?? text
  }

  /// Formats a file in the canonical layout.
  ///
  /// - Returns: The formatted text, or `nil` if the file does not parse, or if the result would parse to different
  ///   declarations. The latter would be a bug.
  package static func format(_ tree: SyntaxTree) -> [UInt8]? {
    // Text that the parser skipped has no layout.
    guard FormatCheck.isWhole(tree) else { return nil }
    let text = tree.file.bytes.withUnsafeBufferPointer { bytes in
      var layout = Layout(tree, bytes)
      layout.run()
      var writer = Writer(tree, bytes, layout)
      writer.run()
      return writer.text
    }
    if text == tree.file.bytes { return text }
    return FormatCheck.isSame(text, as: tree) ? text : nil
  }
}
