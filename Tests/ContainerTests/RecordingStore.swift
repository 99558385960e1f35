import Foundation
import Synchronization
import Trellis

/// The changes of save requests as text.
final class SaveLog: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  func takeAll() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

/// An in-memory store that records every change.
final class RecordingStore: DataStore {
  struct Configuration: DataStoreConfiguration {
    typealias Store = RecordingStore

    var name = "recording"
    var schema: Schema?
    let log = SaveLog()

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.log === rhs.log }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(log)) }
  }

  typealias Snapshot = DefaultSnapshot

  let configuration: Configuration
  let schema: Schema
  let identifier = UUID().uuidString
  private var rows: [PersistentIdentifier: DefaultSnapshot] = [:]

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([])
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    if request.descriptor.predicate != nil { throw DataStoreError.preferInMemoryFilter }
    if !request.descriptor.sortBy.isEmpty { throw DataStoreError.preferInMemorySort }
    return DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: Array(rows.values), relatedSnapshots: rows)
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
    for (verb, snapshots) in [
      ("insert", request.inserted), ("update", request.updated), ("delete", request.deleted),
    ] {
      for snapshot in snapshots { configuration.log.add("\(verb) \(try text(snapshot))") }
    }
    return DataStoreSaveChangesResult(for: identifier, remappedIdentifiers: remapped)
  }

  private func text(_ snapshot: DefaultSnapshot) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(snapshot), as: UTF8.self)
  }
}
