import SchemaCommands
import SchemaDiagnostics
import SchemaFormat
import SchemaSyntax

/// Formats documents in the canonical layout.
enum Formatting {
  static func document(_ uri: String, _ state: inout ServerState) throws(ResponseError) -> [DocumentEdit] {
    guard let document = state.documents[uri] else { return [] }
    guard let text = SchemaFormatter.format(tree(document)) else {
      throw ResponseError(.requestFailed, "the file cannot be formatted while it has syntax errors")
    }
    // Edits of single lines keep the cursor and folded regions in place.
    return UnifiedDiff.replacements(from: document.file.bytes, to: text).map { replacement in
      DocumentEdit(
        range: DocumentRange(
          start: Position(line: replacement.lines.lowerBound, character: 0),
          end: Position(line: replacement.lines.upperBound, character: 0)),
        newText: replacement.text)
    }
  }

  /// Formats the file, and returns the edits of lines in a range.
  static func range(_ parameters: RangeParameters, _ state: inout ServerState) throws(ResponseError) -> [DocumentEdit] {
    let lines = parameters.range
    return try document(parameters.textDocument.uri, &state).filter {
      $0.range.start.line <= lines.end.line && $0.range.end.line >= lines.start.line
    }
  }

  static func tree(_ document: Document) -> SyntaxTree { Parser.parse(document.file, index: 0).0 }
}
