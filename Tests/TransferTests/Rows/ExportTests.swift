import Foundation
import SchemaFixtures
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// The text of exported files, and stores that cannot be exported.
struct ExportTests {
  static let schema = """
    @Model class Trip {
      var name: String
      var note: String?
      var isOpen: Bool
      var budget: Decimal
      var size: UInt64
      var ratio: Double?
      var start: Date?
      var kind: Kind
      var tags: [String]
      @Attribute(.flattened) var place: Place?
      @Attribute(.externalStorage) var photo: Data?
      @Relationship(.ordered, inverse: \\Stop.trip) var stops: [Stop] = []
    }
    @Model class Stop {
      var trip: Trip?
      @Relationship(inverse: \\Guest.stops) var guests: [Guest] = []
    }
    @Model class Guest { var name: String; var stops: [Stop] = [] }
    @Model class Speaker: Guest { var topic: String? }
    enum Kind: String, Codable { case work, leisure = "fun" }
    struct Place: Codable { var city: String; var zip: Int? }
    """

  /// Writes a store with two trips, stops and guests.
  static func makeStore(at url: URL) throws -> RowStore {
    let store = try RowStore(schema, at: url)
    let connection = try Connection(url.path, .existing)
    let names = [
      "id", "name", "note", "isOpen", "budget", "size", "ratio", "start", "kind", "tags", "place", "place_city",
      "place_zip", "photo",
    ]
    func insert(_ values: [SQLValue]) throws {
      let row = values.map { "\(value: $0)" as SQLFragment }.joined(separator: ", ")
      try connection.execute("INSERT INTO \(name: "Trip") (\(names: names)) VALUES (\(row))")
    }
    try insert([
      .integer(1), .text("Oslo, \"north\""), .null, .integer(1), .text("12.5"), .integer(.min), .real(-0.0),
      .real(0.5), .text("fun"), .text("[\"a\",\"b\"]"), .integer(1), .text("Oslo"), .null, .blob([0xFF, 0]),
    ])
    try insert([
      .integer(2), .text(""), .text("two\nlines"), .integer(0), .text("0"), .integer(.max), .text("NaN"), .null,
      .text("work"), .text("[]"), .null, .null, .null, .null,
    ])
    try connection.execute(
      """
      INSERT INTO \(name: "Stop") (\(names: ["id", "trip", "trip_position"])) VALUES (7, 1, 0), (8, 1, 1), (9, NULL, NULL)
      """)
    try connection.execute(
      """
      INSERT INTO \(name: "Guest") (\(names: ["id", "entity", "name", "topic"]))
      VALUES (1, 'Guest', 'Ann', NULL), (2, 'Speaker', 'Bob', 'Swift')
      """)
    try connection.execute("INSERT INTO \(name: "Guest_stops") VALUES (1, 7), (2, 7)")
    return store
  }

  static let files: [(format: RowFormat, name: String, text: String)] = [
    (
      .csv, "Trip.csv",
      """
      id,name,note,isOpen,budget,size,ratio,start,kind,tags,place,place.city,place.zip,photo
      1,"Oslo, ""north\""",,true,12.5,0,-0.0,2001-01-01T00:00:00.5Z,fun,"[""a"",""b""]",true,Oslo,,/wA=
      2,"","two
      lines",false,0,18446744073709551615,NaN,,work,"[]",,,,

      """
    ),
    (.csv, "Stop.csv", "id,trip,trip_position\n7,1,0\n8,1,1\n9,,\n"),
    (.csv, "Guest.csv", "id,entity,name,topic\n1,Guest,Ann,\n2,Speaker,Bob,Swift\n"),
    (.csv, "Guest_stops.csv", "Guest,Stop\n1,7\n2,7\n"),
    (
      .ndjson, "Trip.ndjson",
      """
      {"id":1,"name":"Oslo, \\"north\\"","note":null,"isOpen":true,"budget":"12.5","size":0,"ratio":-0.0,\
      "start":"2001-01-01T00:00:00.5Z","kind":"fun","tags":["a","b"],"place":true,"place.city":"Oslo",\
      "place.zip":null,"photo":"/wA="}
      {"id":2,"name":"","note":"two\\nlines","isOpen":false,"budget":"0","size":18446744073709551615,"ratio":"NaN",\
      "start":null,"kind":"work","tags":[],"place":null,"place.city":null,"place.zip":null,"photo":null}

      """
    ),
    (
      .json, "Stop.json",
      """
      [
      {"id":7,"trip":1,"trip_position":0},
      {"id":8,"trip":1,"trip_position":1},
      {"id":9,"trip":null,"trip_position":null}
      ]

      """
    ),
  ]

  @Test(arguments: files) func filesHaveText(_ format: RowFormat, _ name: String, _ text: String) throws {
    try inTemporaryFolder { folder in
      let store = try Self.makeStore(at: folder.file("a.store"))
      try export(store.url, format, to: folder.file("files"))
      #expect(folder.file("files/\(name)").text == text)
    }
  }

  @Test func schemaFileIsTheStoresText() throws {
    try inTemporaryFolder { folder in
      let store = try Self.makeStore(at: folder.file("a.store"))
      let report = try export(store.url, .csv, to: folder.file("files"))
      #expect(folder.file("files/Things.schema").text == "schema Things 1.0.0\n\n\(Self.schema)\n")
      #expect(report.schemaFiles == ["Things.schema"])
      #expect(report.tables.map(\.name).sorted() == ["Guest", "Guest_stops", "Stop", "Trip"])
      #expect(report.tables.map(\.rows).reduce(0, +) == 9)
      let sizes = report.tables.map { FileStamp.size(folder.file("files/\($0.file)").path) }
      #expect(sizes == report.tables.map { Int64($0.bytes) })
    }
  }

  @Test func storeInUseIsExported() throws {
    try inTemporaryFolder { folder in
      let store = try Self.makeStore(at: folder.file("a.store"))
      let writer = try Connection(store.url.path, .existing)
      try writer.execute("INSERT INTO \(name: "Stop") (\(name: "id")) VALUES (10)")
      try writer.execute("BEGIN IMMEDIATE")
      try writer.execute("DELETE FROM \(name: "Stop")")
      try export(store.url, .csv, to: folder.file("files"))
      // The committed row is there, and the uncommitted deletion is not visible.
      #expect(folder.file("files/Stop.csv").text == "id,trip,trip_position\n7,1,0\n8,1,1\n9,,\n10,,\n")
      try writer.execute("ROLLBACK")
    }
  }

  @Test func exportLeavesTheStoreAlone() throws {
    try inTemporaryFolder { folder in
      let store = try Self.makeStore(at: folder.file("a.store"))
      let bytes = try Data(contentsOf: store.url)
      try export(store.url, .ndjson, to: folder.file("files"))
      #expect(try Data(contentsOf: store.url) == bytes)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["a.store", "files"])
    }
  }

  /// A model, a predicate, and the keys of the exported rows.
  static let filters: [(String, String, [String])] = [
    ("Trip", "$0.name == \"\"", ["2"]), ("Trip", "$0.isOpen", ["1"]), ("Stop", "$0.trip != nil", ["7", "8"]),
    ("Guest", "true", ["1", "2"]), ("Speaker", "$0.name != \"\"", ["2"]),
  ]

  @Test(arguments: filters)
  func predicatesSelectRowsOfOneModel(_ model: String, _ predicate: String, _ keys: [String]) throws {
    try inTemporaryFolder { folder in
      let source = try StoreSource(Self.makeStore(at: folder.file("a.store")).url)
      let export = try RowExport(source, .csv, model: model, where: predicate)
      let report = try ExportFolder(folder.file("files"), names: export.fileNames, isForced: false)
        .write { try export.write(to: $0) }
      #expect(report.tables.count == 1)
      #expect(report.tables.first?.rows == Int64(keys.count))
      let lines = folder.file("files/\(report.tables.first?.file ?? "")").text.split(separator: "\n").dropFirst()
      let found = lines.map { String($0.prefix { $0 != "," }) }
      #expect(keys.allSatisfy(found.contains))
    }
  }

  // MARK: Damaged stores

  /// A statement that damages the store beside the message.
  static let damages: [(SQLFragment, String)] = [
    ("UPDATE \"Trip\" SET \"isOpen\" = 7 WHERE \"id\" = 2", "Trip.isOpen of row 2 is not true or false"),
    ("UPDATE \"Trip\" SET \"ratio\" = 'x' WHERE \"id\" = 1", "Trip.ratio of row 1 is not a number"),
    ("UPDATE \"Trip\" SET \"start\" = x'00' WHERE \"id\" = 1", "Trip.start of row 1 is not a date"),
    ("UPDATE \"Trip\" SET \"name\" = CAST(x'FF' AS TEXT) WHERE \"id\" = 1", "Trip.name of row 1 is not text"),
    ("UPDATE \"Trip\" SET \"tags\" = '[' WHERE \"id\" = 2", "Trip.tags of row 2 is not valid JSON"),
    (
      "UPDATE \"Trip\" SET \"photo\" = '../a' WHERE \"id\" = 2",
      "Trip.photo of row 2 refers to a file with an invalid name"
    ),
    (
      "UPDATE \"Trip\" SET \"photo\" = '/etc/passwd' WHERE \"id\" = 2",
      "Trip.photo of row 2 refers to a file with an invalid name"
    ),
  ]

  @Test(arguments: damages) func damagedValuesAreNamed(_ damage: SQLFragment, _ message: String) throws {
    try inTemporaryFolder { folder in
      let store = try Self.makeStore(at: folder.file("a.store"))
      try store.execute(damage)
      let error = #expect(throws: UnexportableValue.self) {
        try export(store.url, .ndjson, to: folder.file("files"))
      }
      #expect(error?.description.hasPrefix(message) == true, "\(error?.description ?? "")")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).contains("files") == false)
    }
  }

  /// How the file of an external value is replaced beside the message.
  static let replacements: [(String, String)] = [
    ("nothing", "which is missing"), ("link", "which is a symbolic link"), ("size", "which does not have 200000 bytes"),
    ("folder", "which does not have 200000 bytes"), ("linked folder", "which cannot be opened"),
  ]

  @Test(arguments: replacements) func onlyOwnFilesAreRead(_ kind: String, _ message: String) throws {
    try inTemporaryFolder { folder in
      let store = try Self.makeStore(at: folder.file("a.store"))
      let name = String(repeating: "0f", count: 16) + "-200000"
      try store.execute("UPDATE \"Trip\" SET \"photo\" = \(value: .text(name)) WHERE \"id\" = 1")
      let (files, secret) = (folder.file("a.store-external"), folder.file("secret"))
      let manager = FileManager.default
      try Data(repeating: 7, count: 200_000).write(to: secret)
      let real = kind == "linked folder" ? folder.file("elsewhere") : files
      try manager.createDirectory(at: real, withIntermediateDirectories: true)
      let file = real.appendingPathComponent(name)
      switch kind {
      case "link": try manager.createSymbolicLink(at: file, withDestinationURL: secret)
      case "size": try Data(repeating: 7, count: 199_999).write(to: file)
      case "folder": try manager.createDirectory(at: file, withIntermediateDirectories: true)
      case "linked folder":
        try manager.copyItem(at: secret, to: file)
        try manager.createSymbolicLink(at: files, withDestinationURL: real)
      default: break
      }
      let error = #expect(throws: UnexportableValue.self) { try export(store.url, .csv, to: folder.file("files")) }
      #expect(error?.description.contains("Trip.photo of row 1 needs the file") == true)
      #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
    }
  }

  /// Files that are not stores.
  @Test func otherFilesAreRefused() throws {
    try inTemporaryFolder { folder in
      try Data("text".utf8).write(to: folder.file("text"))
      try Connection(folder.file("other").path, .creating).execute("CREATE TABLE t (x)")
      for (name, message) in [
        ("missing", "no such store"), ("", "not a file"), ("text", "not a readable Trellis store"),
        ("other", "not a readable Trellis store"),
      ] {
        let error = #expect(throws: TransferError.self) { _ = try StoreSource(folder.file(name)) }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
      }
    }
  }

  // MARK: The folder

  /// A file system's top folder has no sibling to which files could be moved from.
  @Test func filesForAnExistingFolderAreWrittenInIt() throws {
    try inTemporaryFolder { folder in
      let store = try Self.makeStore(at: folder.file("a.store"))
      let files = folder.file("files")
      // A killed process has left its files.
      try FileManager.default.createDirectory(at: files.file(".files.partial"), withIntermediateDirectories: true)
      try Data("old".utf8).write(to: files.file(".files.partial/Trip.csv"))
      let export = RowExport(try StoreSource(store.url), .csv)
      for isForced in [false, true] {
        _ = try ExportFolder(files, names: export.fileNames, isForced: isForced).write { partial in
          #expect(partial.deletingLastPathComponent().path == files.path)
          return try export.write(to: partial)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).sorted() == export.fileNames.sorted())
        #expect(files.file("Guest_stops.csv").text == "Guest,Stop\n1,7\n2,7\n")
      }
    }
  }

  @Test func otherFilesAreKept() throws {
    try inTemporaryFolder { folder in
      let store = try Self.makeStore(at: folder.file("a.store"))
      let files = folder.file("files")
      try export(store.url, .csv, to: files)
      try Data("mine".utf8).write(to: files.file("notes.txt"))
      let export = RowExport(try StoreSource(store.url), .csv)
      #expect(throws: TransferError.self) { try ExportFolder(files, names: export.fileNames, isForced: false) }
      try store.execute("DELETE FROM \"Guest_stops\"")
      let again = RowExport(try StoreSource(store.url), .csv)
      _ = try ExportFolder(files, names: again.fileNames, isForced: true).write { try again.write(to: $0) }
      #expect(files.file("notes.txt").text == "mine")
      #expect(files.file("Guest_stops.csv").text == "Guest,Stop\n")
      // A link is not followed when files are replaced.
      try FileManager.default.removeItem(at: files.file("Stop.csv"))
      try FileManager.default.createDirectory(at: files.file("Stop.csv"), withIntermediateDirectories: true)
      #expect(throws: TransferError.self) { try ExportFolder(files, names: again.fileNames, isForced: true) }
    }
  }
}
