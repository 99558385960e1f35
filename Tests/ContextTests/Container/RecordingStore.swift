import Foundation
import Synchronization
import TestStores
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
  private var table = SnapshotTable<DefaultSnapshot>(remapsReferences: false)

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([])
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try table.fetch(request, sendsRelated: true)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    let result = try table.save(request, in: identifier)
    for (verb, snapshots) in [
      ("insert", request.inserted), ("update", request.updated), ("delete", request.deleted),
    ] {
      for snapshot in snapshots { configuration.log.add("\(verb) \(try text(snapshot))") }
    }
    return result
  }

  private func text(_ snapshot: DefaultSnapshot) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(snapshot), as: UTF8.self)
  }
}
