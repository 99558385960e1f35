import Foundation
import TestSupport
import Testing
import Trellis

/// A store file in a folder of its own, which goes with the fixture.
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

  /// What another program finds in the file, or does to it.
  @discardableResult
  func shell(_ sql: String) throws -> String { try SQLiteShell(url).run(sql) }

  /// The names of the external files.
  var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: externalFolder)) ?? [])
      .filter { $0 != "pending" }.sorted()
  }

  /// The lists of transactions that are under way or were interrupted.
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
