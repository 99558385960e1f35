import Foundation
import SchemaDiagnostics
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// Files of other programs, and rows that do not fit.
struct ImportTests {
  static let schema = """
    schema Things 1.0.0

    @Model class Trip {
      var name: String
      var budget: Decimal = 5
      var size: UInt8?
      var start: Date?
      var kind: Kind?
      @Attribute(.flattened) var place: Place?
      var leader: Guest?
    }
    @Model class Guest { var name: String }
    @Model class Speaker: Guest { var topic: String; var fee: Double? }
    enum Kind: String, Codable { case work, leisure = "fun" }
    struct Place: Codable { var city: String; var zip: Int? }

    """

  private func rows(
    _ files: [String: String], format: RowFormat = .csv, rejects: RejectPolicy = .stop, _ query: SQLFragment
  ) throws -> [String] {
    try inTemporaryFolder { folder in
      let source = folder.file("files")
      try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
      for (name, text) in files { try Data(text.utf8).write(to: source.file("\(name).\(format.rawValue)")) }
      let schema = SourceFile(path: "Things.schema", text: Self.schema)
      let store = folder.file("a.store")
      _ = try FolderImport(RowFolder(source, format, schemaFiles: [schema]))
        .run(into: store, staging: folder.file("rows"), rejects: rejects)
      return try Connection(store.path, .readOnly).rows(query).map { row in
        row.map { value in
          switch value {
          case .null: "nil"
          case .integer(let value): "\(value)"
          case .real(let value): "\(value)"
          case .text(let text): text
          default: "\(value)"
          }
        }.joined(separator: "|")
      }
    }
  }

  @Test func filesOfOthersNeedOnlyTheirColumns() throws {
    let trips = "name,start,size,place.city\nOslo,2001-01-02,7,\n,,,Bergen\n"
    let found = try rows(
      ["Trip": trips],
      "SELECT \(names: ["id", "name", "budget", "size", "start", "place", "place_city"]) FROM \(name: "Trip")")
    #expect(found == ["1|Oslo|5|7|86400.0|nil|nil", "2||5|nil|nil|1|Bergen"])
  }

  /// Other rows may refer to the key of any row in the file, even of a rejected row.
  @Test(arguments: [
    (RowFormat.csv, "id,name\n7,Oslo\n,Rome\n", ["7|Oslo", "8|Rome"]),
    (.csv, "id,name\n,New\n1,Ada\n2,Bob\n,Last\n", ["1|Ada", "2|Bob", "3|New", "4|Last"]),
    (.csv, "id,name\n-3,Oslo\n,Rome\n", ["-3|Oslo", "1|Rome"]),
    (.csv, "size,id,name\nx,5,Oslo\n1,,Rome\n", ["6|Rome"]), (.csv, "id,name\n9,a,b\n,Rome\n", ["10|Rome"]),
    (.ndjson, "{\"size\":\"x\",\"id\":5,\"name\":\"Oslo\"}\n{\"name\":\"Rome\"}\n", ["6|Rome"]),
  ])
  func emptyKeysFollowTheLargestKey(_ format: RowFormat, _ text: String, _ expected: [String]) throws {
    let found = try rows(
      ["Trip": text], format: format, rejects: .write { _ in },
      "SELECT \(names: ["id", "name"]) FROM \(name: "Trip") ORDER BY 1")
    #expect(found == expected)
  }

  @Test func referencesLeadToStatedKeys() throws {
    let found = try rows(
      ["Guest": "id,entity,name\n,Guest,New\n1,Guest,Ada\n", "Trip": "name,leader\nOslo,1\n"],
      "SELECT \(column: "name", of: "Guest") FROM \(name: "Guest") JOIN \(name: "Trip") ON leader = Guest.id")
    #expect(found == ["Ada"])
  }

  @Test func objectsNeedOnlyTheirMembers() throws {
    let trips = "{\"start\":\"2001-01-02\",\"name\":\"Oslo\",\"budget\":12.50}\r\n\n{\"name\":\"\\u0042\",\"start\":5}"
    let found = try rows(
      ["Trip": trips], format: .ndjson, "SELECT \(names: ["id", "name", "budget", "start"]) FROM \(name: "Trip")")
    #expect(found == ["1|Oslo|12.5|86400.0", "2|B|5|5.0"])
  }

  @Test func classesComeFromTheirColumn() throws {
    let found = try rows(
      ["Guest": "id,entity,name,topic\n5,Speaker,Ann,Swift\n6,Guest,Bob,\n", "Trip": "name,leader\nOslo,5\n"],
      "SELECT \(names: ["id", "entity", "name", "topic"]) FROM \(name: "Guest") ORDER BY 1")
    #expect(found == ["5|Speaker|Ann|Swift", "6|Guest|Bob|nil"])
  }

  /// Files beside the rejected rows: file, line, column and reason.
  static let rejects: [(file: String, text: String, expected: [String])] = [
    ("Trip", "name,size\nOslo,1\nRome,256\n", ["Trip.csv line 3, size: '256' is not an integer from 0 to 255"]),
    ("Trip", "name,size\n\"a\nb\",x\n", ["Trip.csv line 2, size: 'x' is not an integer from 0 to 255"]),
    ("Trip", "name,kind\nOslo,fun\nRome,leisure\n", ["Trip.csv line 3, kind: 'leisure' is not one of fun, work"]),
    ("Trip", "name,start\nOslo,yesterday\n", ["Trip.csv line 2, start: 'yesterday' is not a date"]),
    (
      "Trip", "name,budget\nOslo,1e\nRome,0x1\n",
      [
        "Trip.csv line 2, budget: '1e' is not a decimal number",
        "Trip.csv line 3, budget: '0x1' is not a decimal number",
      ]
    ),
    (
      "Trip", "name,size\nOslo\nRome,1,2\n",
      [
        "Trip.csv line 2: has 1 field instead of 2", "Trip.csv line 3: has 3 fields instead of 2",
      ]
    ),
    ("Trip", "name\nOs\0lo\nRome\n", ["Trip.csv line 2: the record contains a null character"]),
    ("Trip", "name\n\"a\"b\n", ["Trip.csv line 2: text follows the quotation mark that ends a field"]),
    ("Trip", "name,place,place.city\nOslo,true,\n", ["Trip.csv line 2, place.city: a value is missing"]),
    ("Trip", "name,leader\nOslo,9\n", ["Trip.csv line 2, leader: refers to Guest 9, which is missing or was rejected"]),
    ("Trip", "id,name\n1,Oslo\n1,Rome\n", ["Trip.csv line 3, id: the row exists already"]),
    ("Guest", "entity,name,topic\nHost,Ann,\n", ["Guest.csv line 2, entity: 'Host' is not one of Guest, Speaker"]),
    ("Guest", "entity,name,topic\nGuest,Ann,Swift\n", ["Guest.csv line 2, topic: 'Guest' has no such property"]),
    ("Guest", "entity,name,fee\nSpeaker,Ann,1\n", ["Guest.csv line 2, topic: a value is missing"]),
  ]

  @Test(arguments: rejects)
  func rowsThatDoNotFitAreListed(_ file: String, _ text: String, _ expected: [String]) throws {
    let refusal = #expect(throws: CopyRefusal.self) {
      _ = try rows([file: text], "SELECT 1")
    }
    let found = refusal?.report.rejects.map(\.text)
    #expect(found == expected)
  }

  static let lines: [(String, String)] = [
    ("{", ": the line is not a JSON object"), ("[]", ": the line is not a JSON object"),
    ("{\"name\":\"a\"} x", ": the line is not a JSON object"),
    ("{\"name\":1}", ", name: '1' is not text"),
    ("{\"name\":\"a\",\"size\":\"1\"}", ", size: '1' is not an integer from 0 to 255"),
    ("{\"name\":\"a\",\"x\":1}", ", x: 'Trip' has no column of this name"),
    ("{\"name\":\"a\",\"name\":\"b\"}", ", name: occurs twice"), ("{}", ", name: a value is missing"),
    ("{\"name\":null}", ", name: a value is missing"), ("{\"name\":\"\\ud800\"}", ", name: '\\ud800' is not text"),
    ("{\"name\":\"a\",\"start\":\"x\"}", ", start: 'x' is not a date"),
  ]

  @Test(arguments: lines) func linesThatDoNotFitAreListed(_ line: String, _ expected: String) throws {
    let refusal = #expect(throws: CopyRefusal.self) {
      _ = try rows(["Trip": "{\"name\":\"a\"}\n\(line)\n"], format: .ndjson, "SELECT 1")
    }
    #expect(refusal?.report.rejects.map(\.text) == ["Trip.ndjson line 2\(expected)"])
  }

  @Test func invalidUnicodeIsRejected() throws {
    try inTemporaryFolder { folder in
      let files = folder.file("files")
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
      try (Data("name\nOslo\n".utf8) + Data([0x61, 0xFF, 0x0A]) + Data("Rome\n".utf8)).write(to: files.file("Trip.csv"))
      let schema = SourceFile(path: "Things.schema", text: Self.schema)
      let refusal = #expect(throws: CopyRefusal.self) {
        _ = try FolderImport(RowFolder(files, .csv, schemaFiles: [schema]))
          .run(into: folder.file("a.store"), staging: folder.file("rows"), rejects: .stop)
      }
      #expect(refusal?.report.rejects.map { "\($0.row) \($0.reason)" } == ["3 the record is not valid UTF-8"])
      #expect(refusal?.report.rejects.first?.values == ["name": RejectedValue(.blob([0x61, 0xFF]))])
      #expect(!FileManager.default.fileExists(atPath: folder.file("a.store").path))
    }
  }

  @Test func rejectedRowsArePassedOn() throws {
    let found = RejectList()
    let names = try rows(
      ["Trip": "name,size,leader\nOslo,1,\nRome,x,\nBergen,2,7\nParis,,\n"],
      rejects: .write { found.rejects.append($0) },
      "SELECT \(name: "name") FROM \(name: "Trip")")
    #expect(names == ["Oslo", "Paris"])
    #expect(found.rejects.map { "\($0.row) \($0.column)" } == ["3 size", "4 leader"])
    #expect(found.rejects.first?.values["name"]?.value == .text("Rome"))
  }

  /// Rows that are rejected late, such as duplicates, have the same fields as all others: those of the file.
  @Test(
    arguments: [
      (
        RowFormat.csv, "\u{FEFF}id,name,kind\r\n1,Oslo,fun\r\n\r\n1,\"a\n\"\"b\"\"\",work\r\n,Rome,\r\n", 4,
        ["id": "1", "name": "a\n\"b\"", "kind": "work"]
      ),
      (.csv, "name,leader,start\nOslo,7,2001-01-02", 2, ["name": "Oslo", "leader": "7", "start": "2001-01-02"]),
      (.ndjson, "{\"name\":\"a\"}\n\n{ \"leader\":7, \"name\":\"b\" }\n", 3, ["": "{ \"leader\":7, \"name\":\"b\" }"]),
    ] as [(RowFormat, String, Int64, [String: String])])
  func lateRejectsHaveTheFieldsOfTheFile(
    _ format: RowFormat, _ text: String, _ line: Int64, _ fields: [String: String]
  ) throws {
    let found = RejectList()
    _ = try rows(["Trip": text], format: format, rejects: .write { found.rejects.append($0) }, "SELECT 1")
    #expect(found.rejects.map(\.row) == [line])
    #expect(found.rejects.first?.values == fields.mapValues { RejectedValue(.text($0)) })
    let refusal = #expect(throws: CopyRefusal.self) { _ = try rows(["Trip": text], format: format, "SELECT 1") }
    #expect(refusal?.report.rejects.first?.values == found.rejects.first?.values)
  }

  private final class RejectList { var rejects: [Reject] = [] }

  /// Files that stop the import beside the message.
  static let refusals: [(files: [String: String], message: String)] = [
    (["Trip": "name,colour\n"], "Trip.csv:1: 'Trip' has no column 'colour'; it has id, name, budget"),
    (["Trip": "name,name\n"], "Trip.csv:1: column 'name' occurs twice"),
    (["Trip": "size\n"], "Trip.csv:1: column 'name' is missing, and 'Trip' needs a value"),
    (["Trip": "name;size\n"], "Trip.csv:1: 'Trip' has no column 'name;size'"),
    (["Trip": ""], "Trip.csv: the file has no header"),
    (["Trips": "name\n"], "Trips.csv: no model of schema 'Things' has this name; expected Guest.csv, Trip.csv"),
    ([:], "there are no '.csv' files"),
  ]

  @Test(arguments: refusals) func filesThatDoNotFitStopTheImport(_ files: [String: String], _ message: String) throws {
    let error = #expect(throws: TransferError.self) { _ = try rows(files, "SELECT 1") }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func folderNeedsASchema() throws {
    try inTemporaryFolder { folder in
      try Data("name\n".utf8).write(to: folder.file("Trip.csv"))
      let error = #expect(throws: TransferError.self) { _ = try RowFolder(folder, .csv) }
      #expect(error?.description.contains("there is no schema file; name one with '--schema FILE'") == true)
    }
  }
}
