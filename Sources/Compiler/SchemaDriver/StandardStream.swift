import Foundation

/// Writes a command's output.
package enum StandardStream {
  /// Writes the whole string.
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

  /// Writes to standard output and standard error. Returns the given status, or an error status if writing to standard
  /// output failed.
  package static func finish(_ status: ExitStatus, output: String, progress: String = "") -> ExitStatus {
    guard let problem = write(output, to: STDOUT_FILENO) else {
      _ = write(progress, to: STDERR_FILENO)
      return status
    }
    // Print no error if the reader has closed the pipe, as in `trellis lint | head`.
    let notice =
      problem == EPIPE ? "" : "error: cannot write to standard output: \(String(cString: strerror(problem)))\n"
    _ = write(progress + notice, to: STDERR_FILENO)
    return max(status, .usage)
  }
}
