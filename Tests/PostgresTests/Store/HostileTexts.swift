import Foundation
import TestSupport
import Trellis

@testable import TestWorlds

/// Names and values that would alter a statement if they were inserted without quoting.
enum HostileTexts {
  /// SQL fragments, quotes, parameters, comments, control characters, combining marks without a base, and SQL keywords.
  static let fragments = [
    "\"", "\"\"", "'", "''", "\\", "\\'", "\\\"", ";", "--", "/*", "*/", "$1", "$$", "$tag$", "?", "?1", "?2", ":a",
    "%s",
    "%", "_", "(", ")", ",", ".", " ", "\n", "\r", "\t", "\u{1}", "\u{1B}", "\u{7F}", "\u{80}", "\u{A0}", "\u{200D}",
    "\u{202E}", "\u{FEFF}", "\u{301}", "\u{308}\u{301}", "e\u{301}", "é", "\u{212A}", "ﬁ", "İ", "ß", "雪", "👩‍🚀",
    "\u{10FFFF}",
    "NULL", "select", "FROM", "table", "user", "\"; DROP TABLE x; --", "' OR 1=1 --", "'); DELETE FROM y; --",
    "E'\\x27'",
    "U&\"d\\0061\"", "{}", "{\"a\":1}", "[", "a\"b'c", "id", "entity", "t", "v", "c1", "value", "xmin", "ctid",
  ]

  static func text(_ random: inout SeededGenerator, parts: Int) -> String {
    (0...random.roll(parts)).map { _ in random.pick(fragments) }.joined()
  }

  /// A random name. Never empty and without line breaks, which Swift names cannot contain.
  static func name(_ random: inout SeededGenerator) -> String {
    let name =
      switch random.roll(6) {
      // Names that may differ only beyond the length that the server keeps.
      case 0: String(repeating: "long name ", count: 19) + text(&random, parts: 2)
      case 1: random.pick(fragments)
      default: text(&random, parts: 4)
      }
    return name.contains { $0 == "\n" || $0 == "\r" || $0 == "\r\n" } ? Self.name(&random) : name
  }

  /// Names that PostgreSQL considers different, because it compares bytes.
  static func names(_ count: Int, _ random: inout SeededGenerator) -> [String] {
    var names: [String] = []
    while names.count < count {
      let next = name(&random)
      if !names.contains(where: { $0.lowercased() == next.lowercased() }) { names.append(next) }
    }
    return names
  }

  static let numbers = [0, 1, -1, .max, .min, 1 << 53, -(1 << 53) - 1]
  static let bigs: [UInt64] = [0, 1, .max, .max - 1, 1 << 63, (1 << 63) - 1]
  static let doubles: [Double] = [
    0, -0.0, 1, -1, .infinity, -.infinity, .nan, .greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1, 1e-300,
  ]
  static let decimals: [Decimal] = [
    0, 1, -1, .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, .nan,
    Decimal(string: "0.00000000000000000000000000000000000001") ?? 0,
    Decimal(string: "-99999999999999999999999999999999999999") ?? 0, Decimal(string: "10000.0001") ?? 0,
  ]
  static let data: [Data] = [Data(), Data([0]), Data([0, 255, 39, 34, 92]), Data(repeating: 0x27, count: 3_000)]
}

extension Hostile {
  /// Sets random values for all properties except the unique one.
  func fill(_ random: inout SeededGenerator) {
    note = random.roll(3) == 0 ? nil : HostileTexts.text(&random, parts: 5)
    number = random.pick(HostileTexts.numbers)
    big = random.pick(HostileTexts.bigs)
    size = random.pick(HostileTexts.doubles)
    date = Date(timeIntervalSinceReferenceDate: random.pick(HostileTexts.doubles))
    price = random.pick(HostileTexts.decimals)
    data = random.pick(HostileTexts.data)
    kind = random.pick(HostileKind.allCases)
    var payload: [String: String] = [:]
    for _ in 0..<random.roll(4) {
      payload[HostileTexts.text(&random, parts: 2)] = HostileTexts.text(&random, parts: 2)
    }
    self.payload = payload
  }

  /// The bits of all values, as one string.
  var bits: String {
    let pairs: [String] = payload.map { (name: String, value: String) -> String in
      "\(HostileBits.text(name))=\(HostileBits.text(value))"
    }
    let names: [String] = friends.map { HostileBits.text($0.text) }
    // Appended one by one, because the compiler takes seconds for a single literal.
    var parts: [String] = [HostileBits.text(text)]
    parts.append(note.map(HostileBits.text) ?? "nil")
    parts.append("\(number)")
    parts.append("\(big)")
    parts.append("\(size.bitPattern)")
    parts.append("\(date.timeIntervalSinceReferenceDate.bitPattern)")
    parts.append("\(price)")
    parts.append(data.base64EncodedString())
    parts.append(HostileBits.text(kind.rawValue))
    parts.append(pairs.sorted().joined(separator: ","))
    parts.append(parent.map { HostileBits.text($0.text) } ?? "nil")
    parts.append(names.joined(separator: ","))
    return parts.joined(separator: " | ")
  }
}

enum HostileBits {
  /// The Unicode scalars of a string, because equal strings may have different scalars.
  static func text(_ text: String) -> String {
    "<" + text.unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ") + ">"
  }
}
