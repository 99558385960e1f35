import Foundation

/// Progress, kept apart from the table on standard output.
enum Console {
  static func note(_ text: String, end: String = "\n") {
    FileHandle.standardError.write(Data((text + end).utf8))
  }
}
