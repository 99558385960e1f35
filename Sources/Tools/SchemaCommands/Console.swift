import Foundation
import SchemaDriver

/// The process's terminal, for verbs that print early or prompt.
package struct Console: Sendable {
  /// Writes to standard output immediately. Returns false if the reader has closed the pipe.
  let write: @Sendable (String) -> Bool
  /// Reads a line. `nil` if standard input is not a terminal.
  let answer: (@Sendable () -> String?)?

  /// The process's standard streams.
  package static var process: Console {
    let answer: @Sendable () -> String? = { readLine() }
    return Console(
      write: { StandardStream.write($0, to: STDOUT_FILENO) == nil },
      answer: isatty(STDIN_FILENO) == 1 ? answer : nil)
  }
}
