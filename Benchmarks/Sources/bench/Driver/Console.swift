import Foundation

/// Writes progress to standard error. Standard output contains the results.
enum Console {
  static func note(_ text: String, end: String = "\n") {
    FileHandle.standardError.write(Data((text + end).utf8))
  }
}
