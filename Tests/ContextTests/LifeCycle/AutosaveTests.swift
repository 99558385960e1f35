import Foundation
import Synchronization
import TestStores
import Testing
import Trellis

@testable import TestWorlds

@Suite struct AutosaveTests {
  /// Waits until a condition holds, for at least one minute, because the machine can be busy.
  private static func wait(
    isolation: isolated (any Actor)? = #isolation, until isSo: () throws -> Bool
  ) async throws -> Bool {
    for _ in 0..<6_000 {
      if try isSo() { return true }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  private static func stored(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Studio>(sortBy: [SortDescriptor(\.name)]))
      .map(\.name)
  }

  @Test @MainActor func S065_theMainContextAutosaves() async throws {
    let container = try LifeCycleFixture.container()
    let main = container.mainContext
    main.autosavePolicy.delay = .milliseconds(20)
    let model = studio()
    main.insert(model)
    #expect(main.hasChanges)
    #expect(try await Self.wait { !main.hasChanges })
    #expect(try Self.stored(container) == ["North"])
    model.name = "South"
    #expect(try await Self.wait { !main.hasChanges })
    main.delete(model)
    #expect(try await Self.wait { !main.hasChanges })
    #expect(try Self.stored(container).isEmpty)
  }

  @Test @MainActor func changesOfAnUnreferencedMainContextAreSaved() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).store")
    defer { try? FileManager.default.removeItem(at: file) }
    let open = { try ModelContainer(for: Studio.self, configurations: ModelConfiguration(url: file)) }
    weak var context: ModelContext?
    do {
      let container = try open()
      container.mainContext.autosavePolicy.delay = .milliseconds(10)
      container.mainContext.insert(studio())
      context = container.mainContext
    }
    #expect(context != nil)
    #expect(try await Self.wait { context == nil })
    #expect(try Self.stored(open()) == ["North"])
  }

  @Test func S064_autosaveIsOffAndThenSavesAtTheNextFetch() async throws {
    let container = try LifeCycleFixture.container()
    let context = ModelContext(container)
    #expect(!context.autosaveEnabled)
    context.insert(studio("first"))
    _ = try context.fetchCount(FetchDescriptor<Studio>())
    #expect(context.hasChanges)
    context.autosavePolicy.delay = .milliseconds(5)
    context.autosaveEnabled = true
    #expect(context.autosaveEnabled)
    try await Task.sleep(for: .milliseconds(10))
    #expect(try context.fetchCount(FetchDescriptor<Studio>()) == 1)
    #expect(!context.hasChanges)
    #expect(try Self.stored(container) == ["first"])
    context.insert(studio("second"))
    context.autosavePolicy.delay = .seconds(100)
    _ = try context.fetchCount(FetchDescriptor<Studio>())
    #expect(context.hasChanges)
    context.autosaveEnabled = false
    context.rollback()
  }

  private actor Importer {
    let context: ModelContext

    init(_ container: ModelContainer) { context = ModelContext(container) }

    func start(_ policy: ModelContext.AutosavePolicy) { context.enableAutosave(policy) }
    func insert(_ name: String) { context.insert(studio(name)) }
    var isSaved: Bool { !context.hasChanges }
  }

  @Test func aContextOfAnActorSavesThere() async throws {
    let container = try LifeCycleFixture.container()
    let importer = Importer(container)
    await importer.start(.init(delay: .milliseconds(10)))
    await importer.insert("actor")
    var isSaved = false
    for _ in 0..<6_000 where !isSaved {
      try await Task.sleep(for: .milliseconds(10))
      isSaved = await importer.isSaved
    }
    #expect(isSaved)
    #expect(try Self.stored(container) == ["actor"])
  }

  @Test @MainActor func manyChangesCauseASingleSave() async throws {
    let container = try LifeCycleFixture.container()
    let main = container.mainContext
    let delay = Duration.milliseconds(300)
    main.autosavePolicy = .init(delay: delay, maximumLatency: .seconds(30))
    nonisolated(unsafe) var saves = 0
    let token = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: main, queue: nil
    ) { _ in saves += 1 }
    defer { NotificationCenter.default.removeObserver(token) }
    let start = ContinuousClock.now
    for index in 0..<10 {
      main.insert(studio("\(index)"))
      try await Task.sleep(for: .milliseconds(2))
    }
    let taken = ContinuousClock.now - start
    #expect(try await Self.wait { !main.hasChanges })
    // On a busy machine, the pause between the changes can exceed the delay.
    #expect(saves == 1 || taken > delay)
  }

  @Test @MainActor func changesMadeByObserversAreSaved() async throws {
    let container = try LifeCycleFixture.container()
    let main = container.mainContext
    main.autosavePolicy.delay = .milliseconds(20)
    nonisolated(unsafe) var saves = 0
    nonisolated(unsafe) let observed = main
    let token = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: main, queue: nil
    ) { _ in
      saves += 1
      if saves == 1 { observed.insert(studio("South")) }
    }
    defer { NotificationCenter.default.removeObserver(token) }
    main.insert(studio())
    #expect(try await Self.wait { saves > 0 && !main.hasChanges })
    #expect(try Self.stored(container) == ["North", "South"])
  }

  @Test @MainActor func continuousChangesAreSavedWithinTheLatency() async throws {
    let container = try LifeCycleFixture.container()
    let main = container.mainContext
    main.autosavePolicy = .init(delay: .milliseconds(200), maximumLatency: .milliseconds(300))
    nonisolated(unsafe) var saves = 0
    let token = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: main, queue: nil
    ) { _ in saves += 1 }
    defer { NotificationCenter.default.removeObserver(token) }
    let model = studio()
    main.insert(model)
    for floor in 0..<12_000 where saves == 0 {
      model.floor = floor
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(saves >= 1)
    main.autosaveEnabled = false
  }

  @Test @MainActor func failuresAreReportedAndChangesRemainPending() async throws {
    let container = try LifeCycleFixture.container()
    let main = container.mainContext
    let errors = Mutex<[any Error]>([])
    main.autosavePolicy = .init(delay: .milliseconds(5)) { error in
      errors.withLock { $0.append(error) }
    }
    let maker = artist("A")
    let piece = Piece(title: "p", maker: maker)
    main.insert(piece)
    try main.save()
    maker.made = []
    #expect(try await Self.wait { errors.withLock { !$0.isEmpty } })
    #expect(errors.withLock { $0.first as? SwiftDataError } == .modelValidationFailure)
    #expect(main.hasChanges)
    piece.maker = maker
    #expect(try await Self.wait { !main.hasChanges })
    #expect(errors.withLock { $0.count } == 1)
  }

  @Test @MainActor func unhandledFailuresAreReportedAsIssues() async throws {
    IssueLog.start()
    let container = try LifeCycleFixture.container()
    let main = container.mainContext
    main.autosavePolicy.delay = .milliseconds(5)
    let maker = artist("A")
    main.insert(Piece(title: "p", maker: maker))
    try main.save()
    maker.made = []
    #expect(
      try await Self.wait {
        IssueLog.contains { if case .autosaveFailed = $0 { true } else { false } }
      })
    main.rollback()
  }

  @Test func autosaveDoesNotSaveInsideATransaction() throws {
    struct Stop: Error {}
    let container = try LifeCycleFixture.container()
    let context = ModelContext(container)
    context.autosavePolicy.delay = .zero
    context.autosaveEnabled = true
    #expect(throws: Stop.self) {
      try context.transaction {
        context.insert(studio())
        _ = try context.fetchCount(FetchDescriptor<Studio>())
        throw Stop()
      }
    }
    #expect(try Self.stored(container).isEmpty)
  }
}
