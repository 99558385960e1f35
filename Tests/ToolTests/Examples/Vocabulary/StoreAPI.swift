import Foundation
import Trellis

// The custom store that the documentation of `DataStore` shows, with a history for further excerpts.

struct MemoryConfiguration: DataStoreConfiguration {
  typealias Store = MemoryStore

  let name: String
  var schema: Schema?
}

final class MemoryStore: DataStore {
  typealias Snapshot = DefaultSnapshot

  let configuration: MemoryConfiguration
  let identifier = UUID().uuidString
  var schema: Schema { configuration.schema ?? Schema() }
  var rows: [PersistentIdentifier: DefaultSnapshot] = [:]
  var transactions: [MemoryTransaction] = []
  var lastDeleted = 0

  init(_ configuration: MemoryConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?) {
    self.configuration = configuration
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: Array(rows.values))
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    DataStoreSaveChangesResult(for: identifier)
  }
}

struct MemoryTransaction: HistoryTransaction {
  let author: String?
  let changes: [HistoryChange]
  let storeIdentifier: String
  let timestamp: Date
  let token: MemoryToken
  var transactionIdentifier: Int { token.number }
  var id: Int { token.number }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.token == rhs.token }
  func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

struct MemoryToken: HistoryToken {
  let storeIdentifier: String
  let number: Int
  var tokenValue: Int? { number }
  var id: Int { number }

  static func < (lhs: Self, rhs: Self) -> Bool { lhs.number < rhs.number }
}
