import SchemaDiagnostics
import SchemaReports

/// The forms findings are reported in.
package enum ReportFormat: String, Sendable, CaseIterable {
  /// With the lines they are about, for people.
  case text
  /// As compilers print them.
  case compact
  case json, sarif
  /// Commands of a workflow, which become annotations.
  case github
  /// The code quality report of a merge request.
  case gitlab
  case junit

  /// - Parameters:
  ///   - colored: only text has colours, and says the same without them.
  ///   - tool: the version of the tool.
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
