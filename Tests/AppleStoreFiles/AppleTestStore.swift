package import Foundation
package import SchemaImport
import Trellis

/// A store file in the structure that Core Data writes, in a folder of its own.
package final class AppleTestStore {
  package let folder: URL
  package let url: URL
  private var connection: Connection?

  /// - Parameters:
  ///   - model: The model; nil for a store without model cache.
  ///   - entities: Entity names, numbers and the numbers of superentities.
  ///   - sql: The tables and rows.
  ///   - cache: The contents of the model cache instead of the model.
  ///   - isOpen: True to leave all changes in the write-ahead log.
  package init(
    _ model: CoreDataModel?, _ entities: [(name: String, number: Int, parent: Int)], _ sql: String,
    cache: [UInt8]? = nil, isOpen: Bool = false
  ) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("apple-store-\(UUID().uuidString)")
    url = folder.appendingPathComponent("Voyages.store")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let connection = try Connection(url.path, .creating)
    _ = try connection.rows("PRAGMA journal_mode = WAL")
    _ = try connection.rows("PRAGMA wal_autocheckpoint = 0")
    _ = try connection.rows("PRAGMA synchronous = OFF")
    try run(
      """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)
      """, connection)
    for entity in entities {
      try connection.execute(
        """
        INSERT INTO Z_PRIMARYKEY VALUES (\(value: .integer(Int64(entity.number))), \(value: .text(entity.name)),
        \(value: .integer(Int64(entity.parent))), 0)
        """)
    }
    let metadata = PropertyListWriter.bytes(
      .dictionary([("NSStoreType", .text("SQLite")), ("NSStoreModelVersionHashesVersion", .integer(3))]))
    try connection.execute("INSERT INTO Z_METADATA VALUES (1, 'C0FFEE', \(value: .blob(metadata)))")
    if let content = cache ?? model.map({ DeflateWriter.fixed(ModelArchive.bytes($0)) }) {
      try connection.execute("INSERT INTO Z_MODELCACHE VALUES (\(value: .blob(content)))")
    }
    try run(sql, connection)
    if isOpen { self.connection = connection }
  }

  deinit {
    connection = nil
    try? FileManager.default.removeItem(at: folder)
  }

  private func run(_ sql: String, _ connection: Connection) throws {
    for statement in sql.split(separator: ";\n") where !statement.allSatisfy(\.isWhitespace) {
      try connection.execute(SQLFragment(verbatim: String(statement), []))
    }
  }

  /// The folder of large values.
  package var externalFolder: URL { folder.appendingPathComponent(".Voyages_SUPPORT/_EXTERNAL_DATA") }

  /// Writes a large value's file.
  package func write(_ bytes: [UInt8], to name: String) throws {
    try FileManager.default.createDirectory(at: externalFolder, withIntermediateDirectories: true)
    try Data(bytes).write(to: externalFolder.appendingPathComponent(name))
  }

  /// The bytes of all files by path.
  package func contents() throws -> [String: Data] {
    var result: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where !path.hasPrefix("imported") {
      result[path] = try? Data(contentsOf: folder.appendingPathComponent(path))
    }
    return result
  }
}

/// Bytes in SQL.
package func hexadecimal(_ bytes: [UInt8]) -> String {
  "X'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
}
