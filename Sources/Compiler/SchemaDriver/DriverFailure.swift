package import SchemaDiagnostics

/// Why a command could not do its work, in lines as compilers print them.
package struct DriverFailure: Error, Sendable {
  package var messages: [String]
  package var status: ExitStatus
  /// The files with contents that are no text of a schema, each with where that shows.
  package var unreadable: [Unreadable] = []

  package struct Unreadable: Sendable {
    package var file: SourceFile
    package var range: SourceRange
    package var message: String
  }

  package init(_ messages: [String], _ status: ExitStatus) {
    self.messages = messages
    self.status = status
  }
}

/// What the commands end with.
package enum ExitStatus: Int32, Sendable, Comparable {
  /// Nothing to report.
  case clean = 0
  /// Findings.
  case findings = 1
  /// Wrong usage, a missing file.
  case usage = 2
  /// A schema does not parse or resolve, so nothing else was done.
  case unparsable = 3
  /// The tool itself is at fault.
  case internalError = 70

  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
