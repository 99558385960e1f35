/// Diagnostics as compilers print them, one line each, which SwiftPM and editors read from a build.
package struct CompilerRenderer: Sendable {
  private let files: [SourceFile]
  private let tables: [LineTable]

  package init(files: [SourceFile]) {
    self.files = files
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
    for related in diagnostic.related {
      lines.append("\(place(related.range)): note: \(related.text)")
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
}
