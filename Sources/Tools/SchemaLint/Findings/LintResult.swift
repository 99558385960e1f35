package import SchemaDiagnostics

/// The combined result for several folders, as input for reports. Source ranges use indices into `files`.
package struct LintResult: Sendable {
  package private(set) var files: [SourceFile] = []
  package private(set) var findings: [Finding] = []
  package private(set) var isIncomplete = false
  /// The codes of the rules that ran, in catalog order.
  package private(set) var rules: [String] = []
  package private(set) var hops = 0
  /// How often each fingerprint has occurred. Two folders can contain schemas with the same name.
  private var met: [String: Int] = [:]

  package init() {}

  /// Appends a result. The appended files follow the existing files.
  package mutating func append(_ other: LintResult) {
    append(
      LintOutcome(
        findings: other.findings, isIncomplete: other.isIncomplete, rules: other.rules, hops: other.hops),
      files: other.files)
  }

  package mutating func append(_ outcome: LintOutcome, files added: [SourceFile]) {
    let offset = files.count
    files += added
    findings += outcome.findings.map { finding in
      var finding = finding
      let count = met[finding.fingerprint, default: 0]
      met[finding.fingerprint] = count + 1
      if count > 0 { finding.fingerprint = FindingPlaces.hash("\(finding.fingerprint)|\(count)") }
      finding.diagnostic = finding.diagnostic.movingFiles(by: offset)
      return finding
    }
    isIncomplete = isIncomplete || outcome.isIncomplete
    let ran = Set(rules).union(outcome.rules)
    rules = RuleCatalogue.all.map { $0.id.code }.filter(ran.contains)
    hops += outcome.hops
  }

  /// The diagnostics of open findings.
  package var open: [Diagnostic] { findings.open }

  /// Sets the state of open findings.
  package mutating func update(_ state: (Finding) -> Finding.State?) {
    for index in findings.indices where findings[index].isOpen {
      if let new = state(findings[index]) { findings[index].state = new }
    }
  }
}

extension Diagnostic {
  fileprivate func movingFiles(by offset: Int) -> Diagnostic {
    var (range, related, fixIts) = (range, related, fixIts)
    range.file += offset
    for index in related.indices { related[index].range.file += offset }
    for fix in fixIts.indices {
      for edit in fixIts[fix].edits.indices { fixIts[fix].edits[edit].range.file += offset }
    }
    return Diagnostic(id, severity, at: range, message, label: label, related: related, help: help, fixIts: fixIts)
  }
}
