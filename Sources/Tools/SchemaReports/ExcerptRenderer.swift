package import SchemaDiagnostics

/// Diagnostics with the line they are about and carets under it, for a terminal.
package struct ExcerptRenderer: Sendable {
  private let files: [SourceFile]
  private let tables: [LineTable]
  private let colored: Bool

  /// - Parameter colored: whether severities and carets have colours, which say nothing that the words
  ///   do not say.
  package init(files: [SourceFile], colored: Bool = false) {
    self.files = files
    self.colored = colored
    tables = files.map { LineTable($0) }
  }

  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { render($0) + "\n" }.joined(separator: "\n")
  }

  package func render(_ diagnostic: Diagnostic) -> String {
    let severity = diagnostic.severity
    let color: Color =
      switch severity {
      case .error: .red
      case .warning: .yellow
      case .info: .blue
      }
    var lines = [
      "\(painted(severity.rawValue, color)): \(painted(diagnostic.message, .bold)) [\(diagnostic.id)]"
    ]
    lines += excerpt(of: diagnostic.range, label: diagnostic.label, color)
    for related in diagnostic.related {
      lines.append("\(painted("note", .blue)): \(related.text)")
      lines += excerpt(of: related.range, label: nil, .blue)
    }
    if let help = diagnostic.help { lines.append("\(painted("help", .green)): \(help)") }
    for fixIt in diagnostic.fixIts { lines.append("\(painted("fix", .green)): \(fixIt.title)") }
    return lines.joined(separator: "\n")
  }

  private enum Color: String {
    case red = "31;1"
    case yellow = "33;1"
    case blue = "34;1"
    case green = "32"
    case bold = "1"
  }

  private func painted(_ text: String, _ color: Color) -> String {
    colored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  private func excerpt(of range: SourceRange, label: String?, _ color: Color) -> [String] {
    guard files.indices.contains(range.file) else { return [] }
    let file = files[range.file]
    let table = tables[range.file]
    let count = file.bytes.count
    let range = SourceRange(
      file: range.file, start: min(max(range.start, 0), count), end: min(max(range.end, 0), count))
    let position = table.position(at: range.start)
    let line = table.range(ofLine: position.line, in: file)
    // Of a very long line only the part around the place is shown, so that the caret is visible.
    let start = max(line.lowerBound, range.start - Self.reach)
    let end = min(line.upperBound, max(range.start, min(range.end, line.upperBound)) + Self.reach)
    let caretEnd = max(range.start, min(range.end, end))
    let number = String(position.line)
    let margin = String(repeating: " ", count: number.count)
    let before = file.text(from: start, to: range.start)
    let marked = file.text(from: range.start, to: caretEnd)
    let text = shown(file.text(from: start, to: end))
    let padding = String(before.map { $0 == "\t" ? "\t" : " " })
    let carets = String(repeating: "^", count: max(1, marked.count))
    return [
      "\(margin)--> \(file.path):\(position.line):\(position.column)",
      "\(margin) |",
      "\(number) | \(text)",
      "\(margin) | \(padding)\(painted(carets, color))" + (label.map { " \($0)" } ?? ""),
    ]
  }

  /// How many bytes of a line are shown on each side of the marked range.
  private static let reach = 400

  /// Control characters would move the cursor; a terminal gets a visible stand-in.
  private func shown(_ text: String) -> String {
    String(
      text.map { character in
        guard let ascii = character.asciiValue, ascii < 0x20 || ascii == 0x7F else {
          return character
        }
        return character == "\t" ? character : "\u{FFFD}"
      })
  }
}
