/// Estimates an upper bound for text widths that holds for different fonts, because browser fonts differ.
enum TextWidth {
  /// Returns the width in a proportional font.
  static func proportional(_ text: String, size: Double, isBold: Bool = false) -> Double {
    let sum = text.unicodeScalars.reduce(0.0) { $0 + width($1) }
    return sum * size * (isBold ? 1.09 : 1)
  }

  /// Returns the width in a monospaced font.
  static func monospaced(_ text: String, size: Double) -> Double {
    text.unicodeScalars.reduce(0.0) { $0 + (isWide($1) ? 1.05 : 0.61) } * size
  }

  /// Truncates text with an ellipsis.
  static func fit(_ text: String, _ limit: Int) -> String {
    text.count <= limit ? text : "\(text.prefix(max(limit - 1, 1)))…"
  }

  /// Returns the width in em.
  private static func width(_ scalar: Unicode.Scalar) -> Double {
    switch scalar {
    case "i", "j", "l", "I", "|", "'", ".", ",", ":", ";", "!": 0.31
    case "f", "t", "r", "(", ")", "[", "]", "/", "-", " ", "`", "\"": 0.40
    case "m", "M", "W", "@", "%", "…", "→": 0.98
    case "w", "O", "Q", "G", "D", "H", "N", "U", "C", "&", "<", ">", "=", "+", "~": 0.82
    case "A"..."Z": 0.73
    case "c", "k", "s", "v", "x", "y", "z", "J": 0.58
    case "a"..."z", "0"..."9", "_", "$", "?": 0.63
    default: isWide(scalar) ? 1.1 : 0.72
    }
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
