import Foundation
import TestSupport
import Testing
import Trellis

/// Compares the reader of JSON files with Foundation's reader: both must return equal values, or the reader must throw
/// an error with a location.
@Suite struct JSONFileFuzzTests {
  private let fixture: JSONFileFixture

  init() throws { fixture = try JSONFileFixture(Grain.self) }

  private func grains(_ container: ModelContainer) throws -> [Grain] {
    try ModelContext(container).fetch(FetchDescriptor<Grain>())
      .sorted { $0.persistentModelID < $1.persistentModelID }
  }

  /// Opens a file with both readers.
  ///
  /// - Returns: True if it could be opened.
  @discardableResult
  private func compare(_ bytes: [UInt8], mustOpen: Bool = false, _ comment: Comment) throws -> Bool {
    try fixture.write(bytes: bytes)
    let expected = Result { try Self.rows(of: bytes) }
    do {
      let container = try fixture.container(allowsSave: false)
      let found = try grains(container)
      let rows = try expected.get().sorted { $0.identifier < $1.identifier }
      #expect(found.map(\.bitText) == rows.map(\.bitText), comment)
      return true
    } catch let error as SwiftDataError {
      let text = "\(error)"
      #expect(error.storeProblem != nil && text.contains(fixture.file.path), "\(comment): \(error)")
      if error.storeProblem == .damaged {
        #expect(
          ["byte", "models", "'", "format", "version", "identifier"].contains { text.contains($0) },
          "\(comment): \(error)")
      }
      #expect(!mustOpen, "\(comment): \(error)")
      return false
    } catch {
      Issue.record(error, "\(comment): the store has opened it")
      return true
    }
  }

  /// Foundation rejects `0e3`, which is a valid JSON number.
  private static func rows(of bytes: [UInt8]) throws -> [JSONOracle.Row] {
    do {
      return try JSONOracle.rows(of: bytes)
    } catch {
      let zeros = /([:,\[\s]-?0(?:\.0+)?)[eE][+-]?[0-9]+/
      guard let text = String(validating: bytes, as: UTF8.self), text.contains(zeros) else { throw error }
      return try JSONOracle.rows(of: text.replacing(zeros) { String($0.1) }.utf8)
    }
  }

  private static let numbers = [
    "0", "-0", "-0.0", "0.0", "1", "-1", "1.0", "1e0", "0e3", "-0E-1", "0.00e+7", "1E+2", "1.5e-3", "127", "128",
    "-128", "-129", "255", "256",
    "2147483647", "2147483648", "-2147483649", "9007199254740992", "9007199254740993", "9007199254740993.0",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "18446744073709551615", "18446744073709551616", "1e18", "1e19", "123e-2", "1200e-2", "1e400", "-1e400",
    "1e-400", "1e308", "1.7976931348623157e308", "1.7976931348623159e308", "5e-324", "4.9e-324",
    "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308", "3.4028234663852886e38",
    "340282346638528859811704183484516925440", "3.4028236e38", "3.5e38", "1e-45", "1e-46", "0.1", "0.30000000000000004",
    "12345678901234567890123456789012345678", "0.00000000000000000000000000000000000001", "1e127", "1e128", "1e-128",
    "99999999999999999999999999999999999999999999999999", "0.1000000000000000055511151231257827021181583404541015625",
    "01", "-01", "+1", ".5", "1.", "1.e1", "1e", "1e+", "--1", "-", "0x10", "1_0", "١", "Infinity", "-Infinity", "NaN",
    "nan", "inf", "\"nan\"", "\"inf\"", "\"-inf\"", "\"Infinity\"", "true", "false", "tru", "null", "nul", "\"1\"",
    "[]",
    "[1]", "{}", "\"\"", " 1", "1 ", "\t1\r\n", "\u{A0}1", "1\u{B}",
  ]

  @Test(arguments: [
    "flag", "int", "int8", "int32", "int64", "uint8", "uint64", "float", "double", "decimal", "date", "text", "name",
  ])
  func numbersAreReadAlike(_ property: String) throws {
    var opened = 0
    for number in Repetitions.sample(Self.numbers, every: 16, "numbers for \(property)", shift: property.count) {
      let text = JSONFileFixture.document("\"Grain\":[{\"$id\":1,\"\(property)\":\(number)}]")
      let isValid = (try? JSONOracle.rows(of: text.utf8)) != nil
      // Required properties must not be null.
      let mustOpen = isValid && !(property == "name" && number == "null")
      if property == "name", number == "null" { continue }
      if try compare(Array(text.utf8), mustOpen: mustOpen, "\(property): \(number)") { opened += 1 }
    }
    #expect(opened > 2 || !Repetitions.isThorough)
  }

  private static let pieces: [[UInt8]] =
    [
      "a", "é", "e\u{301}", "\u{1F4DA}", "\u{7F}", "\u{2028}", "\u{FEFF}", "\\n", "\\r\\n", "\\t", "\\b", "\\f", "\\/",
      "/", "\\\\",
      "\\\"", "\\u0000", "\\u001f", "\\u00e9", "\\u00E9", "\\uD83D\\uDCDA", "\\ud83d", "\\udcda", "\\uDCDA\\uD83D",
      "\\ud83dx",
      "\\ud83d\\n", "\\ud83d\\u0041", "\\ud83d\\ud83d\\udcda", "\\u12", "\\u12g4", "\\x41", "\\U0041", "\\", "\\'", "'",
      "\\ufeff", "\\uffff", "\\u2028", "{", "}", "[", "]", ",", ":", "//", "/*", "\r\n", "\n", "\t", "\u{0}", "\u{1}",
      "\u{1F}",
    ].map { Array($0.utf8) } + [
      [0x80], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xED, 0xA0, 0xBD, 0xED, 0xB3, 0x9A],
      [0xF4, 0x90, 0x80, 0x80], [0xFF], [0xFE, 0xFF], [0xF0, 0x9F, 0x93],
    ]

  private func text(_ pieces: [[UInt8]], as property: String) -> [UInt8] {
    let parts = JSONFileFixture.document("\"Grain\":[{\"$id\":1,\"\(property)\":\"#\"}]").split(separator: "#")
    return Array(parts[0].utf8) + pieces.joined() + Array(parts[1].utf8)
  }

  @Test func textsAreReadAlike() throws {
    var dice = SeededGenerator(seed: SeededGenerator.seed())
    for piece in Repetitions.sample(Self.pieces, every: 8, "pieces of texts") {
      for property in ["text", "character", "url", "data", "uid"] {
        try compare(text([piece], as: property), "\(property) \(piece)")
      }
    }
    var opened = 0
    for round in 0..<Repetitions.scaled(15, upTo: 300) {
      let pieces = (0...dice.roll(4)).map { _ in dice.pick(Self.pieces) }
      let bytes = text(pieces, as: "text")
      let isValid = (try? JSONOracle.rows(of: bytes)) != nil
      if try compare(bytes, mustOpen: isValid, "round \(round): \(pieces)") { opened += 1 }
    }
    #expect(opened > 5 || !Repetitions.isThorough)
  }

  @Test(arguments: ["reals", "counts", "box", "text", "int", "other"])
  func nestingIsReadAlike(_ property: String) throws {
    let few = [1, 512, 513] + (["reals", "other"].contains(property) ? [200_000] : [])
    for depth in Repetitions.isThorough ? [1, 2, 100, 500, 511, 512, 513, 2_000, 200_000] : few {
      for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[", ""), ("", "]"), ("[{\"a\":", "}]")] {
        let value = String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        let text = JSONFileFixture.document("\"Grain\":[{\"$id\":1,\"\(property)\":\(value)}]")
        // Foundation is slow to report errors in large texts.
        if depth > 2_000 {
          try fixture.write(bytes: Array(text.utf8))
          #expect(try fixture.refusal()?.storeProblem != nil)
        } else {
          try compare(Array(text.utf8), "\(property) \(depth) \(open)")
        }
      }
    }
  }

  /// Valid files of random values, with spaces and escapes where they may be.
  private func randomFile(_ dice: inout SeededGenerator) -> [UInt8] {
    func space() -> String { dice.pick(["", "", "", " ", "\n", "\r\n", "\t "]) }
    func number() -> String { dice.pick(["0", "-0.0", "1.5", "1e3", "5e-324", "-7", "9007199254740993"]) }
    func string() -> String {
      "\""
        + (0..<dice.roll(4)).map { _ in
          dice.pick([
            "a", "é", "\\u00e9", "\\ud83d\\udcda", "\\n", "\\\\", "\\\"", "}", "]", ",", ":", "{", "\u{1F4DA}",
          ])
        }.joined() + "\""
    }
    func inner() -> String { "{\(space())\"x\":\(dice.roll(9))\(dice.roll(2) == 0 ? ",\"y\":\(number())" : "")}" }
    func name(_ name: String) -> String {
      guard dice.roll(6) == 0, let first = name.unicodeScalars.first else { return "\"\(name)\"" }
      let digits = String(first.value, radix: 16)
      return "\"\\u" + String(repeating: "0", count: 4 - digits.count) + digits + name.dropFirst() + "\""
    }
    var rows: [String] = []
    for identifier in 1...(1 + dice.roll(3)) {
      var members = ["\(name("$id"))\(space()):\(identifier)", "\(name("name")):\(string())"]
      func add(_ property: String, _ value: String) {
        members.append("\(space())\(name(property))\(space()):\(space())\(value)\(space())")
      }
      if dice.roll(2) == 0 { add("int", "\(dice.roll(2) == 0 ? Int.min : .max)") }
      if dice.roll(2) == 0 { add("double", number()) }
      if dice.roll(2) == 0 { add("date", number()) }
      if dice.roll(2) == 0 { add("text", dice.roll(4) == 0 ? "null" : string()) }
      if dice.roll(2) == 0 { add("decimal", "1.25") }
      if dice.roll(2) == 0 { add("reals", "[\(space())\(number()),\(space())\(number())\(space())]") }
      if dice.roll(2) == 0 { add("counts", "{\(space())\"a\":1,\"\\u0062\":2}") }
      if dice.roll(2) == 0 {
        add("box", "{\"name\":\(string()),\"inner\":\(inner()),\"list\":[\(inner())],\"table\":{\"k\":\(inner())}}")
      }
      rows.append("{\(members.shuffled(using: &dice).joined(separator: ","))}")
    }
    let space = space()
    return Array(JSONFileFixture.document("\(space)\"Grain\"\(space):[\(rows.joined(separator: ",\(space)"))]").utf8)
  }

  @Test func randomFilesAreReadAlike() throws {
    var dice = SeededGenerator(seed: SeededGenerator.seed())
    for round in 0..<Repetitions.scaled(25, upTo: 500) {
      let bytes = randomFile(&dice)
      try compare(bytes, mustOpen: true, "round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// Files that are truncated at every byte, with one changed byte, and with several changed bytes.
  @Test func damagedFilesAreReadAlikeOrNotAtAll() throws {
    var dice = SeededGenerator(seed: SeededGenerator.seed())
    var file = randomFile(&dice)
    while !(350...500).contains(file.count) { file = randomFile(&dice) }
    for length in Repetitions.sample(Array(0..<file.count), every: 10, "lengths of a damaged file") {
      #expect(try !compare(Array(file[..<length]), "cut to \(length)"), "cut to \(length)")
    }
    for place in Repetitions.sample(Array(file.indices), every: 10, "bytes of a damaged file") {
      var damaged = file
      damaged[place] ^= 1 << UInt8(dice.roll(8))
      try compare(damaged, "byte \(place): \(String(decoding: damaged, as: UTF8.self))")
    }
    let bytes = Array("\"\\{}[]:,0-.eE+tfnu \r\n\0".utf8) + [0x80, 0xC3, 0xFF]
    for round in 0..<Repetitions.scaled(30, upTo: 600) {
      var damaged = file
      for _ in 0...dice.roll(3) {
        let place = dice.roll(damaged.count)
        switch dice.roll(3) {
        case 0: damaged[place] = dice.pick(bytes)
        case 1: damaged.insert(dice.pick(bytes), at: place)
        default: damaged.remove(at: place)
        }
      }
      try compare(damaged, "round \(round): \(String(decoding: damaged, as: UTF8.self))")
    }
  }

  private static let plain = JSONFileFixture.document(
    "\"Grain\": [\n{\"$id\":1,\"text\":\"x\"},\n{\"$id\":2,\"int\":1}\n]\n")

  @Test(arguments: [
    ("\u{FEFF}" + plain, true), (plain + "\n \t\r\n", true), (plain.replacing("\n", with: "\r\n"), true),
    (plain + "x", false), (plain + "{}", false), (plain + "\0", false), (plain + plain, false), ("\0" + plain, false),
    ("\u{FEFF}\u{FEFF}" + plain, false), (plain + "\u{FEFF}", false), ("", false), (" ", false), ("null", false),
    (plain.replacing(",\n{", with: ",\n,{"), false), (plain.replacing("\n]", with: ",\n]"), false),
    (plain.replacing("\"int\"", with: "int"), false), (plain.replacing("\"", with: "'"), false),
    (plain.replacing("{\"$id\":2", with: "/* two */{\"$id\":2"), false),
    (plain.replacing("\"int\":1", with: "\"int\":1,\"int\":1"), false),
    (plain.replacing("\"int\":1", with: "\"int\":1,\"\\u0069nt\":1"), false),
    (plain.replacing("\"int\":1", with: "\"counts\":{\"a\":1,\"a\":1}"), false),
    (plain.replacing("\"int\":1", with: "\"counts\":{\"\u{E9}\":1,\"e\u{301}\":2}"), false),
    (plain.replacing("\"int\":1", with: "\"box\":{\"name\":\"\",\"inner\":{\"x\":1,\"x\":2}}"), false),
    (plain.replacing("\"$id\":2", with: "\"$id\":2,\"$id\":3"), false),
    (plain.replacing("\"version\":1", with: "\"version\":1,\"version\":1"), false),
  ])
  func whatStandsAroundIsNotOverlooked(_ text: String, _ opens: Bool) throws {
    #expect(try compare(Array(text.utf8), mustOpen: opens, "\(text)") == opens, "\(text)")
  }

  @Test func filesInOtherEncodingsAreRefused() throws {
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32, .isoLatin1] {
      let data = try #require(Self.plain.replacing("x", with: "é").data(using: encoding))
      try fixture.write(bytes: [UInt8](data))
      #expect(try fixture.refusal()?.storeProblem == .damaged, "\(encoding)")
    }
  }

  /// Debug builds use a shorter text.
  @Test func aVeryLongTextIsRead() throws {
    #if DEBUG
      let length = Repetitions.scaled(1_000_000, upTo: 5_000_000)
    #else
      let length = 100_000_000
    #endif
    let long = String(repeating: "abcdefghi\u{1F4DA}", count: length / 13)
    let context = ModelContext(try fixture.container())
    let grain = Grain()
    grain.text = long
    context.insert(grain)
    try context.save()
    let again = try grains(try fixture.container(allowsSave: false))
    #expect(again.first?.text == long)
    // Truncate the file.
    let file = try #require(fixture.bytes)
    try file.prefix(file.count / 2).write(to: fixture.file)
    #expect(throws: SwiftDataError.self) { try fixture.container(allowsSave: false) }
  }

  // MARK: Written values

  @Test func everyValueComesBackToTheBit() throws {
    var grains: [Grain] = []
    func add(_ change: (Grain) -> Void) {
      let grain = Grain()
      change(grain)
      grains.append(grain)
    }
    for value in [true, false] { add { $0.flag = value } }
    for value in [Int.min, -1, 0, .max] {
      add {
        $0.int = value; $0.int64 = Int64(value)
      }
    }
    for value in [Int8.min, .max] { add { $0.int8 = value } }
    for value in [Int32.min, .max] { add { $0.int32 = value } }
    for value in [UInt8.min, .max] { add { $0.uint8 = value } }
    for value in [UInt64.min, 1 << 53 + 1, 1 << 63, .max] { add { $0.uint64 = value } }
    for value in [
      Float.leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude,
      .nan,
      .infinity, -.infinity, -0.0, 0.1, 16_777_216, Float(1).nextUp,
    ] { add { $0.float = value } }
    let doubles = [
      Double.leastNonzeroMagnitude, .leastNormalMagnitude, .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude,
      .nan,
      .infinity, -.infinity, -0.0, 0.1, 0.1 + 0.2, 9_007_199_254_740_994, 1e15, 1e16, 1e17, 123_456_789.125, 1.0.nextUp,
    ]
    for value in doubles {
      add {
        $0.double = value; $0.reals = [value, -value]
      }
      add { $0.date = Date(timeIntervalSinceReferenceDate: value) }
      add { $0.box = Grain.Box(name: "\u{0}", inner: Grain.Inner(x: .min, y: value)) }
    }
    for value in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: 0.1)] { add { $0.date = value } }
    for text in [
      "0", "-1", "12345678901234567890123456789012345678", "-99999999999999999999999999999999999999",
      "0.00000000000000000000000000000000000001", "1e127", "1e-127", "12345678901234567890.123456789012345678", "NaN",
    ] { add { $0.decimal = text == "NaN" ? .nan : Decimal(string: text) } }
    add { $0.decimal = .greatestFiniteMagnitude }
    add { $0.decimal = .leastNonzeroMagnitude }
    add { $0.decimal = -.greatestFiniteMagnitude }
    for text in [
      "", "\u{0}", "a\u{0}b", "\u{1}\u{1F}\u{7F}\u{80}\u{2028}\u{2029}", "\r\n", "\n\r", "\"\\/", "\u{FEFF}x",
      "e\u{301}", "\u{E9}",
      "\u{FFFF}\u{10FFFF}", "\u{212A}", "</script>", "\\u0041", String(repeating: "\u{301}", count: 500),
    ] {
      add {
        $0.text = text; $0.name = text; $0.counts = [text: .min]
      }
      add { $0.box = Grain.Box(name: text, list: [Grain.Inner(x: 1)], table: [text: Grain.Inner(x: .max)]) }
    }
    for value in [
      "a", "\u{0}", "\r\n", "\"", "e\u{301}", "👨‍👩‍👧‍👦", "🏳️‍🌈", Character("a" + String(repeating: "\u{301}", count: 200)),
      "\u{10FFFF}",
    ] as [Character] { add { $0.character = value } }
    for value in [Data(), Data([0]), Data(0...255), Data(repeating: 255, count: 200_001)] { add { $0.data = value } }
    for value in [
      URL(string: "https://example.org/a b/ü?q=1 2#f"), URL(fileURLWithPath: "/tmp/a b/é\n"), URL(string: "a:"),
      URL(string: "mailto:x@y.z"), URL(string: "/relative/path%20x"), URL(string: "?"),
    ] { add { $0.url = value } }
    for value in [UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))] { add { $0.uid = value } }
    add {
      $0.reals = []; $0.counts = [:]; $0.data = Data()
    }
    add { $0.counts = ["": 0, "$id": 1, "\"": 2, "a.b": 3] }

    var expected: [String] = []
    try {
      let context = ModelContext(try fixture.container())
      for grain in grains { context.insert(grain) }
      try context.save()
      expected = grains.sorted { $0.persistentModelID < $1.persistentModelID }.map(\.bitText)
    }()
    for round in 0..<2 {
      let container = try fixture.container()
      let found = try self.grains(container)
      #expect(found.count == expected.count)
      for (found, expected) in zip(found, expected) { #expect(found.bitText == expected, "round \(round)") }
      // Write each row once more.
      let context = ModelContext(container)
      for grain in try context.fetch(FetchDescriptor<Grain>()) { grain.int32 = Int32(round + 7) }
      try context.save()
      expected = try self.grains(container).map(\.bitText)
    }
    // Foundation must read equal values, except the `Decimal` value NaN, which it cannot decode.
    let bytes = try #require(fixture.bytes).filter { _ in true }
    let text = String(decoding: bytes, as: UTF8.self).replacing("\"decimal\":\"NaN\"", with: "\"decimal\":null")
    let rows = try JSONOracle.rows(of: text.utf8)
    for (row, expected) in zip(rows, expected) where !expected.contains("NaN") {
      #expect(row.bitText == expected)
    }
  }
}
