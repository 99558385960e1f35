/// The source line of a diagnostic, with carets under the range.
package struct MarkedLine {
  package let position: SourcePosition
  /// The line, or an excerpt if it is very long.
  package let text: String
  /// The whitespace before the carets, including tabs.
  package let padding: String
  package let carets: String

  /// The number of bytes shown on each side of the marked range.
  private static let reach = 400

  package init(_ range: SourceRange, in file: SourceFile, _ table: LineTable) {
    let count = file.bytes.count
    let range = SourceRange(
      file: range.file, start: min(max(range.start, 0), count), end: min(max(range.end, 0), count))
    position = table.position(at: range.start)
    let line = table.range(ofLine: position.line, in: file)
    let start = max(line.lowerBound, range.start - Self.reach)
    let end = min(line.upperBound, max(range.start, min(range.end, line.upperBound)) + Self.reach)
    let marked = file.text(from: range.start, to: max(range.start, min(range.end, end)))
    text = Self.shown(file.text(from: start, to: end))
    padding = String(file.text(from: start, to: range.start).map { $0 == "\t" ? "\t" : " " })
    carets = String(repeating: "^", count: max(1, marked.count))
  }

  /// Replaces control characters, which would move a terminal's cursor, with a visible character.
  private static func shown(_ text: String) -> String {
    String(
      text.map { character in
        guard let ascii = character.asciiValue, ascii < 0x20 || ascii == 0x7F else { return character }
        return character == "\t" ? character : "\u{FFFD}"
      })
  }
}
