import Foundation
import TestSupport
import Testing

@testable import Trellis
@testable import TrellisModel

/// A store in a temporary folder that is removed with the fixture.
final class StoreFixture {
  let folder: URL
  let schema: Schema
  var url: URL { folder.appendingPathComponent("test.store") }
  static let context = EditingState()

  init(_ models: any PersistentModel.Type...) throws {
    schema = Schema(models)
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("trellis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func open(
    _ schema: Schema? = nil, allowsSave: Bool = true, _ configure: (inout ModelConfiguration) -> Void = { _ in }
  ) throws -> DefaultStore {
    var configuration = ModelConfiguration(schema: schema ?? self.schema, url: url, allowsSave: allowsSave)
    configure(&configuration)
    return try DefaultStore(configuration, migrationPlan: nil)
  }

  func openInMemory() throws -> DefaultStore {
    try DefaultStore(
      ModelConfiguration(nil, schema: schema, isStoredInMemoryOnly: true), migrationPlan: nil)
  }

  /// The files in the folder with their contents, without shared memory.
  func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      contents[name] = try? Data(contentsOf: folder.appendingPathComponent(name))
    }
    return contents
  }

  /// Runs SQL in another process and returns the result.
  @discardableResult func shell(_ sql: String, at path: String? = nil) throws -> String {
    try SQLiteShell(path.map { URL(fileURLWithPath: $0) } ?? url).run(sql)
  }

  /// The results of SQLite's integrity checks; empty if there are none.
  func complaints() throws -> String { try SQLiteShell(url).complaints() }
}

extension ModelSnapshot {
  /// The values in a separate buffer.
  func snapshot(
    changed: [Int]? = nil, lists: [Int]? = nil
  ) -> DefaultSnapshot {
    let buffer = TypedBuffer<Self>(capacity: 1)
    buffer.append(self)
    return DefaultSnapshot(
      buffer: buffer, index: 0, changed: changed.map(PropertySet.init),
      changedLists: lists.map(PropertySet.init))
  }

  /// A changed copy.
  func with(_ change: (inout Self) -> Void) -> Self {
    var copy = self
    change(&copy)
    return copy
  }
}

extension PropertySet {
  init(_ slots: [Int]) {
    self.init()
    for slot in slots { insert(slot) }
  }
}

extension DefaultStore {
  /// Saves and returns the identifiers of inserted models in order.
  @discardableResult
  func save(
    insert: [DefaultSnapshot] = [], update: [DefaultSnapshot] = [], delete: [DefaultSnapshot] = []
  ) throws -> [PersistentIdentifier] {
    let request = DataStoreSaveChangesRequest(
      inserted: insert, updated: update, deleted: delete, editingState: StoreFixture.context)
    let result = try save(request)
    let map = result.remappedIdentifiers
    return insert.compactMap { map[$0.persistentIdentifier] }
  }

  /// The values of all matches, in order.
  func values<S: ModelSnapshot>(
    _ type: S.Type, _ descriptor: FetchDescriptor<S.Model> = FetchDescriptor()
  ) throws -> [S] {
    var values: [S] = []
    try rows(Query(descriptor, StoreFixture.context)) { row in values.append(try S.read(&row)) }
    return values
  }

  func members<S: ModelSnapshot>(
    _ type: S.Type, of owner: PersistentIdentifier, slot: Int
  ) throws -> [S] {
    var values: [S] = []
    let request = DataStoreRelatedRequest(owners: [owner], entityName: owner.entityName, slot: slot)
    try members(request) { values.append(try S.read(&$1)) }
    return values
  }
}
