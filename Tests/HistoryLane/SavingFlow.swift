import Foundation
import Runtime
import TestStores
import Trellis

/// A store that records the call stack of each call. Runs in a separate process, because walking a stack is unsafe
/// while concurrent threads map and unmap files.
final class FlowStore: DataStore {
  struct Configuration: DataStoreConfiguration {
    typealias Store = FlowStore

    var name = "flow"
    var schema: Schema?
    let flow: SavingFlow

    static func == (lhs: Self, rhs: Self) -> Bool { lhs.flow === rhs.flow }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(flow)) }
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

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    configuration.flow.record("fetch")
    return try table.fetch(request)
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    configuration.flow.record("save")
    return try table.save(request, in: identifier)
  }
}

/// The calls of a store during saves.
final class SavingFlow: @unchecked Sendable {  // used by one thread
  private var stacks: [(call: String, stack: Backtrace)] = []
  private var isRecording = false

  func record(_ call: String) {
    guard isRecording, let stack = try? Backtrace.capture(limit: 200) else { return }
    stacks.append((call, stack))
  }

  /// Saves insertions, and a deletion whose cascade finds models of another context.
  func run() throws {
    let schema = Schema([Account.self, Entry.self])
    let configuration = FlowStore.Configuration(schema: schema, flow: self)
    let container = try ModelContainer(for: schema, configurations: [configuration])
    let (context, other) = (ModelContext(container), ModelContext(container))
    let account = Account(name: "a")
    context.insert(account)
    for number in 0..<3 { context.insert(Entry(text: "\(number)", account: account)) }
    try save(context)
    let theirs = try other.fetch(FetchDescriptor<Account>()).first
    other.insert(Entry(text: "late", account: theirs))
    try other.save()
    context.delete(account)
    try save(context)
    guard try ModelContext(container).fetchCount(FetchDescriptor<Entry>()) == 0 else { exit(1) }
  }

  private func save(_ context: ModelContext) throws {
    isRecording = true
    defer { isRecording = false }
    try context.save()
  }

  /// One line for each call: the call's name, followed by the parts of the runtime that led to it, outermost first.
  var lines: [String] {
    stacks.map { call, stack in
      let paths = stack.symbolicated()?.frames.reversed().compactMap { $0.symbol?.sourceLocation?.path } ?? []
      let layers = paths.compactMap { path -> String? in
        if path.contains("/Context/StoreHandles/") || path.hasSuffix("/StoreHandle.swift")
          || path.hasSuffix("HistoryLane/SavingFlow.swift")
        {
          return "store"
        }
        return path.contains("/Runtime/Trellis/Context/") ? "context" : nil
      }
      // Drop the frames of `run`, which is in the same file as the store.
      let order = layers.drop { $0 == "store" }.reduce(into: [String]()) { if $0.last != $1 { $0.append($1) } }
      return ([call] + order).joined(separator: " ")
    }
  }
}
