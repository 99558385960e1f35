import Foundation
import SchemaDiagnostics
import SchemaDriver
import SchemaModel
import SchemaVersions

/// One side of a comparison, as given on the command line.
enum Revision: Equatable {
  /// The current files.
  case head
  /// The newest released version.
  case released
  case version(SchemaVersion)
  case git(String)
  /// A file or a folder.
  case path(String)

  /// Returns nil if the text is not a revision.
  init?(_ text: String, _ session: Session) {
    if text == "head" {
      self = .head
    } else if text.hasPrefix("git:") {
      self = .git(String(text.dropFirst(4)))
    } else if let version = SchemaVersion(text) {
      self = .version(version)
    } else if SchemaPaths.kind(of: session.path(text)) != nil {
      self = .path(text)
    } else {
      return nil
    }
  }

  /// Parses `1.0.0..head`. The left side defaults to the newest released version, the right side to the head.
  static func range(_ text: String, _ session: Session) -> (old: Revision, new: Revision)? {
    if SchemaPaths.kind(of: session.path(text)) != nil, text != ".." { return nil }
    var place = text.startIndex
    while let dots = text[place...].firstRange(of: "..") {
      let left = String(text[..<dots.lowerBound])
      let right = String(text[dots.upperBound...])
      let old = left.isEmpty ? .released : Revision(left, session)
      let new = right.isEmpty ? .head : Revision(right, session)
      if let old, let new { return (old, new) }
      place = text.index(after: dots.lowerBound)
    }
    return nil
  }
}
