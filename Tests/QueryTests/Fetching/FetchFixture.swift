import Foundation
import Synchronization
import TestStores
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// A container with the excursion models in SQLite or in a store of snapshots, and a log of its queries.
final class FetchFixture {
  let container: ModelContainer
  let context: ModelContext
  private let log = StatementLog()
  private let drawer: Drawer?
  private var others: [ModelContext] = []

  enum Kind: CaseIterable, CustomTestStringConvertible {
    case tables, snapshots
    var testDescription: String { self == .tables ? "DefaultStore" : "a store of snapshots" }
  }

  init(_ kind: Kind = .tables) throws {
    let schema = Schema([Excursion.self])
    switch kind {
    case .tables:
      drawer = nil
      var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
      configuration.trace = log.add
      container = try ModelContainer(for: schema, configurations: [configuration])
    case .snapshots:
      let configuration = DrawerConfiguration(schema: schema)
      drawer = configuration.drawer
      container = try ModelContainer(for: schema, configurations: [configuration])
    }
    context = ModelContext(container)
  }

  /// Another context without registered models, which the fixture retains.
  func fresh() -> ModelContext {
    let context = ModelContext(container)
    others.append(context)
    return context
  }

  /// The queries during the call; for a store of snapshots, one line each.
  func queries(_ body: () throws -> Void) throws -> [String] {
    log.removeAll()
    drawer?.calls = []
    try body()
    return drawer?.calls ?? log.queries
  }

  /// True if a store of snapshots returns all its snapshots with every result.
  var sendsRelated: Bool {
    get { drawer?.sendsRelated ?? false }
    set { drawer?.sendsRelated = newValue }
  }

  /// Saves excursions `e000`, `e001`, … with equal lengths in another context.
  func fill(_ count: Int, _ decorate: (Int, Excursion) -> Void = { _, _ in }) throws {
    let context = ModelContext(container)
    for number in 0..<count {
      let excursion = Excursion(code: code(number), title: "t\(number % 3)", length: number)
      context.insert(excursion)
      decorate(number, excursion)
    }
    try context.save()
  }
}

/// The row queries of a store in order.
private final class StatementLog: Sendable {
  private let recorded = Mutex<[String]>([])

  var queries: [String] { recorded.withLock { $0 } }

  func removeAll() { recorded.withLock { $0 = [] } }

  @Sendable func add(_ statement: TracedStatement) {
    guard statement.sql.hasPrefix("SELECT"), !statement.sql.contains(StoreCatalogue.metadataTable) else { return }
    recorded.withLock { $0.append(statement.sql) }
  }
}

func code(_ number: Int) -> String {
  let digits = String(number)
  return "e" + String(repeating: "0", count: max(0, 3 - digits.count)) + digits
}

extension FetchDescriptor where T == Excursion {
  static var byCode: Self { FetchDescriptor(sortBy: [SortDescriptor(\.code)]) }
}

/// An in-memory store of snapshots that neither filters nor sorts.
final class Drawer {
  var table = SnapshotTable<DefaultSnapshot>()
  var calls: [String] = []
  var sendsRelated = false
}

struct DrawerConfiguration: DataStoreConfiguration {
  typealias Store = DrawerStore

  var name = "drawer"
  var schema: Schema?
  let drawer = Drawer()

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.drawer === rhs.drawer }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(drawer)) }
}

final class DrawerStore: DataStore {
  typealias Configuration = DrawerConfiguration
  typealias Snapshot = DefaultSnapshot

  let configuration: DrawerConfiguration
  let schema: Schema
  let identifier = "drawer"
  private var drawer: Drawer { configuration.drawer }

  init(
    _ configuration: DrawerConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) throws {
    self.configuration = configuration
    self.schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    try SnapshotTable<DefaultSnapshot>.refuse(request)
    drawer.calls.append("fetch \(T.self)")
    let name = Schema.entityName(for: T.self)
    let names = Set((schema.entitiesByName[name]?.hierarchy ?? []).map(\.name) + [name])
    return DataStoreFetchResult(
      descriptor: request.descriptor,
      fetchedSnapshots: drawer.table.snapshots.filter { names.contains($0.persistentIdentifier.entityName) },
      relatedSnapshots: drawer.sendsRelated ? drawer.table.rows : [:])
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    try drawer.table.save(request, in: identifier)
  }
}
