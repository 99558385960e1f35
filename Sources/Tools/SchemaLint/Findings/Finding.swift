package import SchemaDiagnostics

/// A diagnostic with its review state.
package struct Finding: Sendable, Hashable {
  package enum State: Sendable, Hashable {
    case open
    /// A comment in the file suppresses the finding.
    case ignored(reason: String)
    /// The baseline contains the finding.
    case tolerated
    /// The finding already existed at the revision given by `--since`.
    case old
  }

  package var diagnostic: Diagnostic
  package var state: State
  /// The declaration, for example `Trip.name`; empty for a finding about the file.
  package var subject: String
  /// An identifier with 16 hexadecimal digits that does not change with edits elsewhere in the file.
  package var fingerprint: String

  package var isOpen: Bool { state == .open }
}

extension Sequence<Finding> {
  /// The diagnostics of open findings.
  package var open: [Diagnostic] { filter(\.isOpen).map(\.diagnostic) }
}
