/// Renders diagnostics in compiler format, as read by SwiftPM and editors from build output.
package struct CompilerRenderer: Sendable {
  private let files: [SourceFile]
  private let tables: [LineTable]
  private let showsLines: Bool

  /// - Parameter showsLines: True to print the source line below each location, false to print a single line per
  ///   location.
  package init(files: [SourceFile], showsLines: Bool = false) {
    self.files = files
    self.showsLines = showsLines
    tables = files.map { LineTable($0) }
  }

  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { render($0) + "\n" }.joined()
  }

  package func render(_ diagnostic: Diagnostic) -> String {
    let severity = diagnostic.severity == .info ? "note" : diagnostic.severity.rawValue
    var lines = [
      "\(place(diagnostic.range)): \(severity): \(diagnostic.message) [\(diagnostic.id)]"
    ]
    lines += excerpt(diagnostic.range)
    for related in diagnostic.related {
      lines.append("\(place(related.range)): note: \(related.text)")
      lines += excerpt(related.range)
    }
    if let help = diagnostic.help ?? diagnostic.fixIts.first?.title {
      lines.append("\(place(diagnostic.range)): note: \(help)")
    }
    return lines.joined(separator: "\n")
  }

  private func place(_ range: SourceRange) -> String {
    guard files.indices.contains(range.file) else { return "<unknown>:1:1" }
    let position = tables[range.file].position(at: range.start)
    return "\(files[range.file].path):\(position.line):\(position.column)"
  }

  private func excerpt(_ range: SourceRange) -> [String] {
    guard showsLines, files.indices.contains(range.file) else { return [] }
    let line = MarkedLine(range, in: files[range.file], tables[range.file])
    let number = String(line.position.line)
    let margin = String(repeating: " ", count: number.count)
    return [" \(number) | \(line.text)", " \(margin) | \(line.padding)\(line.carets)"]
  }
}
