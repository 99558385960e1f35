package import SchemaDiagnostics

/// Something new that may be something gone under another name.
package struct RenameCandidate: Sendable {
  /// `Trip.title`
  package var new: String
  /// Of 100.
  package var score: Int
  /// What the score is made of, for people.
  package var reasons: String
  /// What to write at the new one.
  package var declaration: String
  package var range: SourceRange
}
