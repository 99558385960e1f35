import Foundation
import Trellis

/// Values for random rows and predicates, mostly edge cases.
enum DiffPool {
  static let texts = [
    "", "a", "A", "b", "ab", "é", "e\u{301}", "e", "\u{301}", "K", "\u{212A}", "k", "a\r\nb",
    "\r\n",
    "\n", "\r", "👨‍👩‍👧", "👨", "\u{200D}", "ﬁ", "fi", "a%b", "_", "x'\"\\", "a\u{0}b", "\u{0}", "ñandú",
    "n\u{303}", "한", "\u{1112}\u{1161}\u{11AB}", "\u{1E0A}\u{323}", "\u{1E0C}\u{307}", ";",
    "\u{37E}",
    "10", "9", "file 9", "File 10", "ｆｉｌｅ 9", "Zürich", "ZÜRICH", "\u{FFFF}", "\u{10FFFF}", "a\u{AD}b",
  ]
  static let plainTexts = [
    "", "a", "A", "b", "ab", "abc", "10", "9", "é", "Zürich", "a\r\nb", "\n", "x%",
  ]
  static let numbers: [Int] = [0, 3, 1, -1, 2, 7, .max, .min, 1 << 53 + 1]
  static let calmNumbers: [Int] = [0, 1, -1, 2, 7, 1000]
  static let small: [Int8] = [0, 1, -1, .max, .min]
  static let big: [UInt64] = [0, 1, .max, 1 << 63, 1 << 63 - 1, 1 << 63 + 1]
  static let reals: [Double] = [
    0, -0.0, 1, -1, 0.1, 0.30000000000000004, .infinity, -.infinity, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude, 9_007_199_254_740_992, .nan,
  ]
  static let floats: [Float] = [0, -0.0, 1, 0.1, .infinity, -.infinity, .nan, 16_777_216]
  static let dates = reals.map { Date(timeIntervalSinceReferenceDate: $0) }
  static let decimals: [Decimal] = [
    0, 1, -1, Decimal(string: "0.1")!, Decimal(string: "-0.10")!, Decimal(string: "100")!,
    Decimal(string: "99.99")!, Decimal(string: "-99.99")!, Decimal(string: "1e30")!,
    Decimal(string: "1e-30")!, .nan, Decimal(string: "9")!, Decimal(string: "10")!,
  ]
  static let uuids = (0..<4).map {
    UUID(uuid: (UInt8($0 * 70), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
  }
  static let urls = ["http://a.example", "http://a.example/x?y", "file:///tmp/a%20b"].map {
    URL(string: $0)!
  }
  static let blobs = [Data(), Data([0]), Data([0, 255]), Data("a".utf8)]
  static let letters: [Character] = ["a", "é", "e\u{301}", "K", "\u{212A}", "\r\n", "👨‍👩‍👧", " "]
}
