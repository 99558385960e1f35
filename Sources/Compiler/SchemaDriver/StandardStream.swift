import Foundation

/// Where a command says what it has to say.
package enum StandardStream {
  /// Writes all of a text; what stands in the way otherwise, as the system numbers it.
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
    // Whoever read has seen enough: `trellis lint | head`.
    let notice =
      problem == EPIPE ? "" : "error: standard output cannot be written: \(String(cString: strerror(problem)))\n"
    _ = write(progress + notice, to: STDERR_FILENO)
    return max(status, .usage)
  }
}
