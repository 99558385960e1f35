import Foundation
import TestStores
import Trellis

/// An in-memory store that filters and sorts, or leaves one or both to contexts.
///
/// The test specifies the filter and order twice: as a predicate for contexts and as closures on snapshots for the
/// store.
final class TalentStore: DataStore {
  struct Question: Sendable {
    var matches: @Sendable (DefaultSnapshot) -> Bool = { _ in true }
    var precedes: @Sendable (DefaultSnapshot, DefaultSnapshot) -> Bool = { _, _ in false }
    @TaskLocal static var current: Question?
  }

  struct Configuration: DataStoreConfiguration {
    typealias Store = TalentStore

    var name = UUID().uuidString
    var schema: Schema?
    var filters: Bool
    var sorts: Bool

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.name == rhs.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  typealias Snapshot = DefaultSnapshot

  let configuration: Configuration
  let schema: Schema
  var identifier: String { configuration.name }
  private var table = SnapshotTable<DefaultSnapshot>(keys: .numbers)

  init(_ configuration: Configuration, migrationPlan: (any SchemaMigrationPlan.Type)?) throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema([])
  }

  /// The complete result including limit and offset, if the store evaluates everything.
  private func find<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>
  ) throws -> [DefaultSnapshot] {
    let question = Question.current
    if descriptor.predicate != nil, !configuration.filters || question == nil {
      throw DataStoreError.preferInMemoryFilter
    }
    if !descriptor.sortBy.isEmpty, !configuration.sorts || question == nil {
      throw DataStoreError.preferInMemorySort
    }
    let subclasses = schema.entities.filter { $0.superentityName == "\(T.self)" }.map(\.name)
    let wanted = Set(["\(T.self)"] + subclasses)
    var found = table.snapshots.filter { wanted.contains($0.persistentIdentifier.entityName) }
    if descriptor.predicate != nil, let question { found = found.filter(question.matches) }
    if !descriptor.sortBy.isEmpty, let question { found.sort(by: question.precedes) }
    found = Array(found.dropFirst(max(0, descriptor.fetchOffset ?? 0)))
    return descriptor.fetchLimit.map { Array(found.prefix(max(0, $0))) } ?? found
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    DataStoreFetchResult(
      descriptor: request.descriptor, fetchedSnapshots: try find(request.descriptor))
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try table.save(request, in: identifier)
  }
}
