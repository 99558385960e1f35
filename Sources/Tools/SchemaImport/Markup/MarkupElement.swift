/// An XML element with its contents.
package struct MarkupElement: Sendable, Equatable {
  package struct Attribute: Sendable, Equatable {
    package var name: String
    package var value: String
  }

  package var name: String
  /// The attributes in source order. Names are unique.
  package var attributes: [Attribute]
  /// The start tag's line number, starting at 1.
  package var line: Int
  package var children: [MarkupElement] = []
  /// The text between the tags, excluding child elements.
  package var text = ""

  package func children(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

  package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// An error in an XML file, or a construct that the reader does not support.
package struct MarkupProblem: Error, Equatable, Sendable {
  package var file: String
  /// The line and column numbers, starting at 1. The column counts bytes.
  package var line: Int
  package var column: Int
  package var message: String

  package var text: String { "\(file):\(line):\(column): error: \(message)" }
}
