extension Bool: StandardValue {
  public static var placeholder: Bool { false }
  static var scalar: ScalarKind { .boolean }

  init?(stored: Int64) {
    guard stored & ~1 == 0 else { return nil }
    self = stored == 1
  }

  var stored: Int64 { self ? 1 : 0 }
}

/// An integer type whose values SQLite's 64 signed bits hold as they are.
protocol PlainInteger: StandardValue, FixedWidthInteger {}

extension PlainInteger {
  public static var placeholder: Self { 0 }
  static var scalar: ScalarKind { .integer }
  init?(stored: Int64) { self.init(exactly: stored) }
  var stored: Int64 { Int64(truncatingIfNeeded: self) }
}

extension Int: PlainInteger {}
extension Int8: PlainInteger {}
extension Int16: PlainInteger {}
extension Int32: PlainInteger {}
extension Int64: PlainInteger {}
extension UInt8: PlainInteger {}
extension UInt16: PlainInteger {}
extension UInt32: PlainInteger {}

/// An unsigned integer type of 64 bits. Stored with the sign bit flipped, so that the stored numbers have the order
/// of the values.
protocol WideUnsignedInteger: StandardValue, FixedWidthInteger {}

extension WideUnsignedInteger {
  public static var placeholder: Self { 0 }
  static var scalar: ScalarKind { .unsigned }
  init?(stored: Int64) { self.init(exactly: UInt64(bitPattern: stored) ^ (1 << 63)) }
  var stored: Int64 { Int64(bitPattern: UInt64(self) ^ (1 << 63)) }
}

extension UInt64: WideUnsignedInteger {}
extension UInt: WideUnsignedInteger {}
