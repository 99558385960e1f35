package import SchemaDiagnostics

/// A new declaration that may be a removed declaration's new name.
package struct RenameCandidate: Sendable {
  /// The new declaration's name, such as `Trip.title`.
  package var new: String
  /// The similarity, from 0 to 100.
  package var score: Int
  /// The score's components, for messages.
  package var reasons: String
  /// The attribute to add to the new declaration.
  package var declaration: String
  package var range: SourceRange
}
