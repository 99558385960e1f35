package import SchemaDiagnostics

/// A diagnostic, and whether anybody still has to look at it.
package struct Finding: Sendable, Hashable {
  package enum State: Sendable, Hashable {
    case open
    /// Suppressed in the file.
    case ignored(reason: String)
    /// In the baseline: known, and left for later.
    case tolerated
    /// There already at the revision that was named.
    case old
  }

  package var diagnostic: Diagnostic
  package var state: State
  /// The declaration it is about, as `Trip.name`; empty for the file.
  package var subject: String
  /// The same for the same finding in a file that was edited elsewhere, 16 hexadecimal digits.
  package var fingerprint: String

  package var isOpen: Bool { state == .open }
}

extension Sequence<Finding> {
  /// What somebody has to look at.
  package var open: [Diagnostic] { filter(\.isOpen).map(\.diagnostic) }
}
