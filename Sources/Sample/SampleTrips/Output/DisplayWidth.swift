extension Character {
  /// The character's width in terminal cells: 0, 1 or 2.
  var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isASCII { return unicodeScalars.contains("\u{FE0F}") ? 2 : 1 }
    if unicodeScalars.contains(where: { $0 == "\u{FE0F}" || $0.properties.isEmojiPresentation }) {
      return 2
    }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return Self.wide.contains { $0.contains(first.value) } ? 2 : 1
    }
  }

  /// The ranges of wide characters.
  private static let wide: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
    0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6,
    0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
  ]
}

extension StringProtocol {
  /// The text's width in terminal cells.
  var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }

  /// The text on a single line, with control characters replaced.
  var printable: String {
    var result = ""
    for character in self {
      guard let scalar = character.unicodeScalars.first,
        scalar.properties.generalCategory == .control
      else {
        result.append(character)
        continue
      }
      result.append(character.isNewline ? "↵" : character == "\t" ? " " : "�")
    }
    return result
  }

  /// The text, truncated with an ellipsis if it is too wide.
  func truncated(to width: Int) -> String {
    guard displayWidth > width else { return String(self) }
    var result = ""
    var room = width - 1
    for character in self {
      room -= character.displayWidth
      if room < 0 { break }
      result.append(character)
    }
    return width > 0 ? result + "…" : ""
  }
}
