import Foundation
import SchemaDiagnostics

/// Findings as SARIF 2.1.0 for code scanning.
enum SARIFReport {
  private static let schema = "https://json.schemastore.org/sarif-2.1.0.json"

  static func json(_ result: LintResult, tool: String) throws -> String {
    try ReportJSON.text(log(result, tool: tool))
  }

  private static func log(_ result: LintResult, tool: String) -> SARIFLog {
    let places = ReportPlaces(result.files)
    // List every rule that ran, so that a missing finding counts as fixed.
    let codes = Set(result.rules).union(result.findings.map { $0.diagnostic.id.code })
    let rules = RuleCatalogue.all.filter { codes.contains($0.id.code) }
    let indices = Dictionary(
      rules.enumerated().map { ($1.id.code, $0) }, uniquingKeysWith: { first, _ in first })
    let driver = SARIFLog.Driver(
      name: "trellis", semanticVersion: tool.isEmpty ? nil : tool, rules: rules.map { descriptor($0) })
    return SARIFLog(
      schema: schema,
      runs: [
        SARIFLog.Run(
          tool: .init(driver: driver),
          invocations: [.init(executionSuccessful: !result.isIncomplete)],
          columnKind: "unicodeCodePoints",
          results: result.findings.map { Self.result($0, indices[$0.diagnostic.id.code], places) })
      ])
  }

  private static func descriptor(_ rule: any RuleDescription.Type) -> SARIFLog.Rule {
    SARIFLog.Rule(
      id: rule.id.code, name: rule.id.name, shortDescription: .init(rule.summary),
      fullDescription: .init(rule.why), help: .init("\(rule.why) \(rule.remedy)"),
      defaultConfiguration: .init(level: level(rule.severity)))
  }

  private static func level(_ severity: Severity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .info: "note"
    }
  }

  private static func result(
    _ finding: Finding, _ index: Int?, _ places: ReportPlaces
  ) -> SARIFLog.Result {
    let diagnostic = finding.diagnostic
    let message = [diagnostic.message, diagnostic.help].compactMap { $0 }.joined(separator: ". ")
    return SARIFLog.Result(
      ruleId: diagnostic.id.code, ruleIndex: index, level: level(diagnostic.severity),
      message: .init(message), locations: [.init(location(diagnostic.range, places))],
      relatedLocations: diagnostic.related.enumerated().map { number, related in
        SARIFLog.Location(
          location(related.range, places), id: number + 1, message: .init(related.text))
      },
      partialFingerprints: ["trellis/v1": finding.fingerprint],
      fixes: diagnostic.fixIts.map { fix($0, places) }.nonEmpty,
      suppressions: suppression(finding.state).map { [$0] },
      baselineState: baselineState(finding.state))
  }

  private static func suppression(_ state: Finding.State) -> SARIFLog.Suppression? {
    switch state {
    case .open, .old: nil
    case .ignored(let reason):
      .init(kind: "inSource", status: "accepted", justification: reason.isEmpty ? nil : reason)
    case .tolerated: .init(kind: "external", status: "accepted", justification: nil)
    }
  }

  private static func baselineState(_ state: Finding.State) -> String? {
    state == .old ? "unchanged" : nil
  }

  private static func location(
    _ range: SourceRange, _ places: ReportPlaces
  ) -> SARIFLog.PhysicalLocation {
    SARIFLog.PhysicalLocation(
      artifactLocation: .init(uri: uri(places.path(range.file))), region: region(range, places))
  }

  private static func region(_ range: SourceRange, _ places: ReportPlaces) -> SARIFLog.Region {
    let start = places.scalarPosition(range.start, in: range.file)
    let end = places.scalarPosition(range.end, in: range.file)
    return SARIFLog.Region(
      startLine: start.line, startColumn: start.column, endLine: end.line, endColumn: end.column)
  }

  private static func fix(_ fix: FixIt, _ places: ReportPlaces) -> SARIFLog.Fix {
    let byFile = Dictionary(grouping: fix.edits) { $0.range.file }
    return SARIFLog.Fix(
      description: .init(fix.title),
      artifactChanges: byFile.sorted { $0.key < $1.key }.map { file, edits in
        SARIFLog.Change(
          artifactLocation: .init(uri: uri(places.path(file))),
          replacements: edits.map {
            .init(deletedRegion: region($0.range, places), insertedContent: .init(text: $0.replacement))
          })
      })
  }

  /// Returns a URI: relative for a relative path, with a scheme for an absolute path.
  private static func uri(_ path: String) -> String {
    var allowed = CharacterSet.urlPathAllowed
    allowed.remove(charactersIn: ":;")
    let encoded = path.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    return path.hasPrefix("/") ? "file://" + encoded : encoded
  }
}

extension Array {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
