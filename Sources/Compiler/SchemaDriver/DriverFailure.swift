package import SchemaDiagnostics

/// The reason why a command failed, as messages in compiler format.
package struct DriverFailure: Error, Sendable {
  package var messages: [String]
  package var status: ExitStatus
  /// Files whose contents are not schema text, with the location of the error.
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

/// A command's exit status.
package enum ExitStatus: Int32, Sendable, Comparable {
  /// Success.
  case clean = 0
  /// There are findings.
  case findings = 1
  /// Wrong usage or a missing file.
  case usage = 2
  /// A schema does not parse or resolve, so nothing else was done.
  case unparsable = 3
  /// Internal error.
  case internalError = 70

  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}
