import Foundation
import Testing

/// The rules for SQL in `TrellisPostgres`: a single function quotes names, values are sent as parameters, and all
/// statements are sent in one place.
@Suite struct PostgresNameTests {
  private static let folder = "Sources/Runtime/TrellisPostgres"
  private static let quoting = "\(folder)/SQL/PostgresName.swift"

  /// The file that also writes quotation marks around the elements of an array value.
  private static let elements = "\(folder)/Connection/PostgresStatement.swift"

  private struct Line {
    let place: String
    let text: String
    /// True within a multi-line string literal.
    let isLiteral: Bool
  }

  /// Returns the module's lines of code, without comments.
  private static func code(except paths: String...) throws -> [Line] {
    let files = try SourceTree.files(below: folder)
    #expect(files.count > 30)
    return files.filter { !paths.contains($0.path) }.flatMap { file in
      var isLiteral = false
      return file.lines.enumerated().compactMap { index, line -> Line? in
        let text = line.drop { $0 == " " }
        let delimiters = text.components(separatedBy: "\"\"\"").count - 1
        defer { if delimiters == 1 { isLiteral.toggle() } }
        if !isLiteral, text.hasPrefix("//") { return nil }
        return Line(place: "\(file.path):\(index + 1)", text: String(text), isLiteral: isLiteral && delimiters == 0)
      }
    }
  }

  /// True if the line puts an interpolated string between double quotes, in a single-line or multi-line literal.
  private static func quotes(_ line: Line) -> Bool {
    if line.text.contains(/\\"\\\([^"]*\)\\"/) { return true }
    // Fragments that are interpolated into other fragments have labels.
    return line.isLiteral && line.text.contains(/"\\\((?!name: |column: )[^"]*\)"/)
  }

  /// Only `PostgresName.quoted(_:)` puts computed strings between quotes.
  @Test func oneFunctionQuotesNames() throws {
    let quoting = try SourceTree.files(below: Self.folder).first { $0.path == Self.quoting }
    #expect(quoting?.lines.contains { $0.contains("SQLFragment.quoted(shortened(") } == true)
    for line in try Self.code(except: Self.quoting) {
      #expect(!Self.quotes(line), "\(line.place) quotes a name: use \\(name:)")
      #expect(!line.text.contains("SQLFragment.quoted("), "\(line.place): use PostgresName.quoted")
    }
    for line in try Self.code(except: Self.quoting, Self.elements) {
      #expect(!line.text.contains("\"\\\"\""), "\(line.place) has a quote as a text")
    }
    // The dialect passes every name on to the function.
    let dialect = try Self.code().filter { $0.place.contains("PostgresDialect.swift") }
    #expect(dialect.contains { $0.text == "func name(_ name: String) -> String { PostgresName.quoted(name) }" })
  }

  /// The rule above finds a name between quotes.
  @Test func quotedNamesAreFound() {
    #expect(Self.quotes(Line(place: "", text: #""SELECT \"\(table)\" FROM""#, isLiteral: false)))
    #expect(Self.quotes(Line(place: "", text: #"SELECT "\(table)" FROM"#, isLiteral: true)))
    #expect(!Self.quotes(Line(place: "", text: #"let text = "\(table)""#, isLiteral: false)))
    #expect(!Self.quotes(Line(place: "", text: #""\(table)\"xid\"""#, isLiteral: false)))
  }

  /// SQL fragments must be created from literals, because a computed string could be a value.
  @Test func fragmentsAreLiterals() throws {
    for line in try Self.code() {
      #expect(!line.text.contains("stringLiteral:"), "\(line.place) makes SQL of a text")
      for match in line.text.matches(of: /SQLFragment\(([^)]*)\)/) where !match.1.isEmpty {
        Issue.record("\(line.place) makes SQL of '\(match.1)'")
      }
    }
  }

  /// libpq receives a statement's complete text. Nothing is added where statements are sent.
  @Test func statementsAreSentInOnePlace() throws {
    // Without parameters, values would be part of the statement's text.
    let forbidden = ["PQexec", "PQprepare", "PQescape", "PQsendQuery(handle, \"", "PQdescribe", "PQfn("]
    var senders: [String: String] = [:]
    for line in try Self.code() where line.text.utf8.contains(UInt8(ascii: "Q")) {
      for name in forbidden { #expect(!line.text.contains(name), "\(line.place) calls \(name)") }
      for match in line.text.matches(of: /PQ(sendQuery|sendPrepare|sendQueryParams|sendQueryPrepared)\((.*)\)/) {
        senders[String(match.1)] = String(match.2)
      }
    }
    #expect(
      senders == [
        "sendQuery": "handle, statement.text)",
        "sendPrepare": "handle, name, statement.text, Int32(types.count), types)",
        "sendQueryPrepared": "handle, name, count, values, lengths, formats, 1",
        "sendQueryParams": "handle, statement.text, count, types, values, lengths, formats, 1",
      ])
  }
}
