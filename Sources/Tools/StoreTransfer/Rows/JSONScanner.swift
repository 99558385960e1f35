/// Locates the values in a JSON text instead of decoding them, so that numbers and nested values keep the original
/// text.
package struct JSONScanner {
  /// A value's kind and its bytes in the text.
  package enum Value: Equatable {
    case null
    case boolean(Bool)
    case number(Range<Int>)
    /// The bytes between the quotation marks, with escapes.
    case string(Range<Int>)
    /// An object or an array.
    case compound(Range<Int>)
  }

  /// The maximum nesting depth, as for stored values.
  package static let maximumDepth = 512

  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns true for a single JSON value in valid UTF-8.
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard UnicodeText.isASCII(bytes) || UnicodeText.isValid(bytes) else { return false }
    var scanner = JSONScanner(bytes)
    return scanner.value() != nil && scanner.isAtEnd()
  }

  /// Calls `body` with each member. The whole text must be an object.
  ///
  /// - Parameter body: Receives the name's bytes, with escapes, and the value.
  /// - Returns: False if the text is not an object.
  package mutating func members(_ body: (Range<Int>, Value) throws -> Void) rethrows -> Bool {
    guard take(UInt8(ascii: "{")) else { return false }
    if take(UInt8(ascii: "}")) { return isAtEnd() }
    repeat {
      skipSpace()
      guard let name = string(), take(UInt8(ascii: ":")), let value = value() else { return false }
      try body(name, value)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) && isAtEnd()
  }

  private mutating func isAtEnd() -> Bool {
    skipSpace()
    return position == bytes.count
  }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  /// Skips white space and, if present, the character.
  private mutating func take(_ character: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == character else { return false }
    position += 1
    return true
  }

  package mutating func value(depth: Int = 0) -> Value? {
    skipSpace()
    guard position < bytes.count, depth < Self.maximumDepth else { return nil }
    let start = position
    switch bytes[position] {
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "{"):
      position += 1
      if take(UInt8(ascii: "}")) { return .compound(start..<position) }
      repeat {
        skipSpace()
        guard string() != nil, take(UInt8(ascii: ":")), value(depth: depth + 1) != nil else { return nil }
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "}")) ? .compound(start..<position) : nil
    case UInt8(ascii: "["):
      position += 1
      if take(UInt8(ascii: "]")) { return .compound(start..<position) }
      repeat {
        guard value(depth: depth + 1) != nil else { return nil }
      } while take(UInt8(ascii: ","))
      return take(UInt8(ascii: "]")) ? .compound(start..<position) : nil
    case UInt8(ascii: "t"): return word("true") ? .boolean(true) : nil
    case UInt8(ascii: "f"): return word("false") ? .boolean(false) : nil
    case UInt8(ascii: "n"): return word("null") ? .null : nil
    default: return number() ? .number(start..<position) : nil
    }
  }

  private mutating func word(_ text: StaticString) -> Bool {
    let size = text.utf8CodeUnitCount
    guard bytes.count - position >= size else { return false }
    for index in 0..<size where bytes[position + index] != text.utf8Start[index] { return false }
    position += size
    return true
  }

  private mutating func digits() -> Bool {
    let start = position
    while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
    return position > start
  }

  private mutating func skip(_ characters: UInt8...) -> Bool {
    guard position < bytes.count, characters.contains(bytes[position]) else { return false }
    position += 1
    return true
  }

  private mutating func number() -> Bool {
    _ = skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")), !digits() { return false }
    if skip(UInt8(ascii: ".")), !digits() { return false }
    if skip(UInt8(ascii: "e"), UInt8(ascii: "E")) {
      _ = skip(UInt8(ascii: "+"), UInt8(ascii: "-"))
      return digits()
    }
    return true
  }

  /// Returns the bytes between the quotation marks.
  private mutating func string() -> Range<Int>? {
    guard skip(UInt8(ascii: "\"")) else { return nil }
    let start = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        return start..<position - 1
      case UInt8(ascii: "\\"):
        position += 1
        if skip(UInt8(ascii: "u")) {
          guard Self.unit(bytes, position) != nil else { return nil }
          position += 4
        } else if !skip(0x22, 0x5C, 0x2F, 0x62, 0x66, 0x6E, 0x72, 0x74) {
          return nil
        }
      case ..<0x20: return nil
      default: position += 1
      }
    }
    return nil
  }

  // MARK: Text

  /// Returns the four hexadecimal digits at a position as a number.
  private static func unit(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt16? {
    guard position + 4 <= bytes.count else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// Returns a string with escapes resolved, or `nil` if it contains an unpaired surrogate.
  package static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
    guard bytes.contains(UInt8(ascii: "\\")) else { return String(decoding: bytes, as: UTF8.self) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "\\"), place + 1 < bytes.count else {
        result.append(bytes[place])
        place += 1
        continue
      }
      let escape = bytes[place + 1]
      place += 2
      switch escape {
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "u"):
        guard let first = unit(bytes, place) else { return nil }
        place += 4
        var code = UInt32(first)
        if (0xD800..<0xDC00).contains(first) {
          guard place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"), bytes[place + 1] == UInt8(ascii: "u"),
            let second = unit(bytes, place + 2), (0xDC00..<0xE000).contains(second)
          else { return nil }
          place += 6
          code = 0x10000 + (UInt32(first) - 0xD800) << 10 + UInt32(second) - 0xDC00
        }
        guard let scalar = UnicodeScalar(code) else { return nil }
        result += UTF8.encode(scalar).map(Array.init) ?? []
      default: result.append(escape)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
