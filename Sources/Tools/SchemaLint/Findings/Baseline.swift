package import Foundation
import SchemaDiagnostics

/// A team's accepted findings.
///
/// Entries identify findings by rule and declaration, so that they survive edits elsewhere in the file.
package struct Baseline: Codable, Sendable, Equatable {
  package struct Entry: Codable, Sendable, Equatable {
    package var fingerprint: String
    package var rule: String
    package var subject: String
    package var file: String
    package var message: String
  }

  /// Increase this on incompatible file format changes.
  private static let current = 1
  package var version = Self.current
  package var findings: [Entry]

  /// Creates a baseline with all open and tolerated findings.
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

  /// Reads a baseline; returns `nil` for a different file format version.
  package init?(json data: Data) throws {
    let baseline = try JSONDecoder().decode(Baseline.self, from: data)
    guard baseline.version == Self.current else { return nil }
    self = baseline
  }

  /// Returns the JSON form. Equal findings give equal bytes.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// Marks the baseline's findings as tolerated. Returns the entries that match no finding.
  package func apply(to result: inout LintResult) -> [Entry] {
    var left = Dictionary(findings.map { ($0.fingerprint, $0) }, uniquingKeysWith: { first, _ in first })
    result.update { finding in
      guard let rule = RuleCatalogue.rule(finding.diagnostic.id.code), !rule.isFixed,
        left.removeValue(forKey: finding.fingerprint) != nil
      else { return nil }
      return .tolerated
    }
    // After an incomplete run, a missing finding may still exist.
    guard !result.isIncomplete else { return [] }
    let ignored = Set(result.findings.map(\.fingerprint))
    return findings.filter { left[$0.fingerprint] != nil && !ignored.contains($0.fingerprint) }
  }
}
