import StoreTransfer
import Testing

/// Input beside the records: fields between `|`, a line number in front, and problems after `!`.
struct CSVParserTests {
  static let cases: [(input: String, expected: [String])] = [
    ("", []),
    ("a", ["1 a"]),
    ("a,b\n", ["1 a|b"]),
    ("a,b\r\nc,d\r\n", ["1 a|b", "2 c|d"]),
    ("a\rb\rc", ["1 a", "2 b", "3 c"]),
    ("a\r\n\r\nb", ["1 a", "3 b"]),
    ("\n\n\na", ["4 a"]),
    ("\r\r\na", ["3 a"]),
    ("a,,b", ["1 a||b"]),
    (",", ["1 |"]),
    ("a,", ["1 a|"]),
    // A quoted empty field is an empty text, not nil.
    ("\"\"", ["1 \"\""]),
    ("a,\"\",", ["1 a|\"\"|"]),
    ("\"a,b\"", ["1 \"a,b\""]),
    ("\"a\"\"b\"", ["1 \"a\"b\""]),
    ("\"\"\"\"", ["1 \"\"\""]),
    ("\"a\nb\",c\nd", ["1 \"a\nb\"|c", "3 d"]),
    ("\"a\r\nb\"\r\nc", ["1 \"a\r\nb\"", "3 c"]),
    ("\"a\rb\"\rc", ["1 \"a\rb\"", "3 c"]),
    ("\"\n\"\nb", ["1 \"\n\"", "3 b"]),
    // Quotation marks inside a plain field are text.
    ("5\" disk,b\"\"c", ["1 5\" disk|b\"\"c"]),
    (" \"a\"", ["1  \"a\""]),
    // A byte order mark is not part of the first name.
    ("\u{FEFF}a,b", ["1 a|b"]),
    ("\u{FEFF}\"a\",b", ["1 \"a\"|b"]),
    ("\u{FEFF}", []),
    ("a\u{FEFF}", ["1 a\u{FEFF}"]),
    ("é,👩‍👩‍👧", ["1 é|👩‍👩‍👧"]),
    ("\"a\"b,c\nd", ["1 \"a\"|c!text follows the quotation mark that ends a field", "2 d"]),
    ("\"a\" ,c", ["1 \"a\"|c!text follows the quotation mark that ends a field"]),
    ("a\n\"b,c\nd", ["1 a", "2 \"b,c\nd\"!the quoted field that begins in this record never ends"]),
    ("\"", ["1 \"\"!the quoted field that begins in this record never ends"]),
    ("12345678901,b\nc", ["1 1|b!a field is longer than 10 bytes", "2 c"]),
    ("\"1234567890\",\"12345678901\"", ["1 \"1234567890\"|\"\"!a field is longer than 10 bytes"]),
    ("1,2,3,4\n1,2,3,4,5\n6", ["1 1|2|3|4", "2 1|2|3|4!there are more than 4 fields", "3 6"]),
  ]

  @Test(arguments: cases) func records(_ input: String, _ expected: [String]) {
    let bytes = Array(input.utf8)
    // Parts of every size give the same records.
    for size in 1...max(1, bytes.count) {
      let found = Self.records(bytes, partSize: size)
      // A field that is too long loses the part that exceeds the limit.
      let isTooLong = expected.contains { $0.contains("longer") }
      #expect(isTooLong && size < bytes.count ? found.count == expected.count : found == expected, "parts of \(size)")
    }
  }

  @Test func recordsAreReadAgainFromTheirOffset() {
    let bytes = Array("\u{FEFF}a,b\r\n\n\"x\ny\",2\n\r\r\n3,\u{FEFF}4\n\u{FEFF}5".utf8)
    for size in [1, 2, 7, 100] {
      var found: [(Int64, [String])] = []
      var parser = CSVParser()
      for start in stride(from: 0, to: bytes.count, by: size) {
        parser.read(Array(bytes[start..<min(start + size, bytes.count)])) { found.append(($0.offset, $0.texts)) }
      }
      parser.finish { found.append(($0.offset, $0.texts)) }
      #expect(found.map(\.1) == [["a", "b"], ["x\ny", "2"], ["3", "\u{FEFF}4"], ["\u{FEFF}5"]])
      for (offset, texts) in found {
        var again: [[String]] = []
        var parser = CSVParser(at: offset)
        parser.read(Array(bytes[Int(offset)...])) { again.append($0.texts) }
        parser.finish { again.append($0.texts) }
        #expect(again.first == texts, "parts of \(size)")
      }
    }
  }

  @Test func memoryIsLimitedInAnEndlessField() {
    var limits = CSVParser.Limits()
    limits.field = 1_000
    var parser = CSVParser(limits: limits)
    let part = [UInt8](repeating: UInt8(ascii: "x"), count: 999)
    var problems: [String?] = []
    var longest = 0
    func take(_ record: CSVRecord) {
      problems.append(record.problem)
      longest = max(longest, record.withBytes(\.count))
    }
    parser.read([UInt8(ascii: "\"")])
    for _ in 0..<1_000 { parser.read(part, take) }
    parser.finish(take)
    #expect(problems == ["a field is longer than 1000 bytes"])
    #expect(longest <= 1_000)
  }

  private static func records(_ bytes: [UInt8], partSize: Int) -> [String] {
    var limits = CSVParser.Limits()
    // Only the inputs about limits reach them.
    (limits.field, limits.fields) = (bytes.contains(UInt8(ascii: "9")) ? 10 : 1_000, 4)
    var parser = CSVParser(limits: limits)
    var found: [String] = []
    func take(_ record: CSVRecord) {
      let fields = zip(record.fields, record.texts).map { $0.isQuoted ? "\"\($1)\"" : $1 }
      found.append("\(record.line) \(fields.joined(separator: "|"))" + (record.problem.map { "!\($0)" } ?? ""))
    }
    for start in stride(from: 0, to: bytes.count, by: partSize) {
      parser.read(Array(bytes[start..<min(start + partSize, bytes.count)]), take)
    }
    parser.finish(take)
    return found
  }
}

extension CSVParser {
  fileprivate mutating func read(_ bytes: [UInt8], _ body: (CSVRecord) -> Void = { _ in }) {
    bytes.withUnsafeBytes { read($0, body) }
  }
}
