/// An element of an XML file, with everything in it.
package struct MarkupElement: Sendable, Equatable {
  package struct Attribute: Sendable, Equatable {
    package var name: String
    package var value: String
  }

  package var name: String
  /// In the order they are written, each name once.
  package var attributes: [Attribute]
  /// Where it begins, from 1.
  package var line: Int
  package var children: [MarkupElement] = []
  /// What stands between its tags and is no element.
  package var text = ""

  package func children(_ name: String) -> [MarkupElement] { children.filter { $0.name == name } }

  package subscript(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}

/// Why a file is no XML, or none that is read here.
package struct MarkupProblem: Error, Equatable, Sendable {
  package var file: String
  /// Both from 1, the column in bytes.
  package var line: Int
  package var column: Int
  package var message: String

  package var text: String { "\(file):\(line):\(column): error: \(message)" }
}
