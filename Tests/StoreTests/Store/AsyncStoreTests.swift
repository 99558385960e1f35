import Foundation
import Synchronization
import Testing
import Trellis

@Suite struct AsyncStoreTests {
  /// Runs code outside of the cooperative thread pool.
  private func onAThread<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result { try body() }) }.start()
    }
  }

  private func save(_ codes: [String], in container: ModelContainer) throws {
    let context = ModelContext(container)
    for code in codes {
      let keep = Keep(code: code)
      keep.parts = [KeepPart(title: "part of \(code)")]
      context.insert(keep)
    }
    try context.save()
  }

  @Test func fromAThreadOfOnesOwn() async throws {
    let configuration = RemoteConfiguration()
    let texts = try await onAThread {
      let container = try KeepWorld.container(AsyncConfiguration(configuration))
      try save(["a", "b"], in: container)
      let context = ModelContext(container)
      let found = try context.fetch(FetchDescriptor<Keep>(predicate: #Predicate { $0.code == "b" }))
      #expect(found.first?.parts.map(\.title) == ["part of b"])
      #expect(try context.fetchCount(FetchDescriptor<Keep>()) == 2)
      context.delete(try #require(found.first))
      try context.save()
      let texts = try KeepWorld.text(container)
      try container.erase()
      #expect(try ModelContext(container).fetchCount(FetchDescriptor<Keep>()) == 0)
      return texts
    }
    #expect(texts.count == 2)
  }

  @Test func inTheBackground() async throws {
    let configuration = RemoteConfiguration()
    let container = try await onAThread {
      try KeepWorld.container(AsyncConfiguration(configuration))
    }
    let count = try await container.performBackgroundTask { context in
      context.insert(Keep(code: "a"))
      try context.save()
      return try context.fetchCount(FetchDescriptor<Keep>())
    }
    #expect(count == 1)
    await #expect(throws: RemoteStore.Down.self) {
      configuration.server.isDown.withLock { $0 = true }
      _ = try await container.performBackgroundTask { try $0.fetch(FetchDescriptor<Keep>()).count }
    }
  }

  private actor Keeper: ModelActor {
    nonisolated let modelExecutor: any ModelExecutor

    init(_ container: ModelContainer) {
      modelExecutor = DefaultSerialModelExecutor(modelContainer: container)
    }

    func add(_ code: String) throws -> Int {
      modelContext.insert(Keep(code: code))
      try modelContext.save()
      return try modelContext.fetchCount(FetchDescriptor<Keep>())
    }
  }

  @Test func inAModelActor() async throws {
    let container = try await onAThread {
      try KeepWorld.container(AsyncConfiguration(RemoteConfiguration()))
    }
    let keeper = Keeper(container)
    #expect(try await keeper.add("a") == 1)
    #expect(try await keeper.add("b") == 2)
  }

  @MainActor @Test func onTheMainActor() async throws {
    let container = try await onAThread {
      try KeepWorld.container(AsyncConfiguration(RemoteConfiguration()))
    }
    container.mainContext.insert(Keep(code: "a"))
    try container.mainContext.save()
    #expect(try KeepWorld.keeps(container.mainContext).map(\.code) == ["a"])
  }

  /// A call on a thread of the cooperative pool throws, and the message suggests another thread.
  @Test func notOnASharedThread() async throws {
    let container = try await onAThread {
      try KeepWorld.container(AsyncConfiguration(RemoteConfiguration()))
    }
    let message = await Task.detached { () -> String? in
      do {
        _ = try ModelContext(container).fetch(FetchDescriptor<Keep>())
        return nil
      } catch {
        return "\(error)"
      }
    }.value
    #expect(message?.contains("performBackgroundTask") == true)
  }

  /// The store answers even if all threads of the cooperative pool are blocked.
  @Test func answersWhileEveryTaskWaits() async throws {
    let container = try await onAThread {
      try KeepWorld.container(AsyncConfiguration(RemoteConfiguration()))
    }
    let isOver = DispatchSemaphore(value: 0)
    let count = ProcessInfo.processInfo.activeProcessorCount * 2
    let answered = onItsOwn { try save(["a"], in: container) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask { Self.wait(for: isOver) }
      }
      Thread {
        _ = answered.wait(timeout: .now() + 90)
        for _ in 0..<count { isOver.signal() }
      }.start()
    }
    #expect(try await container.performBackgroundTask { try $0.fetchCount(FetchDescriptor<Keep>()) } == 1)
  }

  /// Two concurrent calls; the first one continues after the second has started.
  @Test func callsDoNotWaitForEachOther() async throws {
    for _ in 0..<20 {
      let configuration = MeetingConfiguration()
      let container = try await onAThread {
        try KeepWorld.container(AsyncConfiguration(configuration))
      }
      async let first = container.performBackgroundTask { try $0.fetchCount(FetchDescriptor<Keep>()) }
      async let second = container.performBackgroundTask { try $0.fetchCount(FetchDescriptor<Keep>()) }
      #expect(try await [first, second] == [0, 0])
    }
  }

  private func onItsOwn(_ body: @escaping @Sendable () throws -> Void) -> DispatchSemaphore {
    let isDone = DispatchSemaphore(value: 0)
    Thread {
      Thread.sleep(forTimeInterval: 0.05)
      try? body()
      isDone.signal()
    }.start()
    return isDone
  }

  private static func wait(for semaphore: DispatchSemaphore) {
    #expect(semaphore.wait(timeout: .now() + 60) == .success)
  }
}

/// A store that blocks until there are two callers.
private struct MeetingConfiguration: AsyncDataStoreConfiguration {
  typealias AsyncStore = MeetingStore

  final class Meeting: Sendable {
    let count = Atomic<Int>(0)
  }

  var name = "meeting"
  var schema: Schema?
  let meeting = Meeting()

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.meeting === rhs.meeting }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(meeting)) }
}

private final class MeetingStore: AsyncDataStore {
  typealias Snapshot = DefaultSnapshot

  let configuration: MeetingConfiguration
  let schema: Schema
  let identifier = "meeting"

  struct Alone: Error {}

  init(
    _ configuration: MeetingConfiguration, migrationPlan: (any SchemaMigrationPlan.Type)?
  ) async throws {
    self.configuration = configuration
    schema = configuration.schema ?? Schema()
  }

  func fetch<T: PersistentModel>(
    _ request: DataStoreFetchRequest<T>
  ) async throws -> DataStoreFetchResult<T, DefaultSnapshot> {
    let meeting = configuration.meeting
    meeting.count.add(1, ordering: .sequentiallyConsistent)
    // The second call can wait for a thread that other tests use.
    for _ in 0..<60_000 where meeting.count.load(ordering: .sequentiallyConsistent) < 2 { usleep(1_000) }
    guard meeting.count.load(ordering: .sequentiallyConsistent) >= 2 else { throw Alone() }
    return DataStoreFetchResult(descriptor: request.descriptor, fetchedSnapshots: [])
  }

  func save(
    _ request: DataStoreSaveChangesRequest<DefaultSnapshot>
  ) async throws -> DataStoreSaveChangesResult<DefaultSnapshot> {
    DataStoreSaveChangesResult(for: identifier)
  }
}
