/// The binary form of `numeric`: groups of four decimal digits.
///
/// ```text
/// number of groups, weight of the first group, sign, digits after the point, groups; 16 bits each
/// ```
enum NumericCoding {
  private static let negative: UInt16 = 0x4000
  private static let notANumber: UInt16 = 0xC000
  private static let positiveInfinity: UInt16 = 0xD000
  private static let negativeInfinity: UInt16 = 0xF000

  /// Appends the binary form of a decimal number such as `-12.5`, or of `NaN`.
  static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    if text.first == UInt8(ascii: "N") {
      append([0, 0, notANumber, 0], to: &bytes)
      return
    }
    let isNegative = text.first == UInt8(ascii: "-")
    let digits = text.dropFirst(isNegative ? 1 : 0)
    let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
    let whole = digits[..<point]
    let fraction = point < digits.endIndex ? digits[(point + 1)...] : digits[digits.endIndex...]
    var groups: [UInt16] = []
    // The groups begin at the decimal point.
    let lead = (4 - whole.count % 4) % 4
    var group: UInt16 = 0
    var count = lead
    func value(_ digit: UInt8) -> UInt16 { UInt16(digit &- UInt8(ascii: "0")) }
    for digit in whole {
      group = group * 10 + value(digit)
      count += 1
      if count == 4 {
        groups.append(group)
        (group, count) = (0, 0)
      }
    }
    for digit in fraction {
      group = group * 10 + value(digit)
      count += 1
      if count == 4 {
        groups.append(group)
        (group, count) = (0, 0)
      }
    }
    if count > 0, !fraction.isEmpty {
      for _ in count..<4 { group *= 10 }
      groups.append(group)
    }
    var weight = Int16((whole.count + lead) / 4) - 1
    while groups.first == 0 {
      groups.removeFirst()
      weight -= 1
    }
    while groups.last == 0 { groups.removeLast() }
    if groups.isEmpty { weight = 0 }
    append(
      [
        UInt16(groups.count), UInt16(bitPattern: weight), isNegative && !groups.isEmpty ? negative : 0,
        UInt16(fraction.count),
      ] + groups, to: &bytes)
  }

  private static func append(_ words: [UInt16], to bytes: inout [UInt8]) {
    for word in words {
      bytes.append(UInt8(word >> 8))
      bytes.append(UInt8(truncatingIfNeeded: word))
    }
  }

  /// Appends the text of a number without zeros that mean nothing; false for bytes that are no number.
  static func appendText(of bytes: UnsafeRawBufferPointer, to text: inout [UInt8]) -> Bool {
    func word(_ index: Int) -> UInt16 { UInt16(bytes[index * 2]) << 8 | UInt16(bytes[index * 2 + 1]) }
    guard bytes.count >= 8, bytes.count == 8 + Int(word(0)) * 2 else { return false }
    let count = Int(word(0))
    let weight = Int(Int16(bitPattern: word(1)))
    switch word(2) {
    case 0: break
    case negative: text.append(UInt8(ascii: "-"))
    case notANumber:
      text += "NaN".utf8
      return true
    case positiveInfinity, negativeInfinity: return false
    default: return false
    }
    func group(_ index: Int) -> Int { index >= 0 && index < count ? Int(word(4 + index)) : 0 }
    if weight < 0 {
      text.append(UInt8(ascii: "0"))
    } else {
      for index in 0...weight { append(group(index), isFirst: index == 0, to: &text) }
    }
    guard count > weight + 1 else { return true }
    text.append(UInt8(ascii: "."))
    // Groups of zeros before the first one that is stored.
    for index in min(weight + 1, 0)..<count where index >= weight + 1 {
      append(group(index), isFirst: false, to: &text)
    }
    while text.last == UInt8(ascii: "0") { text.removeLast() }
    if text.last == UInt8(ascii: ".") { text.removeLast() }
    return true
  }

  private static func append(_ group: Int, isFirst: Bool, to text: inout [UInt8]) {
    let digits = [group / 1000, group / 100 % 10, group / 10 % 10, group % 10]
    let start = isFirst ? digits.firstIndex { $0 != 0 } ?? 3 : 0
    for digit in digits[start...] { text.append(UInt8(ascii: "0") + UInt8(digit)) }
  }
}
