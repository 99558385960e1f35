import Foundation
import Synchronization
import TestStores
import Testing
import Trellis

@testable import TestWorlds

/// Tests of a context with autosave that the program releases.
@Suite struct AutosaveReleaseTests {
  private static func stored(_ container: ModelContainer) throws -> [String] {
    try ModelContext(container).fetch(FetchDescriptor<Studio>(sortBy: [SortDescriptor(\.name)]))
      .map(\.name)
  }

  private static func saving(_ container: ModelContainer) -> ModelContext {
    let context = ModelContext(container)
    context.autosaveEnabled = true
    context.autosavePolicy.delay = .seconds(1_000)
    return context
  }

  @Test func insertionsChangesAndDeletionsAreSavedOnRelease() throws {
    let container = try LifeCycleFixture.container()
    do { for name in ["a", "b", "c"] { Self.saving(container).insert(studio(name)) } }
    #expect(try Self.stored(container) == ["a", "b", "c"])
    do {
      let context = Self.saving(container)
      let models = try context.fetch(FetchDescriptor<Studio>(sortBy: [SortDescriptor(\.name)]))
      models[0].name = "d"
      context.delete(models[1])
      #expect(try Self.stored(container) == ["a", "b", "c"])
    }
    #expect(try Self.stored(container) == ["c", "d"])
  }

  @Test func relationshipsAreSavedOnRelease() throws {
    let container = try LifeCycleFixture.container()
    do {
      let context = Self.saving(container)
      let maker = artist("A")
      context.insert(maker)
      for title in ["p", "q"] { context.insert(Piece(title: title, maker: maker)) }
    }
    let context = ModelContext(container)
    let makers = try context.fetch(FetchDescriptor<Artist>())
    #expect(makers.map { $0.made.map(\.title).sorted() } == [["p", "q"]])
  }

  @Test func withoutAutosaveNothingIsSavedOnRelease() throws {
    let container = try LifeCycleFixture.container()
    do { ModelContext(container).insert(studio("a")) }
    do {
      let context = Self.saving(container)
      context.insert(studio("b"))
      context.autosaveEnabled = false
    }
    do {
      let context = Self.saving(container)
      context.insert(studio("c"))
      context.rollback()
    }
    #expect(try Self.stored(container).isEmpty)
  }

  /// An observer that retains the object of the notification retains a valid context.
  @Test func notificationsOfTheFinalSaveHaveAUsableContext() throws {
    let container = try LifeCycleFixture.container()
    nonisolated(unsafe) var kept: [ModelContext] = []
    let token = NotificationCenter.default.addObserver(
      forName: ModelContext.didSave, object: nil, queue: nil
    ) { note in
      guard let context = note.object as? ModelContext, context.container === container else { return }
      kept.append(context)
    }
    defer { NotificationCenter.default.removeObserver(token) }
    do { Self.saving(container).insert(studio("a")) }
    try #require(kept.count == 1)
    let context = kept[0]
    #expect(!context.hasChanges && context.autosaveEnabled)
    try context.fetch(FetchDescriptor<Studio>()).first?.name = "b"
    try context.save()
    #expect(try Self.stored(container) == ["b"])
    kept = []
  }

  @Test func changesThatCannotBeSavedAreReported() throws {
    IssueLog.start()
    let container = try LifeCycleFixture.container()
    let errors = Mutex<[any Error]>([])
    do {
      let context = Self.saving(container)
      context.autosavePolicy.onError = { error in errors.withLock { $0.append(error) } }
      let maker = artist("A")
      context.insert(Piece(title: "p", maker: maker))
      try context.save()
      maker.made = []
      for index in 0..<77 { context.insert(studio("\(index)")) }
    }
    #expect(errors.withLock { $0.first as? SwiftDataError } == .modelValidationFailure)
    #expect(errors.withLock { $0.count } == 1)
    #expect(IssueLog.contains { if case .unsavedChanges(let count) = $0 { count >= 77 } else { false } })
  }

  @Test func manyThreadsLoseNoChanges() async throws {
    let container = try LifeCycleFixture.container()
    let names = (0..<200).map { String(format: "%03d", $0) }
    await withTaskGroup(of: Void.self) { group in
      for name in names { group.addTask { Self.saving(container).insert(studio(name)) } }
    }
    #expect(try Self.stored(container) == names)
  }
}
