import Foundation
import TestSupport
import Testing
import Trellis

/// A store file in a temporary folder that is removed with the fixture.
final class StorageFixture {
  let folder: URL
  var url: URL { folder.appendingPathComponent("test.store") }
  var externalFolder: String { url.path + "-external" }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("trellis-storage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func container(_ models: any PersistentModel.Type...) throws -> ModelContainer {
    let schema = Schema(models)
    return try ModelContainer(
      for: schema, configurations: ModelConfiguration(schema: schema, url: url))
  }

  /// Runs SQL in another process and returns the result.
  @discardableResult
  func shell(_ sql: String) throws -> String { try SQLiteShell(url).run(sql) }

  /// The names of the external files.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: externalFolder)) ?? [])
      .filter { $0 != "pending" }.sorted()
  }

  /// The file lists of active and interrupted transactions.
  var lists: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: externalFolder + "/pending")) ?? []
  }
}

extension ModelContext {
  func all<T: PersistentModel>(_ type: T.Type) throws -> [T] { try fetch(FetchDescriptor<T>()) }

  func only<T: PersistentModel>(_ type: T.Type) throws -> T {
    let all = try all(type)
    try #require(all.count == 1)
    return all[0]
  }
}
