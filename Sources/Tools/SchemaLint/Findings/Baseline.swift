package import Foundation
import SchemaDiagnostics

/// Findings that are known and left for later.
///
/// They are known again by rule and declaration, so that a file can be edited around them.
package struct Baseline: Codable, Sendable, Equatable {
  package struct Entry: Codable, Sendable, Equatable {
    package var fingerprint: String
    package var rule: String
    package var subject: String
    package var file: String
    package var message: String
  }

  /// Raised when a reader of this form would have to change.
  private static let current = 1
  package var version = Self.current
  package var findings: [Entry]

  /// Of everything that is open or tolerated already.
  package init(_ result: LintResult) {
    findings = result.findings.compactMap { finding in
      guard finding.isOpen || finding.state == .tolerated, let rule = RuleCatalogue.rule(finding.diagnostic.id.code),
        !rule.isFixed
      else { return nil }
      let file = finding.diagnostic.range.file
      return Entry(
        fingerprint: finding.fingerprint, rule: finding.diagnostic.id.code, subject: finding.subject,
        file: result.files.indices.contains(file) ? result.files[file].path : "",
        message: finding.diagnostic.message)
    }
  }

  /// Nil when it is of another form than this tool writes.
  package init?(json data: Data) throws {
    let baseline = try JSONDecoder().decode(Baseline.self, from: data)
    guard baseline.version == Self.current else { return nil }
    self = baseline
  }

  /// The same bytes for the same findings.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// Marks what is in the baseline, and gives back the entries nothing was found for any more.
  package func apply(to result: inout LintResult) -> [Entry] {
    var left = Dictionary(findings.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
    result.update { finding in
      guard let rule = RuleCatalogue.rule(finding.diagnostic.id.code), !rule.isFixed,
        left.removeValue(forKey: finding.fingerprint) != nil
      else { return nil }
      return .tolerated
    }
    // What was not judged may still be there.
    guard !result.isIncomplete else { return [] }
    let ignored = Set(result.findings.map(\.fingerprint))
    return findings.filter { left[$0.fingerprint] != nil && !ignored.contains($0.fingerprint) }
  }
}
