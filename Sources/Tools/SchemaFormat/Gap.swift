/// What is put between a token and the one before it, comments aside.
enum Gap: UInt8 {
  case nothing, space
  /// What was there, on one line.
  case raw
  /// What was there, its lines moved as a whole; see `Carried`.
  case carried
  /// The token is left out: a semicolon, a comma in front of a bracket.
  case leftOut
  /// A line break, and no blank line.
  case tight
  /// A line break, and a blank line where there was one.
  case line
  /// The same behind a bracket that opens a block: no blank line there.
  case lineBehindOpener
  /// And in front of the one that closes it.
  case lineBeforeCloser
  /// Comments between the two.
  case lineBetweenBraces
  /// A blank line, if only in front of the comments.
  case section
  case endOfFile

  var breaksLine: Bool {
    switch self {
    case .nothing, .space, .raw, .carried, .leftOut: false
    default: true
    }
  }

  /// Whether a blank line may stand in front of the first, or the last, of the lines that follow.
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

/// Lines of carried text: where they began. They begin anew with the line the text begins on.
struct Carried {
  /// The column that was the left edge of the text.
  var edge: Int
  /// How deep one level was indented; four from now on.
  var step: Int

  /// - Parameter line: the column of the line the text begins on.
  func column(_ old: Int, line: Int) -> Int {
    let depth = max(0, old - edge)
    return line + (step == 4 ? depth : depth / step * 4)
  }
}
