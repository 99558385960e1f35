import Foundation
import Trellis

// A store as the sample of 2024 has it, in the spelling of that year: it returns every snapshot for any
// entity, copies without remapping references, and knows of no rules.

final class SampleConfiguration: DataStoreConfiguration {
  typealias StoreType = SampleStore

  var name: String
  var schema: Schema?
  var fileURL: URL

  init(name: String, schema: Schema? = nil, fileURL: URL) {
    self.name = name
    self.schema = schema
    self.fileURL = fileURL
  }

  static func == (lhs: SampleConfiguration, rhs: SampleConfiguration) -> Bool {
    lhs.name == rhs.name
  }

  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

final class SampleStore: DataStore {
  typealias Configuration = SampleConfiguration
  typealias Snapshot = DefaultSnapshot

  var configuration: SampleConfiguration
  var name: String
  var schema: Schema
  var identifier: String

  init(
    _ configuration: SampleConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    self.name = configuration.name
    self.schema = configuration.schema!
    self.identifier = configuration.fileURL.lastPathComponent
  }

  // The initialiser of the result is the one of 2024.
  @available(*, deprecated)
  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped = [PersistentIdentifier: PersistentIdentifier]()
    var all = try read()
    for snapshot in request.inserted {
      let permanent = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
      all[permanent] = snapshot.copy(persistentIdentifier: permanent)
      remapped[snapshot.persistentIdentifier] = permanent
    }
    for snapshot in request.updated { all[snapshot.persistentIdentifier] = snapshot }
    for snapshot in request.deleted { all[snapshot.persistentIdentifier] = nil }
    try write(all)
    return DataStoreSaveChangesResult<DefaultSnapshot>(
      for: identifier, remappedPersistentIdentifiers: remapped,
      deletedIdentifiers: request.deleted.map { $0.persistentIdentifier })
  }

  func fetch<T>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> where T: PersistentModel {
    if request.descriptor.predicate != nil {
      throw DataStoreError.preferInMemoryFilter
    } else if request.descriptor.sortBy.count > 0 {
      throw DataStoreError.preferInMemorySort
    }
    let all = try read()
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: all.values.map { $0 }, relatedSnapshots: all)
  }

  private func read() throws -> [PersistentIdentifier: DefaultSnapshot] {
    guard FileManager.default.fileExists(atPath: configuration.fileURL.path(percentEncoded: false))
    else { return [:] }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    var result = [PersistentIdentifier: DefaultSnapshot]()
    let data = try Data(contentsOf: configuration.fileURL)
    for snapshot in try decoder.decode([DefaultSnapshot].self, from: data) {
      result[snapshot.persistentIdentifier] = snapshot
    }
    return result
  }

  private func write(_ snapshots: [PersistentIdentifier: DefaultSnapshot]) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(snapshots.values.map { $0 }).write(to: configuration.fileURL)
  }
}
