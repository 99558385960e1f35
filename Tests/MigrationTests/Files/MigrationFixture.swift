import Foundation
import TestSupport
import Testing
import Trellis

/// A store file in a temporary folder that is removed with the fixture.
final class MigrationFixture {
  let folder: URL
  var url: URL { folder.appendingPathComponent("test.store") }
  /// The migration options, which a test can change before it opens a store.
  var options = ModelConfiguration.MigrationOptions()

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("trellis-migration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Opens the store with the models of a version.
  func open(
    _ version: any VersionedSchema.Type, _ plan: (any SchemaMigrationPlan.Type)? = nil,
    allowsSave: Bool = true
  ) throws -> ModelContext {
    let schema = Schema(versionedSchema: version)
    var configuration = ModelConfiguration(schema: schema, url: url, allowsSave: allowsSave)
    configuration.migration = options
    return ModelContext(
      try ModelContainer(for: schema, migrationPlan: plan, configurations: configuration))
  }

  /// Runs SQL in another process and returns the result.
  @discardableResult
  func shell(_ sql: String, file: String? = nil) throws -> String {
    try SQLiteShell(file.map { URL(fileURLWithPath: $0) } ?? url).run(sql)
  }

  /// All definitions and rows of the store, read by another process.
  func everything() throws -> String { try SQLiteShell(url).everything() }

  /// The results of SQLite's integrity checks and remains of a migration; empty if there are none.
  func complaints() throws -> String {
    let text = try shell(
      "PRAGMA integrity_check; PRAGMA foreign_key_check; "
        + "SELECT name FROM sqlite_schema WHERE name LIKE 'trellis_old%' OR name LIKE 'trellis_mov%'")
    return text == "ok" ? "" : text
  }

  /// The names of the backups beside the store.
  var backups: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
      .filter { $0.contains(".backup-") && !$0.hasSuffix("-external") }.sorted()
  }
}

extension ModelContext {
  func all<T: PersistentModel>(_ type: T.Type) throws -> [T] { try fetch(FetchDescriptor<T>()) }

  func add(_ models: [any PersistentModel]) throws {
    for model in models { insert(model) }
    try save()
  }
}

extension PersistentIdentifier {
  /// The row ID as text.
  var number: String { description.split(separator: "/").last.map(String.init) ?? "" }
}
