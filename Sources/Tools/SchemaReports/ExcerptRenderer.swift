package import SchemaDiagnostics

/// Renders diagnostics with the affected source line and carets, for a terminal.
package struct ExcerptRenderer: Sendable {
  private let files: [SourceFile]
  private let tables: [LineTable]
  private let colored: Bool

  /// - Parameter colored: True to color severities and carets. The colors carry no additional information.
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
    let line = MarkedLine(range, in: files[range.file], tables[range.file])
    let number = String(line.position.line)
    let margin = String(repeating: " ", count: number.count)
    return [
      "\(margin)--> \(files[range.file].path):\(line.position.line):\(line.position.column)",
      "\(margin) |",
      "\(number) | \(line.text)",
      "\(margin) | \(line.padding)\(painted(line.carets, color))" + (label.map { " \($0)" } ?? ""),
    ]
  }
}
