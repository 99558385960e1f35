/// The binary form of `numeric`: groups of four decimal digits.
///
/// ```text
/// number of groups, weight of the first group, sign, digits after the point, groups; 16 bits each
/// ```
enum NumericCoding {
  private static let negative: UInt16 = 0x4000
  private static let notANumber: UInt16 = 0xC000

  /// Appends the binary form of a decimal number such as `-12.5`, or of `NaN`.
  static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    let isNegative = text.first == UInt8(ascii: "-")
    let parts = text.dropFirst(isNegative ? 1 : 0).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let (whole, fraction) = (parts[0], parts.count > 1 ? Array(parts[1]) : [])
    func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: UInt8(ascii: "0"), count: (4 - count % 4) % 4) }
    // The groups are aligned at the decimal point.
    let digits = zeros(whole.count) + whole + fraction + zeros(fraction.count)
    var groups = stride(from: 0, to: digits.count, by: 4).map { start in
      digits[start..<start + 4].reduce(UInt16(0)) { $0 &* 10 &+ UInt16($1 & 15) }
    }
    var weight = Int16(truncatingIfNeeded: (whole.count + 3) / 4) - 1
    while groups.first == 0 {
      groups.removeFirst()
      weight -= 1
    }
    while groups.last == 0 { groups.removeLast() }
    var sign = isNegative && !groups.isEmpty ? negative : 0
    if text.first == UInt8(ascii: "N") { (groups, sign) = ([], notANumber) }
    if groups.isEmpty { weight = 0 }
    let head = [UInt16(groups.count), UInt16(bitPattern: weight), sign, UInt16(truncatingIfNeeded: fraction.count)]
    for word in head + groups { bytes.appendBigEndian(word) }
  }

  /// Returns a number's text without insignificant zeros; `nil` if the bytes are not a number.
  static func text(of bytes: UnsafeRawBufferPointer) -> String? {
    let words = stride(from: 0, to: bytes.count - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    guard words.count >= 4, words.count == 4 + Int(words[0]) else { return nil }
    if words[2] == notANumber { return "NaN" }
    // The remaining signs denote infinity.
    guard words[2] == 0 || words[2] == negative else { return nil }
    let (groups, point) = (words[4...], Int(Int16(bitPattern: words[1])) + 1)
    func digits(_ range: Range<Int>) -> String {
      range.map { index in
        let group = groups.indices.contains(4 + index) ? groups[4 + index] : 0
        return String(Int(group) + 10_000).dropFirst()
      }.joined()
    }
    let whole = digits(0..<max(point, 0)).drop { $0 == "0" }
    var fraction = digits(point..<max(point, groups.count))
    while fraction.last == "0" { fraction.removeLast() }
    if !fraction.isEmpty { fraction = "." + fraction }
    return "\(words[2] == negative ? "-" : "")\(whole.isEmpty ? "0" : whole)\(fraction)"
  }
}
