/// The text between a token and the previous token, excluding comments.
enum Gap: UInt8 {
  case nothing, space
  /// The original text on a single line.
  case raw
  /// The original text with shifted lines; see `Carried`.
  case carried
  /// The token is removed: a semicolon, or a comma before a bracket.
  case leftOut
  /// A line break with no blank line.
  case tight
  /// A line break; an existing blank line is kept.
  case line
  /// A line break with no blank line after an opening bracket.
  case lineBehindOpener
  /// A line break with no blank line before a closing bracket.
  case lineBeforeCloser
  /// A line break between braces that contain only comments.
  case lineBetweenBraces
  /// A blank line, placed before any comments.
  case section
  case endOfFile

  var breaksLine: Bool {
    switch self {
    case .nothing, .space, .raw, .carried, .leftOut: false
    default: true
    }
  }

  /// Returns true if a blank line is permitted before a line, which may be the first or last line in the gap.
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

/// The original indentation of copied text. Subsequent lines move with the first line.
struct Carried {
  /// The original left edge, as a column.
  var edge: Int
  /// The original width of an indentation level. The formatter changes it to four.
  var step: Int

  /// - Parameter line: The new column of the text's first line.
  func column(_ old: Int, line: Int) -> Int {
    let depth = max(0, old - edge)
    return line + (step == 4 ? depth : depth / step * 4)
  }
}
