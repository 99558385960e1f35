package import SchemaDiagnostics

/// Findings as JSON.
package struct LintReport: Encodable, Sendable {
  package struct Position: Encodable, Sendable {
    package var line: Int
    /// The column in bytes, counted from 1.
    package var column: Int
    /// The offset in bytes, counted from 0.
    package var offset: Int
  }

  package struct Place: Encodable, Sendable {
    package var file: String
    package var start: Position
    package var end: Position
  }

  package struct Related: Encodable, Sendable {
    package var message: String
    package var range: Place
  }

  package struct Fix: Encodable, Sendable {
    package struct Edit: Encodable, Sendable {
      package var range: Place
      package var replacement: String
    }

    package var title: String
    /// The fix kind: `auto`, which needs no review, `ask` or `add`.
    package var applicability: FixKind
    package var edits: [Edit]
  }

  package struct Suppressed: Encodable, Sendable {
    /// `inSource`, `baseline` or `since`.
    package var kind: String
    package var reason: String?
  }

  package struct Finding: Encodable, Sendable {
    package var id: String
    package var name: String
    package var severity: String
    package var message: String
    /// The declaration that the finding concerns.
    package var subject: String?
    package var range: Place
    package var related: [Related]
    package var help: String?
    package var why: String?
    package var remedy: String?
    package var fixes: [Fix]
    /// Suggested commands.
    package var commands: [String]
    package var fingerprint: String?
    package var suppressed: Suppressed?
  }

  package struct Summary: Encodable, Sendable {
    package var files: Int
    /// The number of rules that ran; `hops` is the number of checked migration stages.
    package var rules: Int
    package var hops: Int
    package var error: Int
    package var warning: Int
    package var info: Int
    package var suppressed: Int
    /// True if a schema did not compile, so that rules did not run.
    package var isIncomplete: Bool
  }

  /// Increase this on incompatible changes to the JSON form.
  package var schemaVersion = 2
  package var findings: [Finding]
  package var summary: Summary

  package init(_ result: LintResult) {
    let places = ReportPlaces(result.files)
    findings = result.findings.map { finding in
      Self.finding(
        finding.diagnostic, places, subject: finding.subject, fingerprint: finding.fingerprint,
        suppressed: Self.suppressed(finding.state))
    }
    let open = result.open
    summary = Summary(
      files: result.files.count, rules: result.rules.count, hops: result.hops,
      error: open.count { $0.severity == .error }, warning: open.count { $0.severity == .warning },
      info: open.count { $0.severity == .info }, suppressed: findings.count - open.count,
      isIncomplete: result.isIncomplete)
  }

  package func json() throws -> String { try ReportJSON.text(self) }

  /// Converts diagnostics that have no review state.
  package static func findings(_ diagnostics: [Diagnostic], files: [SourceFile]) -> [Finding] {
    let places = ReportPlaces(files)
    return diagnostics.map { finding($0, places, subject: nil, fingerprint: nil, suppressed: nil) }
  }

  private static func suppressed(_ state: SchemaLint.Finding.State) -> Suppressed? {
    switch state {
    case .open: nil
    case .ignored(let reason): Suppressed(kind: "inSource", reason: reason.isEmpty ? nil : reason)
    case .tolerated: Suppressed(kind: "baseline")
    case .old: Suppressed(kind: "since")
    }
  }

  private static func finding(
    _ diagnostic: Diagnostic, _ places: ReportPlaces, subject: String?, fingerprint: String?,
    suppressed: Suppressed?
  ) -> Finding {
    let rule = RuleCatalogue.rule(diagnostic.id.code)
    let file = places.path(diagnostic.range.file)
    let isSafe = rule?.fix == .auto && !diagnostic.fixIts.isEmpty
    return Finding(
      id: diagnostic.id.code, name: diagnostic.id.name, severity: diagnostic.severity.rawValue,
      message: diagnostic.message, subject: subject?.isEmpty ?? true ? nil : subject,
      range: place(diagnostic.range, places),
      related: diagnostic.related.map { Related(message: $0.text, range: place($0.range, places)) },
      help: diagnostic.help, why: rule?.why, remedy: rule?.remedy,
      fixes: diagnostic.fixIts.map { fix in
        Fix(
          title: fix.title, applicability: rule?.fix ?? .ask,
          edits: fix.edits.map { Fix.Edit(range: place($0.range, places), replacement: $0.replacement) })
      },
      commands: (isSafe ? ["trellis lint --fix \(file)"] : [])
        + (rule == nil ? [] : ["trellis explain \(diagnostic.id.code)"]),
      fingerprint: fingerprint, suppressed: suppressed)
  }

  private static func place(_ range: SourceRange, _ places: ReportPlaces) -> Place {
    func position(_ offset: Int) -> Position {
      let position = places.position(offset, in: range.file)
      return Position(line: position.line, column: position.column, offset: offset)
    }
    return Place(file: places.path(range.file), start: position(range.start), end: position(range.end))
  }
}
