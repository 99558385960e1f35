import Foundation
import Synchronization
import Testing
import Trellis

@testable import TestWorlds

/// Tests of the isolation in which a manually created context with `autosaveEnabled` saves.
@Suite struct AutosaveIsolationTests {
  private static func stored(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Studio>(sortBy: [SortDescriptor(\.name)]))
      .map(\.name)
  }

  /// Waits until the store contains these names, for at least one minute.
  private static func wait(_ container: ModelContainer, for names: [String]) async throws -> Bool {
    for _ in 0..<6_000 {
      if try stored(container) == names { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  // MARK: Contexts of an actor

  @Test @MainActor func aContextOnTheMainActorSavesThere() async throws {
    let container = try LifeCycleFixture.container()
    let context = ModelContext(container)
    context.autosaveEnabled = true
    context.autosavePolicy.delay = .milliseconds(10)
    let saves = Mutex(0)
    let token = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: context, queue: nil
    ) { _ in
      MainActor.preconditionIsolated("a save in another thread")
      saves.withLock { $0 += 1 }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    let model = studio("main")
    context.insert(model)
    #expect(try await Self.wait(container, for: ["main"]))
    #expect(saves.withLock { $0 } == 1)
    model.name = "changed"
    #expect(try await Self.wait(container, for: ["changed"]))
    #expect(!context.hasChanges)
  }

  /// Creates its context in an initialiser that is not yet isolated, like actors do.
  private actor Keeper {
    let context: ModelContext

    init(_ container: ModelContainer, delay: Duration = .milliseconds(10)) {
      let context = ModelContext(container)
      context.autosaveEnabled = true
      context.autosavePolicy.delay = delay
      self.context = context
    }

    func insert(_ name: String) { context.insert(studio(name)) }

    func rename(_ name: String) throws {
      for model in try context.fetch(FetchDescriptor<Studio>()) { model.name = name }
    }

    /// Returns after a save that is running on the actor.
    func finishSaving() {}

    func rename(_ id: PersistentIdentifier, _ name: String) {
      (context.model(for: id) as? Studio)?.name = name
    }
  }

  @Test func aContextOfAnActorSavesThere() async throws {
    let container = try LifeCycleFixture.container()
    let keeper = Keeper(container)
    let saves = Mutex(0)
    let token = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: nil, queue: nil
    ) { note in
      guard (note.object as? ModelContext)?.container === container else { return }
      keeper.preconditionIsolated("a save in another thread")
      saves.withLock { $0 += 1 }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    await keeper.insert("one")
    #expect(try await Self.wait(container, for: ["one"]))
    await keeper.finishSaving()
    #expect(saves.withLock { $0 } == 1)
    try await keeper.rename("two")
    #expect(try await Self.wait(container, for: ["two"]))
  }

  /// Any first call of the actor determines the isolation of the context.
  @Test func fetchesAndModelAccessDetermineTheIsolation() async throws {
    let container = try LifeCycleFixture.container()
    let context = ModelContext(container)
    let model = studio("old")
    context.insert(model)
    try context.save()
    let id = model.persistentModelID
    try await Keeper(container).rename("fetched")
    #expect(try await Self.wait(container, for: ["fetched"]))
    let keeper = Keeper(container)
    await keeper.rename(id, "looked up")
    #expect(try await Self.wait(container, for: ["looked up"]))
  }

  private actor Writer: ModelActor {
    nonisolated let modelExecutor: any ModelExecutor

    init(_ container: ModelContainer) {
      let context = ModelContext(container)
      context.autosaveEnabled = true
      context.autosavePolicy.delay = .milliseconds(10)
      modelExecutor = DefaultSerialModelExecutor(modelContext: context)
    }

    func insert(_ name: String) { modelContext.insert(studio(name)) }
    /// The call is not isolated to the actor, because it reaches the context through a function.
    func insertElsewhere(_ name: String) { add(name, to: modelContext) }
    var isSaved: Bool { !modelContext.hasChanges }
  }

  @Test func aContextOfAModelActorSavesThere() async throws {
    let container = try LifeCycleFixture.container()
    let writer = Writer(container)
    await writer.insert("one")
    #expect(try await Self.wait(container, for: ["one"]))
    #expect(await writer.isSaved)
    let other = Writer(container)
    await other.insertElsewhere("two")
    #expect(try await Self.wait(container, for: ["one", "two"]))
    #expect(await other.isSaved)
  }

  @Test func changesOfAReleasedActorAreSaved() async throws {
    let container = try LifeCycleFixture.container()
    weak var gone: Keeper?
    do {
      let keeper = Keeper(container, delay: .seconds(1_000))
      gone = keeper
      await keeper.insert("left")
    }
    #expect(try await Self.wait(container, for: ["left"]))
    #expect(gone == nil, "a change that waits keeps no actor")
  }

  @Test func manyActorsLoseNoChanges() async throws {
    let container = try LifeCycleFixture.container()
    let names = (0..<200).map { String(format: "%03d", $0) }
    await withTaskGroup(of: Void.self) { group in
      for part in 0..<8 {
        group.addTask {
          let keeper = Keeper(container)
          for index in stride(from: part, to: names.count, by: 8) {
            await keeper.insert(names[index])
            if index % 24 == 0 { try? await Task.sleep(for: .milliseconds(3)) }
          }
        }
      }
    }
    #expect(try await Self.wait(container, for: names))
  }
}

private func add(_ name: String, to context: ModelContext) { context.insert(studio(name)) }
