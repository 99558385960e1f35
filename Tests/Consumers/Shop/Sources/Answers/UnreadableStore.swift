import Foundation
import Trellis

/// An in-memory store that can be made to fail.
final class UnreadableStore: DataStore {
  struct Configuration: DataStoreConfiguration {
    typealias Store = UnreadableStore

    var name = "unreadable"
    var schema: Schema?
    let fault = Fault()

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.fault === rhs.fault }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(fault)) }
  }

  /// True if reading fails.
  final class Fault: @unchecked Sendable {  // used on one thread
    var isOn = false
  }

  struct Unreadable: Error {}

  let configuration: Configuration
  let identifier = UUID().uuidString
  let schema: Schema
  private var rows: [PersistentIdentifier: DefaultSnapshot] = [:]

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([])
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if configuration.fault.isOn { throw Unreadable() }
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: Array(rows.values), relatedSnapshots: [:])
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    var remapped: [PersistentIdentifier: PersistentIdentifier] = [:]
    for snapshot in request.inserted {
      let permanent = try PersistentIdentifier.identifier(
        for: identifier, entityName: snapshot.persistentIdentifier.entityName, primaryKey: UUID())
      rows[permanent] = snapshot.copy(persistentIdentifier: permanent)
      remapped[snapshot.persistentIdentifier] = permanent
    }
    for snapshot in request.updated { rows[snapshot.persistentIdentifier] = snapshot }
    for snapshot in request.deleted { rows[snapshot.persistentIdentifier] = nil }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }
}
