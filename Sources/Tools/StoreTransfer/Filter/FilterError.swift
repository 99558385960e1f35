/// An error in a filter, or in a row that it reads.
package struct FilterError: Error, Sendable, Equatable, Encodable {
  /// The problem and possible corrections.
  package let message: String
  /// The 1-based column in characters; `nil` if the error occurred while reading rows.
  package let column: Int?
  /// The line with the error; `nil` if it is too long to show.
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

  /// Creates the error for a stored value that does not have the expected form.
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
