@_spi(_Unicode) import Swift

/// Character tables for sort keys.
extension TextKey {
  /// Sort positions of the ASCII characters that are neither letters nor digits, in the order of the root locale.
  /// Control characters have position 0.
  static let punctuation: [UInt8] = {
    var places = [UInt8](repeating: 0, count: 128)
    let order = "\t\n\u{B}\u{C}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
    for (place, scalar) in order.unicodeScalars.enumerated() {
      places[Int(scalar.value)] = UInt8(place + 1)
    }
    return places
  }()

  /// Letters with a stroke and ligatures, with their base letters. Unicode does not decompose them.
  static let stroked: [Unicode.Scalar: String] = [
    "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ł": "l", "Ł": "l", "æ": "ae", "Æ": "ae", "œ": "oe",
    "Œ": "oe",
  ]

  private static let halfWidth = Array(
    """
    ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン
    """.unicodeScalars)

  /// The ordinary form of a full-width or half-width character; for katakana, the hiragana.
  static func withoutWidth(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x3000: " "
    case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0)
    case 0xFF66...0xFF9D: hiragana(halfWidth[Int(scalar.value - 0xFF66)])
    case 0x30A1...0x30F6: hiragana(scalar)
    default: nil
    }
  }

  private static func hiragana(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    (0x30A1...0x30F6).contains(scalar.value) ? Unicode.Scalar(scalar.value - 0x60) : scalar
  }

  /// The case-folded scalars of a character: `ß` becomes `ss`, `ς` becomes `σ`.
  static func caseFolded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let properties = scalar.properties
    guard properties.changesWhenCaseMapped else { return [scalar] }
    return properties.uppercaseMapping.unicodeScalars.flatMap {
      Array($0.properties.lowercaseMapping.unicodeScalars)
    }
  }

  /// The case-folded text in normalization form C.
  static func caseFolded(_ text: String) -> String {
    var text = text
    let isASCII = text.withUTF8 { $0.allSatisfy { $0 < 0x80 } }
    if isASCII { return text.lowercased() }
    var folded = ""
    for scalar in text._nfd { folded.unicodeScalars.append(contentsOf: caseFolded(scalar)) }
    return TextRules.normalized(folded)
  }
}
