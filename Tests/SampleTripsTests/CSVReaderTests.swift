import Testing

@testable import SampleTrips

struct CSVReaderTests {
  @Test(arguments: [
    ("a,b\nc,d\n", [["a", "b"], ["c", "d"]]),
    ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
    ("a,b\rc,d\r", [["a", "b"], ["c", "d"]]),
    ("\u{FEFF}a,b\n", [["a", "b"]]),
    ("\n\na,b\n\nc,d\n\n", [["a", "b"], ["c", "d"]]),
    ("a,b,\n,,\n", [["a", "b", ""], ["", "", ""]]),
    ("\"a,\"\"b\"\"\",c\n", [["a,\"b\"", "c"]]),
    ("\"two\nlines\",\"three\r\n\nlines\"\n", [["two\nlines", "three\r\n\nlines"]]),
    ("a;b,c;d\n1,5;2;3\n", [["a", "b,c", "d"], ["1,5", "2", "3"]]),
    ("a\tb\n1\t2\n", [["a", "b"], ["1", "2"]]),
    ("\"\",x", [["", "x"]]),
    ("京都,❄️ 雪\n", [["京都", "❄️ 雪"]]),
    ("", []),
    ("\u{FEFF}", []),
  ])
  func splitsTextIntoRows(text: String, rows: [[String]]) throws {
    var reader = CSVReader(Array(text.utf8))
    var found: [[String]] = []
    while let row = try reader.next() { found.append(row.fields) }
    #expect(found == rows)
  }

  @Test func countsLinesThroughQuotedBreaks() throws {
    var reader = CSVReader(Array("a\n\"1\n2\"\r\n\r\n3\n".utf8))
    var lines: [Int] = []
    while let row = try reader.next() { lines.append(row.line) }
    #expect(lines == [1, 2, 5])
  }

  @Test(arguments: [
    ("a,b\n\"open,2\n3,4\n", 2, "a quotation mark is opened here and never closed"),
    (
      "a\n\"b\"c\n", 2,
      "text follows a closing quotation mark; inside quotes a quotation mark is doubled"
    ),
  ])
  func reportsTheLineOfAProblem(text: String, line: Int, message: String) {
    #expect(throws: CSVReader.Problem(line: line, message: message)) {
      var reader = CSVReader(Array(text.utf8))
      while try reader.next() != nil {}
    }
  }

  @Test func rejectsInvalidUTF8() {
    let bytes = Array("a\nfine\n".utf8) + [0xE9, 0x0A]
    #expect(
      throws: CSVReader.Problem(line: 3, message: "this is not UTF-8 text; save the file as UTF-8")
    ) {
      var reader = CSVReader(bytes)
      while try reader.next() != nil {}
    }
  }
}
