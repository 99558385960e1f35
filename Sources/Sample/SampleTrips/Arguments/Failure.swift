/// The reason why a command failed, with advice.
struct Failure: Error {
  /// The process's exit status.
  enum Status: Int32 {
    /// The command failed.
    case failed = 1
    /// The command line is invalid.
    case usage = 2
  }

  var message: String
  var hint: String?
  var status: Status = .failed

  static func usage(_ message: String, hint: String? = nil) -> Failure {
    Failure(message: message, hint: hint, status: .usage)
  }
}
