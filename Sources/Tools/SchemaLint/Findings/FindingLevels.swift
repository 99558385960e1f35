import SchemaDiagnostics

/// Finding severities, cached by kind and file.
struct FindingLevels {
  private struct Kind: Hashable {
    var code: String
    var reported: Severity
    var file: Int
  }

  private let settings: LintSettings
  private let paths: [String]
  private var known: [Kind: Severity?] = [:]

  /// - Parameter paths: The file paths. Source ranges refer to them by index.
  init(_ paths: [String], _ settings: LintSettings) {
    self.settings = settings
    self.paths = paths
  }

  /// Returns the diagnostic with the configured severity; `nil` if the rule is disabled.
  mutating func leveled(_ diagnostic: Diagnostic) -> Diagnostic? {
    let file = diagnostic.range.file
    let kind = Kind(code: diagnostic.id.code, reported: diagnostic.severity, file: file)
    let severity: Severity?
    if let before = known[kind] {
      severity = before
    } else {
      let path = paths.indices.contains(file) ? paths[file] : ""
      severity =
        RuleCatalogue.rule(kind.code).map {
          settings.severity(of: $0, reported: kind.reported, in: path)
        } ?? kind.reported
      known[kind] = .some(severity)
    }
    guard let severity else { return nil }
    return Diagnostic(
      diagnostic.id, severity, at: diagnostic.range, diagnostic.message, label: diagnostic.label,
      related: diagnostic.related, help: diagnostic.help, fixIts: diagnostic.fixIts)
  }
}
