import Foundation

/// Writes a command's output.
package enum StandardStream {
  /// Writes a text completely.
  ///
  /// - Returns: `errno` after a failure, or nil after success.
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

  /// Writes to both streams and returns the exit status, which is an error if the output could not be written.
  package static func finish(_ status: ExitStatus, output: String, progress: String = "") -> ExitStatus {
    guard let problem = write(output, to: STDOUT_FILENO) else {
      _ = write(progress, to: STDERR_FILENO)
      return status
    }
    // It is not an error if the reader has closed the pipe, as in `trellis lint | head`.
    let notice =
      problem == EPIPE ? "" : "error: standard output cannot be written: \(String(cString: strerror(problem)))\n"
    _ = write(progress + notice, to: STDERR_FILENO)
    return max(status, .usage)
  }
}
