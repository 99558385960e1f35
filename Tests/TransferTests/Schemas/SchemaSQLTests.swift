import TrellisStore
import SchemaVersions
import CSQLite
import Foundation
import SchemaFixtures
import SchemaModel
import SchemaServer
import StoreCommands
import TestSupport
import Testing
import Trellis
import TrellisSQLite

/// Tests of the SQL of a schema's tables.
@Suite struct SchemaSQLTests {
  /// The schemas whose stored form follows from the schema files alone.
  private static let all = EveryHistory.all.filter {
    (try? SchemaSQL.sqlite($0.history.head, of: $0.history, files: $0.files, module: "App")) != nil
  }

  private static let sample = all.enumerated().filter { index, schema in
    Repetitions.isThorough || index % 8 == 0 || schema.folder.hasPrefix("Tests/TransferTests")
  }.map(\.element)

  @Test func nearlyEverySchemaHasTables() { #expect(Self.all.count >= EveryHistory.all.count * 9 / 10) }

  /// The language server shows the types of the columns.
  @Test(arguments: sample) func shownColumnTypesAreTheTables(_ schema: EveryHistory) throws {
    let head = schema.history.head
    let text = try SchemaSQL.sqlite(head, of: schema.history, files: schema.files, module: "App")
    for entity in head.entities where entity.superentity == nil {
      guard let table = text.components(separatedBy: "CREATE TABLE \"\(entity.name)\" (").dropFirst().first else {
        continue
      }
      for case .attribute(let attribute) in entity.properties where !attribute.isTransient {
        guard let type = ColumnType.text(of: attribute, in: head) else { continue }
        #expect(table.contains("\"\(attribute.name)\" \(type)"), "\(entity.name).\(attribute.name)")
      }
    }
  }

  /// The objects that the SQL creates equal those of a new store.
  @Test(arguments: sample) func theSQLCreatesTheTablesOfANewStore(_ schema: EveryHistory) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "sql-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (history, head) = (schema.history, schema.history.head)
    let text = try SchemaSQL.sqlite(head, of: history, files: schema.files, module: "App")
    #expect(text.hasPrefix("-- \(head.name) \(head.version)\n\nCREATE TABLE \"trellis_metadata\""))
    let runtime = try SchemaFixture.schema(of: head, in: history, files: schema.files, module: "App")
    let store = folder.appending(path: "made.store")
    _ = try DefaultStore(ModelConfiguration(schema: runtime, url: store))
    let own = folder.appending(path: "own.sqlite")
    try Self.load(text, into: own)
    let (one, other) = (try Self.objects(own), try Self.objects(store))
    #expect(one == other)
    #expect(one.count > head.entities.count { $0.superentity == nil })
  }

  private static func load(_ text: String, into url: URL) throws {
    var database: OpaquePointer?
    #expect(sqlite3_open(url.path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    var message: UnsafeMutablePointer<CChar>?
    let status = sqlite3_exec(database, text, nil, nil, &message)
    #expect(status == SQLITE_OK, "\(message.map { String(cString: $0) } ?? "")")
    sqlite3_free(message)
  }

  private static func objects(_ url: URL) throws -> [[String]] {
    let connection = try Connection(url.path, .readOnly)
    return try connection.rows("SELECT type, name, tbl_name, COALESCE(sql, '') FROM sqlite_schema ORDER BY rowid").map {
      $0.map { if case .text(let text) = $0 { text } else { "" } }
    }
  }
}
