import SchemaDiagnostics
package import SchemaSyntax

/// Gives the text of a schema its canonical layout.
///
/// Tokens and comments stay what they are and where they are; only what lies between them changes, and
/// semicolons and commas that a line break or a bracket makes superfluous go.
package enum SchemaFormatter {
  /// How long a line may become.
  package static let lineLimit = 110
  /// How long it may become by having attributes and what they belong to on it.
  package static let attributeLineLimit = 100
  package static let indentation = 4

  /// The text of a file in its canonical layout.
  ///
  /// - Returns: nil where the file does not parse, or where the text would be read as something else,
  ///   which no text is known to do.
  package static func format(_ tree: SyntaxTree) -> [UInt8]? {
    // What the parser could not place has no layout.
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
