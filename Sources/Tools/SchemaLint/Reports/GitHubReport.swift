import SchemaDiagnostics

/// Findings as workflow commands: `::warning file=A.schema,line=3,col=7,…::deleting a Tag deletes its Notes`.
enum GitHubReport {
  static func text(_ result: LintResult) -> String {
    let places = ReportPlaces(result.files)
    return result.open.map { diagnostic in
      let command =
        switch diagnostic.severity {
        case .error: "error"
        case .warning: "warning"
        case .info: "notice"
        }
      let start = places.position(diagnostic.range.start, in: diagnostic.range.file)
      let end = places.position(diagnostic.range.end, in: diagnostic.range.file)
      var properties = [
        "file=\(escaped(places.path(diagnostic.range.file)))", "line=\(start.line)", "endLine=\(end.line)",
      ]
      // GitHub accepts columns only for ranges within one line.
      if start.line == end.line { properties += ["col=\(start.column)", "endColumn=\(end.column)"] }
      properties.append("title=\(escaped(diagnostic.id.description))")
      let message = [diagnostic.message, diagnostic.help].compactMap { $0 }.joined(separator: "\n")
      return "::\(command) \(properties.joined(separator: ","))::\(escapedData(message))\n"
    }.joined()
  }

  private static func escapedData(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func escaped(_ text: String) -> String {
    escapedData(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
