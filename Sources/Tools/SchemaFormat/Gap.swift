/// The text between a token and the previous one, without comments.
enum Gap: UInt8 {
  case nothing, space
  /// The original text, on one line.
  case raw
  /// The original text with shifted lines; see `Carried`.
  case carried
  /// The token is removed: a semicolon, or a comma before a bracket.
  case leftOut
  /// A line break without a blank line.
  case tight
  /// A line break; an existing blank line is kept.
  case line
  /// A line break without a blank line after an opening bracket.
  case lineBehindOpener
  /// A line break without a blank line before a closing bracket.
  case lineBeforeCloser
  /// A line break between braces that contain only comments.
  case lineBetweenBraces
  /// A blank line, before the comments if there are any.
  case section
  case endOfFile

  var breaksLine: Bool {
    switch self {
    case .nothing, .space, .raw, .carried, .leftOut: false
    default: true
    }
  }

  /// True if a blank line is permitted before the first or the last of the following lines.
  func allowsBlankLine(isFirst: Bool, isLast: Bool) -> Bool {
    switch self {
    case .line, .section: true
    case .lineBehindOpener: !isFirst
    case .lineBeforeCloser: !isLast
    case .lineBetweenBraces: !isFirst && !isLast
    case .endOfFile: true
    default: false
    }
  }
}

/// The original indentation of copied text. Its lines move with its first line.
struct Carried {
  /// The original column of the left edge.
  var edge: Int
  /// The original width of an indentation level. The formatter changes it to four.
  var step: Int

  /// - Parameter line: The new column of the first line of the text.
  func column(_ old: Int, line: Int) -> Int {
    let depth = max(0, old - edge)
    return line + (step == 4 ? depth : depth / step * 4)
  }
}
