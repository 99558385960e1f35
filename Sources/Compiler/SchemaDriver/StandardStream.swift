import Foundation

/// The output of a command.
package enum StandardStream {
  /// Writes all of a text.
  ///
  /// - Returns: `errno` of a failure; nil after success.
  package static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes -> Int32? in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  /// Writes to both outputs, and says what the process ends with: a result that did not get out is none.
  package static func finish(_ status: ExitStatus, output: String, progress: String = "") -> ExitStatus {
    guard let problem = write(output, to: STDOUT_FILENO) else {
      _ = write(progress, to: STDERR_FILENO)
      return status
    }
    // The reader has closed the pipe, as in `trellis lint | head`: not an error.
    let notice =
      problem == EPIPE ? "" : "error: standard output cannot be written: \(String(cString: strerror(problem)))\n"
    _ = write(progress + notice, to: STDERR_FILENO)
    return max(status, .usage)
  }
}
