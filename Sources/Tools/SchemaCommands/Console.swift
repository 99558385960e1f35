import Foundation
import SchemaDriver

/// The process's terminal, for verbs that print early or wait for an answer.
package struct Console: Sendable {
  /// Writes to standard output at once. Returns false after the reader has closed it.
  let write: @Sendable (String) -> Bool
  /// Reads a line; nil if standard input is no terminal.
  let answer: (@Sendable () -> String?)?

  /// The standard streams of the process.
  package static var process: Console {
    let answer: @Sendable () -> String? = { readLine() }
    return Console(
      write: { StandardStream.write($0, to: STDOUT_FILENO) == nil },
      answer: isatty(STDIN_FILENO) == 1 ? answer : nil)
  }
}
