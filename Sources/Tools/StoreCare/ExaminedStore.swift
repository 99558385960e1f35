import CSQLite
import Foundation
import SchemaModel
import StoreInspection
import Trellis

/// A store file opened by a tool: the connection and the recorded schema.
///
/// The file may be damaged or hostile, so no size, count or name in it is trusted.
struct ExaminedStore {
  let path: String
  let connection: Connection
  /// The file, if opened read-only.
  private let file: SharedFile?
  let metadata: StoreMetadata
  /// The tables for the recorded schema.
  let catalogue: StoreCatalogue
  private let limit: WorkLimit

  /// Opens a store, read-only by default.
  ///
  /// - Throws: ``CareFailure`` if the file is not a store, or the schema cannot be read.
  init(_ path: String, _ access: Connection.Access = .readOnly) throws {
    // Companion files are next to a symbolic link's target.
    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    let path = isLink ? try ModelConfiguration(url: URL(fileURLWithPath: path)).storePath() : path
    self.path = path
    (connection, file, limit) = try Self.open(path, access)
    do {
      metadata = try Self.metadata(connection, path)
      catalogue = try Self.catalogue(connection, path)
    } catch let error as SQLiteError {
      throw CareFailure(error, path)
    } catch let error as SwiftDataError {
      throw CareFailure("\(path): \(error.explanation ?? "\(error)")", isAboutStore: true)
    }
  }

  /// `Trel`, in the header of every Trellis store.
  private static let applicationID: Int64 = 0x5472_656C

  // MARK: opening

  /// Opens a database file with size-dependent limits.
  private static func open(
    _ path: String, _ access: Connection.Access
  ) throws -> (Connection, SharedFile?, WorkLimit) {
    guard FileKind(at: path) != .nothing else { throw CareFailure("\(path): no such file") }
    guard FileKind(at: path) == .regular else {
      throw CareFailure("\(path): is a folder, a pipe or a device; name the store file")
    }
    for suffix in ["-wal", "-shm", "-journal"] where ![.nothing, .regular].contains(FileKind(at: path + suffix)) {
      throw CareFailure("\(path)\(suffix): is a folder, a pipe or a device: remove it")
    }
    do {
      let file = access == .readOnly ? try SharedFile(path) : nil
      let connection = try file?.connection ?? Connection(path, access)
      if file != nil {
        try connection.execute("PRAGMA query_only = ON")
        acceptUnknownCollations(connection)
      }
      // Prevents views and triggers from calling unsafe functions, and checks pages for damage.
      try connection.execute("PRAGMA trusted_schema = OFF")
      try connection.execute("PRAGMA cell_size_check = ON")
      let limit = WorkLimit(connection, path: path)
      guard try connection.integers("PRAGMA application_id") == [applicationID] else {
        throw CareFailure("\(path): is not a Trellis store", isAboutStore: true)
      }
      return (connection, file, limit)
    } catch let error as SQLiteError {
      throw CareFailure(error, path)
    }
  }

  /// Accepts indexes with custom collations, which only the creating app defines.
  private static func acceptUnknownCollations(_ connection: Connection) {
    sqlite3_collation_needed(connection.handle, nil) { _, handle, _, name in
      sqlite3_create_collation(handle, name, SQLITE_UTF8, nil) { _, _, _, _, _ in 0 }
    }
  }

  /// Runs queries on a consistent snapshot.
  func read<T>(_ body: () throws -> T) throws -> T {
    guard let file else { return try connection.read(body) }
    return try file.read {
      guard try StoreMetadata(connection)?.fingerprint == metadata.fingerprint else {
        throw CareFailure("\(path): an app has migrated the store in the meantime: try again")
      }
      return try body()
    }
  }

  /// The reason why the external folder cannot be used; `nil` if it is a folder or missing.
  var folderProblem: String? {
    let folder = path + "-external"
    let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: folder)) != nil
    if isLink { return "is a symbolic link: move the folder itself next to the store" }
    return [.nothing, .folder].contains(FileKind(at: folder)) ? nil : "is not a folder: remove it"
  }

  private static func metadata(_ connection: Connection, _ path: String) throws -> StoreMetadata {
    if let metadata = try StoreMetadata(connection) { return metadata }
    throw CareFailure(
      "\(path): the store's metadata is missing or incomplete: restore a backup", isAboutStore: true)
  }

  // MARK: schema

  /// The part of a recorded schema that is checked before the schema is decoded.
  private struct Outline: Codable {
    struct Entity: Codable {
      let name: String
      let superentity: String?
    }

    let entities: [Entity]

    /// True if names are unique and no entity inherits from itself.
    var isSound: Bool {
      let above = Dictionary(entities.map { ($0.name, $0.superentity) }, uniquingKeysWith: { first, _ in first })
      return above.count == entities.count
        && entities.allSatisfy { entity in
          var (current, steps) = (entity.superentity, 0)
          while let name = current, steps <= entities.count { (current, steps) = (above[name] ?? nil, steps + 1) }
          return current == nil
        }
    }
  }

  private static func catalogue(_ connection: Connection, _ path: String) throws -> StoreCatalogue {
    guard let outline = try StoreMetadata.decoded(Outline.self, for: StoreMetadata.Key.schema, connection),
      outline.isSound,
      let schema = try StoreMetadata.decoded(Schema.self, for: StoreMetadata.Key.schema, connection)
    else {
      throw CareFailure(
        "\(path): the store does not contain a readable schema: restore a backup", isAboutStore: true)
    }
    schema.describeModels(withTypesOf: Schema())
    return try CatalogueBuilder.catalogue(of: schema)
  }

  /// Compiles the store's schema source; empty if the models are in Swift files.
  func sources() -> [ResolvedSchema] {
    guard let value = try? StoreMetadata.value(for: StoreMetadata.Key.source, connection), case .text(let text) = value
    else { return [] }
    return StoreDescription.schemas(in: text)
  }
}

/// Stops SQLite if page references form a cycle, and limits the memory for a single value.
final class WorkLimit {
  /// The number of SQLite instructions between handler calls.
  private static let interval: Int32 = 100_000
  /// More instructions than any check of a valid page needs, including indexes.
  private static let instructionsPerPage: Int64 = 400_000

  private var left: Int64
  private let connection: Connection

  init(_ connection: Connection, path: String) {
    self.connection = connection
    let size = FileStamp.size(path) + FileStamp.size(path + "-wal")
    left = 1_000 + size / 512 * Self.instructionsPerPage / Int64(Self.interval)
    // A value cannot be longer than the file.
    sqlite3_limit(connection.handle, SQLITE_LIMIT_LENGTH, Int32(clamping: max(size, 1 << 20)))
    sqlite3_progress_handler(
      connection.handle, Self.interval,
      { pointer in
        guard let pointer else { return 0 }
        let limit = Unmanaged<WorkLimit>.fromOpaque(pointer).takeUnretainedValue()
        limit.left -= 1
        return limit.left < 0 ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
}
