/// The reason why a text is not a filter for an entity.
package struct FilterError: Error, Sendable, Equatable, Encodable {
  /// What is wrong, and what is possible instead.
  package let message: String
  /// The column in the text, in characters from 1; nil if the error occurs when rows are read.
  package let column: Int?
  /// The text's line with the error; nil if it is too long to show.
  package let line: String?

  init(_ message: String, at offset: Int, in text: String) {
    self.message = message
    let bytes = text.utf8
    let place = bytes.index(bytes.startIndex, offsetBy: min(max(0, offset), bytes.count))
    let before = text[..<place]
    let start = before.lastIndex(where: \.isNewline).map { text.index(after: $0) } ?? text.startIndex
    column = text.distance(from: start, to: place) + 1
    let line = text[start...].prefix { !$0.isNewline }
    self.line = line.count <= Self.longestLine ? String(line) : nil
  }

  private init(_ message: String) { (self.message, column, line) = (message, nil, nil) }

  /// The error for a value that a row does not have in the expected form.
  static func unreadable(_ message: String) -> FilterError { FilterError(message) }

  private static let longestLine = 100
}

extension FilterError: CustomStringConvertible {
  package var description: String {
    guard let column else { return "filter: \(message)" }
    let text = "filter, column \(column): \(message)"
    guard let line else { return text }
    return "\(text)\n  \(line)\n  \(String(repeating: " ", count: column - 1))^"
  }
}
