import Foundation
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// Dates, Base64 and JSON as text.
struct ValueTextTests {
  /// Seconds since 2001 beside the text; nil if the date is written as a number.
  static let dates: [(Double, String?)] = [
    (0, "2001-01-01T00:00:00Z"),
    (0.1, "2001-01-01T00:00:00.1Z"),
    (-0.1, "2000-12-31T23:59:59.9Z"),
    (-0.25, "2000-12-31T23:59:59.75Z"),
    (-1, "2000-12-31T23:59:59Z"),
    (-86_400.5, "2000-12-30T23:59:59.5Z"),
    (800_000_000.123456, "2026-05-09T06:13:20.123456Z"),
    (-63_113_904_000, "0001-01-01T00:00:00Z"),
    (252_423_993_599, "9999-12-31T23:59:59Z"),
    (252_423_993_600, nil), (-63_113_904_001, nil), (-0.0, nil), (1e-7, nil), (.nan, nil), (.infinity, nil),
    // Leap days.
    (-26_524_800, "2000-02-29T00:00:00Z"), (98_323_200, "2004-02-13T00:00:00Z"),
    (3_092_601_600, "2099-01-01T00:00:00Z"),
  ]

  @Test(arguments: dates) func datesAreText(_ seconds: Double, _ expected: String?) {
    #expect(Self.text(seconds) == expected)
    if let expected { #expect(Self.seconds(expected)?.bitPattern == seconds.bitPattern) }
    // Foundation uses the Julian calendar before 1582.
    if seconds > -1.3e10, seconds < 2e11, let expected {
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
      let date = Date(timeIntervalSinceReferenceDate: seconds.rounded(.down))
      #expect(expected.hasPrefix(style.format(date).dropLast()))
    }
  }

  /// Text beside the seconds since 2001; nil if it is not a date.
  static let texts: [(String, Double?)] = [
    ("2001-01-01", 0), ("2001-01-02 00:00", 86_400), ("2001-01-01T00:00:01", 1), ("2001-01-01t00:00:01z", 1),
    ("2001-01-01T02:00:00+02:00", 0), ("2000-12-31T22:00:00-0200", 0), ("2001-01-01T01:00+01", 0),
    ("2000-12-31T23:59:59.000Z", -1), ("2001-01-01T00:00:00.50Z", 0.5),
    ("2001-02-29", nil), ("2001-13-01", nil), ("2001-00-01", nil), ("2001-01-32", nil), ("2001-1-1", nil),
    ("2001-01-01T24:00", nil), ("2001-01-01T00:60", nil), ("2001-01-01T00:00:60", nil), ("2001-01-01T", nil),
    ("2001-01-01T00:00:00.Z", nil), ("2001-01-01T00:00:00X", nil), ("2001-01-01T00:00:00Z ", nil), ("", nil),
    ("2001-01-01T00:00:00+1:00", nil), ("-001-01-01", nil), ("2001-01-01T00:00:00.1.2Z", nil),
  ]

  @Test(arguments: texts) func textsAreDates(_ text: String, _ expected: Double?) {
    #expect(Self.seconds(text) == expected)
  }

  @Test func randomDatesKeepTheirBits() {
    var random = SeededGenerator(seed: SeededGenerator.seed())
    for _ in 0..<Repetitions.scaled(5_000) {
      let exponent = Double.random(in: -3...11, using: &random)
      let seconds = pow(10, exponent) * (Bool.random(using: &random) ? 1 : -1)
      guard let text = Self.text(seconds) else { continue }
      #expect(Self.seconds(text)?.bitPattern == seconds.bitPattern, "\(text)")
    }
  }

  private static func text(_ seconds: Double) -> String? {
    var hasText = false
    let bytes = written { hasText = CalendarText.append(seconds, to: &$0) }
    return hasText ? bytes : nil
  }

  private static func seconds(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBytes { CalendarText.seconds($0) }
  }

  /// Returns the text that a closure appends.
  private static func written(_ body: (inout ByteSink) -> Void) -> String {
    var result: [UInt8] = []
    // A small block also tests the places where a block ends.
    var sink = ByteSink(capacity: 64) { result += $0 }
    body(&sink)
    sink.flush()
    return String(decoding: result, as: UTF8.self)
  }

  // MARK: SQL

  /// The `sqlite3` shell changes carriage returns, and SQL text ends at U+0000.
  @Test(arguments: [
    ("a\tb\nc", "'a\tb\nc'"), ("it's", "'it''s'"), ("a\r\nb", "CAST(x'610d0a62' AS TEXT)"),
    ("\0", "CAST(x'00' AS TEXT)"), ("\u{1A}", "CAST(x'1a' AS TEXT)"), ("\u{85}", "'\u{85}'"),
  ])
  func sqlText(_ text: String, _ literal: String) {
    #expect(Self.written { SQLLiteral.append(.text(text), to: &$0) } == literal)
  }

  // MARK: Base64

  @Test func base64IsFoundations() {
    var random = SeededGenerator(seed: SeededGenerator.seed())
    for count in 0..<100 {
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      let text = Self.written { sink in bytes.withUnsafeBytes { Base64Text.append($0, to: &sink) } }
      #expect(text == Data(bytes).base64EncodedString())
      #expect(Array(text.utf8).withUnsafeBytes { Base64Text.bytes($0) } == bytes)
    }
  }

  @Test(arguments: ["A", "AB", "ABC", "A===", "====", "AB=C", "AB C", "ABé", "AA==AA=="])
  func otherTextIsNotBase64(_ text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { Base64Text.bytes($0) } == nil)
  }

  // MARK: Numbers

  static let numbers: [(Double, String)] = [
    (0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (-42, "-42.0"), (0.1, "0.1"), (1e15, "1000000000000000.0"), (1e17, "1e+17"),
    (999_999_999_999_999, "999999999999999.0"),
    (.leastNonzeroMagnitude, "5e-324"), (.infinity, "Infinity"), (-.infinity, "-Infinity"), (.nan, "NaN"),
  ]

  @Test(arguments: numbers) func numbersAreShort(_ number: Double, _ expected: String) {
    #expect(Self.written { CellText.number(number, &$0) } == expected)
    #expect(!number.isFinite || Double(expected)?.bitPattern == number.bitPattern)
  }

  @Test(arguments: [
    0, 9, 10, 99, 100, UInt64.max, UInt64.max - 1, 10_000_000_000_000_000_000, 9_999_999_999_999_999_999,
  ])
  func integersHaveAllDigits(_ number: UInt64) {
    #expect(Self.written { $0.append(number) } == "\(number)")
    let signed = Int64(truncatingIfNeeded: number)
    #expect(Self.written { $0.append(signed) } == "\(signed)")
  }

  // MARK: JSON

  static let documents: [(String, Bool)] = [
    ("null", true), ("true", true), ("false", true), ("0", true), ("-1.5e+10", true), ("\"a\"", true), ("[]", true),
    ("{}", true), (" [ 1 , { \"a\" : [ null ] } ] ", true), ("\"\\u00e9\\n\\\"\"", true), ("[1,2,3]", true),
    ("", false), ("nul", false), ("01", false), ("1.", false), (".5", false), ("+1", false), ("NaN", false),
    ("[1,]", false), ("{\"a\"}", false), ("{\"a\":1,}", false), ("{a:1}", false), ("\"a", false), ("\"\\x\"", false),
    ("\"\\u12\"", false), ("\"\n\"", false), ("1 2", false), ("[1", false), ("{\"a\":", false), ("'a'", false),
  ]

  @Test(arguments: documents) func documentsAreChecked(_ text: String, _ isValid: Bool) {
    #expect(Array(text.utf8).withUnsafeBytes { JSONScanner.isValid($0) } == isValid)
  }

  @Test func nestingIsLimited() {
    func isValid(_ depth: Int) -> Bool {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return Array(text.utf8).withUnsafeBytes { JSONScanner.isValid($0) }
    }
    #expect(isValid(512))
    #expect(!isValid(513))
    #expect(!isValid(1_000_000))
  }

  /// Escaped text beside the text; nil if it is not Unicode.
  static let strings: [(String, String?)] = [
    ("a", "a"), ("\\\"\\\\\\/", "\"\\/"), ("\\b\\f\\n\\r\\t", "\u{8}\u{C}\n\r\t"), ("\\u0000", "\0"),
    ("\\u00E9é", "éé"),
    ("\\ud83d\\ude00", "😀"), ("\\ud83d", nil), ("\\ude00", nil), ("\\ud83dx", nil), ("\\ud83d\\u0041", nil),
  ]

  @Test(arguments: strings) func stringsAreDecoded(_ escaped: String, _ expected: String?) {
    #expect(Array(escaped.utf8).withUnsafeBytes { JSONScanner.text($0) } == expected)
  }

  @Test(arguments: FixtureTexts.all) func stringsComeBack(_ text: String) throws {
    let json = Self.written { sink in Array(text.utf8).withUnsafeBytes { CellText.json(text: $0, &sink) } }
    let decoded = try JSONDecoder().decode(String.self, from: Data(json.utf8))
    #expect(decoded.utf8.elementsEqual(text.utf8))
    let inner = Array(json.utf8.dropFirst().dropLast())
    #expect(inner.withUnsafeBytes { JSONScanner.text($0) }?.utf8.elementsEqual(text.utf8) == true)
  }
}

enum FixtureTexts {
  static let all = [
    "", "a", "Ångström", "e\u{301}", "👩‍👩‍👧‍👦", "two\r\nlines", "null\u{0}inside", "'; DROP TABLE \"x\"; --",
    String(repeating: "long \\\" ", count: 200), "\u{1F}\u{7F}", "base64:AA==",
  ]
}
