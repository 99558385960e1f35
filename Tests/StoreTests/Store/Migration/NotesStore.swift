import Foundation
import TestStores
import Trellis

/// A store with one JSON file that migrates itself.
struct NotesConfiguration: DataStoreConfiguration {
  typealias Store = NotesStore

  var name = "notes"
  var schema: Schema?
  let url: URL
}

final class NotesStore: DataStore {
  private struct File: Codable {
    var version: Schema.Version
    var models: [DefaultSnapshot]
  }

  let configuration: NotesConfiguration
  let schema: Schema
  let identifier = "notes"
  private let version: Schema.Version
  private var table = SnapshotTable<DefaultSnapshot>()

  init(_ configuration: NotesConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
    version = SnapshotMigration.version(of: schema, plan: migrationPlan)
    guard let data = try? Data(contentsOf: configuration.url) else { return }
    struct Head: Decodable { let version: Schema.Version }
    let decoder = JSONDecoder()
    let stored = try decoder.decode(Head.self, from: data).version
    let migration = try migrationPlan.flatMap {
      try SnapshotMigration($0, from: stored, storeIdentifier: identifier)
    }
    decoder.userInfo[.schema] = migration?.schema ?? schema
    let old = try decoder.decode(File.self, from: data).models
    for model in try migration?.run(old) ?? old { table.rows[model.persistentIdentifier] = model }
    if migration != nil { try write(table) }
  }

  private func write(_ table: SnapshotTable<DefaultSnapshot>) throws {
    let file = File(version: version, models: table.snapshots)
    try JSONEncoder().encode(file).write(to: configuration.url, options: .atomic)
    self.table = table
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try table.fetch(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var next = table
    let result = try next.save(request, in: identifier)
    try write(next)
    return result
  }
}
