import Foundation
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
  private var models: [PersistentIdentifier: DefaultSnapshot] = [:]

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
    for model in try migration?.run(old) ?? old { models[model.persistentIdentifier] = model }
    if migration != nil { try write(models) }
  }

  private func write(_ models: [PersistentIdentifier: DefaultSnapshot]) throws {
    let file = File(version: version, models: Array(models.values))
    try JSONEncoder().encode(file).write(to: configuration.url, options: .atomic)
    self.models = models
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(models.values))
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      remapped[snapshot.persistentIdentifier] = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
    }
    var next = models
    for snapshot in request.inserted + request.updated {
      let own = remapped[snapshot.persistentIdentifier] ?? snapshot.persistentIdentifier
      next[own] = snapshot.copy(persistentIdentifier: own, remappedIdentifiers: remapped)
    }
    for snapshot in request.deleted { next[snapshot.persistentIdentifier] = nil }
    try write(next)
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
