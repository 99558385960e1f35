@_spi(_Unicode) import Swift

/// A byte string whose byte order is a string's order under a ``TextOrder``.
///
/// The key has three levels. A level decides only if all preceding levels are equal. The first level contains letters
/// stripped of accents, case and width, with digits by value; the second contains accents; the third contains case and
/// width. The text itself follows, so that only equal strings have equal keys. Foundation's comparisons are not used,
/// because they are not transitive for some strings (a < b < c < a): two sort algorithms could then produce different
/// orders.
struct TextKey {
  /// Three bytes for each character. Punctuation sorts first, then symbols, numbers and letters.
  private var letters: [UInt8] = []
  /// Three bytes with the value 1 for each letter, and three bytes for each accent on the letter.
  private var accents: [UInt8] = []
  /// One byte for each letter; 1 for the plain form.
  private var forms: [UInt8] = []
  private var digits: [UInt8] = []
  private var digitForm: UInt8 = 1
  private let order: TextOrder

  private static let symbol: UInt32 = 0x1000
  private static let digit: UInt32 = 0x20_0000
  private static let letter: UInt32 = 0x21_0000

  private init(_ order: TextOrder) { self.order = order }

  static func bytes(of text: String, _ order: TextOrder) -> [UInt8] {
    if order == .caseInsensitive { return Array(caseFolded(text).utf8) }
    var key = TextKey(order)
    var text = text
    let isASCII = text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
      for byte in bytes { key.add(ascii: byte, form: 1) }
      return true
    }
    if !isASCII { for scalar in text._nfd { key.add(scalar) } }
    return key.finished(text)
  }

  private mutating func finished(_ text: String) -> [UInt8] {
    endNumber()
    while accents.suffix(3).elementsEqual([0, 0, 1]) { accents.removeLast(3) }
    while forms.last == 1 { forms.removeLast() }
    // Terminate each level with zeros, which are less than all other bytes, so that a prefix sorts first.
    letters += [0, 0, 0]
    letters += accents
    letters += [0, 0, 0]
    letters += forms
    letters.append(0)
    letters += TextRules.normalized(text).utf8
    return letters
  }

  // MARK: characters

  private mutating func add(_ scalar: Unicode.Scalar) {
    if scalar.isASCII { return add(ascii: UInt8(scalar.value), form: 1) }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark:
      endNumber()
      Self.append(scalar.value + 2, to: &accents)
    case .control, .format: endNumber()  // ignored in the order
    case .decimalNumber: add(digit: UInt8(properties.numericValue ?? 0), form: 3)
    default:
      if let plain = Self.withoutWidth(scalar) {
        if plain.isASCII { return add(ascii: UInt8(plain.value), form: 3) }
        return add(Self.letter + plain.value, form: 3)
      }
      if let base = Self.stroked[scalar] {
        for byte in base.utf8 { add(Self.letter + UInt32(byte), form: 1) }
        return Self.append(scalar.value + 2, to: &accents)
      }
      let isLetter = properties.isAlphabetic
      for folded in Self.caseFolded(scalar) {
        let isUpper = folded != scalar
        add((isLetter ? Self.letter : Self.symbol) + folded.value, form: isUpper ? 2 : 1)
      }
    }
  }

  private mutating func add(ascii byte: UInt8, form: UInt8) {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): add(digit: byte - UInt8(ascii: "0"), form: form)
    case UInt8(ascii: "a")...UInt8(ascii: "z"): add(Self.letter + UInt32(byte), form: form)
    case UInt8(ascii: "A")...UInt8(ascii: "Z"):
      add(Self.letter + UInt32(byte | 0x20), form: form + 1)
    default:
      let place = Self.punctuation[Int(byte)]
      if place > 0 { add(UInt32(place), form: form) } else { endNumber() }
    }
  }

  private mutating func add(_ weight: UInt32, form: UInt8) {
    endNumber()
    Self.append(weight, to: &letters)
    Self.append(1, to: &accents)
    forms.append(form)
  }

  private mutating func add(digit: UInt8, form: UInt8) {
    guard order == .localizedStandard else {
      return add(Self.digit + 1 + UInt32(digit), form: form)
    }
    digits.append(digit)
    digitForm = max(digitForm, form)
  }

  /// Appends the number formed by the collected digits: the digit count, then the digits.
  private mutating func endNumber() {
    guard !digits.isEmpty else { return }
    let number = digits.drop { $0 == 0 }
    let zeros = digits.count - number.count
    let form = digitForm
    digits = []
    digitForm = 1
    Self.append(Self.digit, to: &letters)
    Self.append(UInt32(number.count) + 1, to: &letters)
    for digit in number { Self.append(UInt32(digit) + 1, to: &letters) }
    Self.append(1, to: &accents)
    forms += [UInt8(min(zeros, 200)) + 1, form]
  }

  private static func append(_ value: UInt32, to level: inout [UInt8]) {
    level.append(UInt8(truncatingIfNeeded: value >> 16))
    level.append(UInt8(truncatingIfNeeded: value >> 8))
    level.append(UInt8(truncatingIfNeeded: value))
  }
}

// MARK: Tables

@_spi(_Unicode) import Swift

/// Character tables for sort keys.
extension TextKey {
  /// Sort positions of the ASCII characters that are neither letters nor digits, in the root locale's order. Control
  /// characters have position 0.
  static let punctuation: [UInt8] = {
    var places = [UInt8](repeating: 0, count: 128)
    let order = "\t\n\u{B}\u{C}\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$"
    for (place, scalar) in order.unicodeScalars.enumerated() {
      places[Int(scalar.value)] = UInt8(place + 1)
    }
    return places
  }()

  /// Letters with a stroke and ligatures, mapped to the base letters. Unicode does not decompose them.
  static let stroked: [Unicode.Scalar: String] = [
    "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ł": "l", "Ł": "l", "æ": "ae", "Æ": "ae", "œ": "oe",
    "Œ": "oe",
  ]

  private static let halfWidth = Array(
    """
    ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン
    """.unicodeScalars)

  /// Returns a full-width or half-width character's ordinary form; for katakana, the corresponding hiragana.
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

  /// Returns a character's case-folded scalars: `ß` becomes `ss`, `ς` becomes `σ`.
  static func caseFolded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let properties = scalar.properties
    guard properties.changesWhenCaseMapped else { return [scalar] }
    return properties.uppercaseMapping.unicodeScalars.flatMap {
      Array($0.properties.lowercaseMapping.unicodeScalars)
    }
  }

  /// Returns the case-folded text in normalization form C.
  static func caseFolded(_ text: String) -> String {
    var text = text
    let isASCII = text.withUTF8 { $0.allSatisfy { $0 < 0x80 } }
    if isASCII { return text.lowercased() }
    var folded = ""
    for scalar in text._nfd { folded.unicodeScalars.append(contentsOf: caseFolded(scalar)) }
    return TextRules.normalized(folded)
  }
}
