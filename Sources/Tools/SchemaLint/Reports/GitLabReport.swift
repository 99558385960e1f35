import Foundation
import SchemaDiagnostics

/// Findings as a code quality report for GitLab merge requests.
enum GitLabReport {
  private struct Issue: Encodable {
    struct Location: Encodable {
      struct Lines: Encodable {
        var begin: Int
        var end: Int
      }

      var path: String
      var lines: Lines
    }

    var description: String
    var check_name: String
    var fingerprint: String
    var severity: String
    var location: Location
  }

  static func json(_ result: LintResult) throws -> String {
    let places = ReportPlaces(result.files)
    let issues = result.findings.filter(\.isOpen).map { finding in
      let range = finding.diagnostic.range
      let severity =
        switch finding.diagnostic.severity {
        case .error: "critical"
        case .warning: "major"
        case .info: "info"
        }
      return Issue(
        description: finding.diagnostic.message, check_name: finding.diagnostic.id.code,
        fingerprint: finding.fingerprint, severity: severity,
        location: .init(
          path: places.path(range.file),
          lines: .init(
            begin: places.position(range.start, in: range.file).line,
            end: places.position(range.end, in: range.file).line)))
    }
    return try ReportJSON.text(issues)
  }
}
