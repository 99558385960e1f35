/// Why a command could not do its work, and what to do about it.
struct Failure: Error {
  /// What the program ends with.
  enum Status: Int32 {
    /// The work could not be done.
    case failed = 1
    /// The command was not understood.
    case usage = 2
  }

  var message: String
  var hint: String?
  var status: Status = .failed

  static func usage(_ message: String, hint: String? = nil) -> Failure {
    Failure(message: message, hint: hint, status: .usage)
  }
}
