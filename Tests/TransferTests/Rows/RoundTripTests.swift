import CSQLite
import Foundation
import SchemaModel
import StoreTransfer
import TestSupport
import Testing
import Trellis

/// Stores are exported, and imports create equal stores.
struct RoundTripTests {
  /// A schema that no fixture can be written for would silently reduce the tests.
  @Test func schemasAreFound() {
    #expect(FixtureSchema.all.count >= 10, "\(FixtureSchema.all)")
  }

  @Test(arguments: Repetitions.sample(FixtureSchema.all, every: 3, "schemas with rows"), [RowFormat.csv, .ndjson])
  func everyValueComesBack(_ schema: FixtureSchema, _ format: RowFormat) throws {
    try inTemporaryFolder { folder in
      let (old, new, files) = (folder.file("old.store"), folder.file("new.store"), folder.file("files"))
      try schema.write(to: old)
      let exported = try export(old, format, to: files)
      let report = try FolderImport(RowFolder(files, format, module: exported.module))
        .run(into: new, staging: folder.file("rows"), rejects: .stop)
      #expect(report.writtenCount == exported.tables.reduce(0) { $0 + $1.rows })
      let (before, after) = (try StoreImage(old), try StoreImage(new))
      #expect(after.difference(from: before) == nil)
      #expect(before.rows.values.contains { !$0.isEmpty })
      #expect(!FileManager.default.fileExists(atPath: folder.file("rows").path))
    }
  }

  @Test(arguments: FixtureSchema.various) func dumpsLoadInSQLite(_ schema: FixtureSchema) throws {
    try inTemporaryFolder { folder in
      let old = folder.file("old.store")
      try schema.write(to: old)
      try export(old, .sql, to: folder.file("files"))
      let loaded = try Connection(folder.file("loaded.sqlite").path, .creating)
      let dump = folder.file("files/\(schema.version.name).sql").text
      var message: UnsafeMutablePointer<CChar>?
      let result = sqlite3_exec(loaded.handle, dump, nil, nil, &message)
      #expect(result == SQLITE_OK, "\(message.map { String(cString: $0) } ?? "")")
      sqlite3_free(message)
      let image = try StoreImage(old)
      for table in try StoreSource(old).target.rowTables {
        let columns = table.columns.map(\.column)
        let rows = try loaded.rows("SELECT \(names: columns) FROM \(name: table.name) ORDER BY \(names: table.keys)")
        let texts = rows.map { "\($0)" }
        #expect(texts == image.rows[table.name]?.map { "\($0)" }, "\(table.name)")
      }
    }
  }

  @Test(arguments: FixtureSchema.various) func jsonFilesAreValid(_ schema: FixtureSchema) throws {
    try inTemporaryFolder { folder in
      let old = folder.file("old.store")
      try schema.write(to: old)
      let report = try export(old, .json, to: folder.file("files"))
      for table in report.tables {
        let data = try Data(contentsOf: folder.file("files/\(table.file)"))
        let rows = try JSONSerialization.jsonObject(with: data) as? [[String: Any]]
        #expect(rows?.count == Int(table.rows), "\(table.file)")
      }
    }
  }

  /// Random numbers come back with the same bits, as dates and as numbers.
  @Test func randomNumbersComeBack() throws {
    var random = SeededGenerator(seed: SeededGenerator.seed())
    try inTemporaryFolder { folder in
      let store = try RowStore("@Model class Thing { var date: Date; var number: Double }", at: folder.file("a.store"))
      let connection = try Connection(store.url.path, .existing)
      try connection.write {
        for row in 1...Repetitions.scaled(300) {
          let bits = Double(bitPattern: random.next())
          let number = bits.isNaN ? 0.5 : bits
          // Half of the dates are in the years that have a text.
          let date = row % 2 == 0 ? Double.random(in: -6.4e10...2.6e11, using: &random) : number
          try connection.executeCached(
            """
            INSERT INTO "Thing" ("id", "date", "number")
            VALUES (\(value: .integer(Int64(row))), \(value: .real(date)), \(value: .real(number)))
            """)
        }
      }
      for format in [RowFormat.csv, .ndjson] {
        let (files, new) = (folder.file(format.rawValue), folder.file("\(format.rawValue).store"))
        try export(store.url, format, to: files)
        _ = try FolderImport(RowFolder(files, format)).run(into: new, staging: folder.file("rows"), rejects: .stop)
        #expect(try StoreImage(new).difference(from: StoreImage(store.url)) == nil)
      }
    }
  }
}
