package import Foundation

/// A type with known sample values: range bounds and common edge cases.
package protocol Sampled {
  static var samples: [Self] { get }
  /// Returns a different value for each number.
  static func distinct(_ number: Int) -> Self
}

extension Bool: Sampled {
  package static var samples: [Bool] { [false, true] }
  package static func distinct(_ number: Int) -> Bool { number % 2 == 1 }
}

extension FixedWidthInteger {
  fileprivate static var ends: [Self] { [0, .min, .max, 1, 42] }
}

extension Int: Sampled {
  package static var samples: [Int] { ends + [-1] }
  package static func distinct(_ number: Int) -> Int { number }
}
extension Int8: Sampled {
  package static var samples: [Int8] { ends + [-1] }
  package static func distinct(_ number: Int) -> Int8 { Int8(truncatingIfNeeded: number) }
}
extension Int16: Sampled {
  package static var samples: [Int16] { ends + [-1] }
  package static func distinct(_ number: Int) -> Int16 { Int16(truncatingIfNeeded: number) }
}
extension Int32: Sampled {
  package static var samples: [Int32] { ends + [-1] }
  package static func distinct(_ number: Int) -> Int32 { Int32(truncatingIfNeeded: number) }
}
extension Int64: Sampled {
  package static var samples: [Int64] { ends + [-1] }
  package static func distinct(_ number: Int) -> Int64 { Int64(number) }
}
extension UInt: Sampled {
  package static var samples: [UInt] { ends }
  package static func distinct(_ number: Int) -> UInt { UInt(bitPattern: number) }
}
extension UInt8: Sampled {
  package static var samples: [UInt8] { ends }
  package static func distinct(_ number: Int) -> UInt8 { UInt8(truncatingIfNeeded: number) }
}
extension UInt16: Sampled {
  package static var samples: [UInt16] { ends }
  package static func distinct(_ number: Int) -> UInt16 { UInt16(truncatingIfNeeded: number) }
}
extension UInt32: Sampled {
  package static var samples: [UInt32] { ends }
  package static func distinct(_ number: Int) -> UInt32 { UInt32(truncatingIfNeeded: number) }
}
extension UInt64: Sampled {
  package static var samples: [UInt64] { ends }
  package static func distinct(_ number: Int) -> UInt64 { UInt64(bitPattern: Int64(number)) }
}

extension Double: Sampled {
  package static var samples: [Double] {
    [
      0, 1.5, -0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e-7, 123_456_789.125, -0.0, .infinity,
      .nan,
    ]
  }
  package static func distinct(_ number: Int) -> Double { Double(number) + 0.5 }
}
extension Float: Sampled {
  package static var samples: [Float] {
    [0, 1.5, -0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude, -0.0, .infinity, .nan]
  }
  package static func distinct(_ number: Int) -> Float { Float(number) + 0.5 }
}
extension Decimal: Sampled {
  package static var samples: [Decimal] {
    ["0", "0.1", "-1", "99999999999999999999999999999999999999", "0.00000000000000000001", "12.30"]
      .compactMap { Decimal(string: $0) }
  }
  package static func distinct(_ number: Int) -> Decimal { Decimal(number) / 100 }
}

extension String: Sampled {
  package static var samples: [String] {
    [
      "", "a", "Ångström", "e\u{301}", "👩‍👩‍👧‍👦", "two\r\nlines", "null\u{0}inside", "'; DROP TABLE \"x\"; --",
      String(repeating: "long ", count: 200), "100 %",
    ]
  }
  package static func distinct(_ number: Int) -> String { "value \(number)" }
}
extension Character: Sampled {
  package static var samples: [Character] { ["a", "e\u{301}", "👩‍👩‍👧‍👦", "\r\n"] }
  package static func distinct(_ number: Int) -> Character {
    Unicode.Scalar(UInt32(0x4E00 + number % 20_000)).map(Character.init) ?? "a"
  }
}

extension Date: Sampled {
  package static var samples: [Date] {
    [
      Date(timeIntervalSinceReferenceDate: 0), .distantPast, .distantFuture,
      Date(timeIntervalSinceReferenceDate: 0.1), Date(timeIntervalSinceReferenceDate: 800_000_000.123_456),
    ]
  }
  package static func distinct(_ number: Int) -> Date { Date(timeIntervalSinceReferenceDate: Double(number)) }
}
extension Duration: Sampled {
  package static var samples: [Duration] { [.zero, .seconds(-1), .nanoseconds(1), .seconds(9_000_000_000)] }
  package static func distinct(_ number: Int) -> Duration { .milliseconds(number) }
}
extension UUID: Sampled {
  package static var samples: [UUID] { (0..<4).map { distinct($0 * 1_000_003) } }
  package static func distinct(_ number: Int) -> UUID {
    let bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    return UUID(
      uuid: (
        0, 0, 0, 0, 0, 0, 0x40, 0, bytes[7], bytes[6], bytes[5], bytes[4], bytes[3], bytes[2], bytes[1],
        bytes[0]
      ))
  }
}
extension URL: Sampled {
  package static var samples: [URL] {
    ["https://example.org/a?b=c#d", "file:///tmp/a%20b", "relative/path"].compactMap { URL(string: $0) }
  }
  package static func distinct(_ number: Int) -> URL {
    URL(fileURLWithPath: "/fixture/\(number)")
  }
}
extension Data: Sampled {
  package static var samples: [Data] {
    [
      Data(), Data([0]), Data([0xFF, 0x00, 0x80]), Data(repeating: 7, count: 5_000), Data(repeating: 9, count: 300_000),
    ]
  }
  package static func distinct(_ number: Int) -> Data { Data(String(number).utf8) }
}

extension Optional: Sampled where Wrapped: Sampled {
  package static var samples: [Wrapped?] { [nil] + Wrapped.samples.map { .some($0) } }
  package static func distinct(_ number: Int) -> Wrapped? { Wrapped.distinct(number) }
}
extension Array: Sampled where Element: Sampled {
  package static var samples: [[Element]] { [[], Array(Element.samples.prefix(1)), Element.samples] }
  package static func distinct(_ number: Int) -> [Element] { [Element.distinct(number)] }
}
extension Set: Sampled where Element: Sampled {
  package static var samples: [Set<Element>] { [[], Set(Element.samples)] }
  package static func distinct(_ number: Int) -> Set<Element> { [Element.distinct(number)] }
}
extension Dictionary: Sampled where Key: Sampled, Value: Sampled {
  package static var samples: [[Key: Value]] {
    [
      [:],
      Dictionary(zip(Key.samples, Value.samples + Value.samples), uniquingKeysWith: { first, _ in first }),
    ]
  }
  package static func distinct(_ number: Int) -> [Key: Value] {
    Value.samples.first.map { [Key.distinct(number): $0] } ?? [:]
  }
}
