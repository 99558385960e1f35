import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(Darwin)
  import Darwin
#endif

/// A terminal text style.
enum Style: String {
  case bold = "1"
  case dim = "2"
  case red = "31"
  case green = "32"
  case yellow = "33"
  case cyan = "36"

  func apply(to text: String) -> String { "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" }
}

/// Command output: results, and separately progress and errors.
struct Console {
  var out: (String) -> Void
  var error: (String) -> Void
  /// True to color results.
  var isColored = false
  /// True to color errors.
  var isErrorColored = false
  /// True to show progress.
  var showsProgress = false
  /// The terminal width in cells; nil if the output is not a terminal.
  var width: Int?

  /// The process's standard streams.
  static var standard: Console {
    let colors = ProcessInfo.processInfo.environment["NO_COLOR"] ?? ""
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let isErrorTerminal = isatty(STDERR_FILENO) == 1
    return Console(
      out: { FileHandle.standardOutput.write(Data($0.utf8)) },
      error: { FileHandle.standardError.write(Data($0.utf8)) },
      isColored: isTerminal && colors.isEmpty,
      isErrorColored: isErrorTerminal && colors.isEmpty,
      showsProgress: isErrorTerminal,
      width: isTerminal ? terminalWidth : nil)
  }

  func print(_ text: String = "") { out(text + "\n") }

  func print(_ table: Table) { out(table.render(width: width, isColored: isColored)) }

  func styled(_ text: String, _ style: Style) -> String {
    isColored ? style.apply(to: text) : text
  }

  func report(_ failure: Failure) {
    let word = isErrorColored ? Style.red.apply(to: "error:") : "error:"
    error("\(word) \(failure.message)\n")
    if let hint = failure.hint { error("       \(hint)\n") }
  }

  /// Replaces the progress line. Does nothing if progress is not shown.
  func progress(_ text: String?) {
    guard showsProgress else { return }
    error("\r\u{1B}[K" + (text ?? ""))
  }

  private static var terminalWidth: Int? {
    #if os(Windows)
      return nil
    #else
      var size = winsize()
      guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
      return Int(size.ws_col)
    #endif
  }
}
