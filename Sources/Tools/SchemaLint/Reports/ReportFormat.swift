import SchemaDiagnostics
import SchemaReports

/// The report formats.
package enum ReportFormat: String, Sendable, CaseIterable {
  /// Text with source lines.
  case text
  /// Text in the format that compilers use.
  case compact
  case json, sarif
  /// GitHub workflow commands, which become annotations.
  case github
  /// A GitLab code quality report.
  case gitlab
  case junit

  /// - Parameters:
  ///   - result: The findings.
  ///   - colored: True to color the text format. Other formats ignore it.
  ///   - tool: The tool version.
  package func render(_ result: LintResult, colored: Bool = false, tool: String = "") throws -> String {
    switch self {
    case .text: ExcerptRenderer(files: result.files, colored: colored).render(result.open)
    case .compact: CompilerRenderer(files: result.files).render(result.open)
    case .json: try LintReport(result).json()
    case .sarif: try SARIFReport.json(result, tool: tool)
    case .github: GitHubReport.text(result)
    case .gitlab: try GitLabReport.json(result)
    case .junit: JUnitReport.text(result)
    }
  }
}
