import Foundation
import Synchronization
import TestStores
import Testing
import Trellis

/// Passes a value to another thread without checks, like a program with a bug.
private struct Smuggled<Value>: @unchecked Sendable {  // the rule violation is under test
  let value: Value
}

@Suite(.timeLimit(.minutes(60))) struct ContextUseTests {
  let stage: Stage
  let context: ModelContext

  init() throws {
    stage = try Stage()
    try stage.save("a", "b")
    context = stage.context()
  }

  /// Runs `body` on another thread during a save on this thread.
  private func duringASave(_ body: @escaping @Sendable () -> Void) throws {
    context.insert(Band(name: "c"))
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.willSave, object: context, queue: nil
    ) { _ in
      let isOver = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        body()
        isOver.signal()
      }
      isOver.wait()
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.save()
  }

  @Test func aContextInTwoThreadsIsATypedError() throws {
    let smuggled = Smuggled(value: context)
    let errors = Mutex<[SwiftDataError?]>([])
    try duringASave {
      for attempt: (ModelContext) throws -> Void in [
        { _ = try $0.fetch(FetchDescriptor<Band>()) },
        { _ = try $0.fetchCount(FetchDescriptor<Band>()) },
        { _ = try $0.fetchIdentifiers(FetchDescriptor<Band>()) },
        { try $0.save() },
      ] {
        do {
          try attempt(smuggled.value)
          errors.withLock { $0.append(nil) }
        } catch {
          errors.withLock { $0.append(error as? SwiftDataError) }
        }
      }
    }
    #expect(errors.withLock { $0 } == Array(repeating: .contextInUse, count: 4))
    #expect("\(SwiftDataError.contextInUse)".contains("create a separate context"))
    // The first thread is not affected.
    #expect(try stage.context().fetchCount(FetchDescriptor<Band>()) == 3)
    #expect(try context.fetchCount(FetchDescriptor<Band>()) == 3)
  }

  @Test func theErrorNamesBothOperations() throws {
    let smuggled = Smuggled(value: context)
    let text = Mutex("")
    try duringASave {
      do { _ = try smuggled.value.fetchCount(FetchDescriptor<Band>()) } catch { text.withLock { $0 = "\(error)" } }
    }
    #expect(text.withLock { $0 }.contains("'fetchCount(_:)' began while 'save()' ran on another thread"))
  }

  #if DEBUG
    /// Each access reports both threads, and none stops the program.
    @Test func modelAccessFromAnotherThreadIsReported() throws {
      IssueLog.start()
      let identifier = try stage.save("other")[0]
      let band = try #require(try context.fetch(FetchDescriptor<Band>(sortBy: [SortDescriptor(\.name)])).first)
      let own = band.persistentModelID
      let models = Smuggled(value: (context, band, [context.model(for: identifier)]))
      try duringASave {
        var (context, band, held) = models.value
        _ = band.name
        _ = band.gigs
        band.name = "new"
        _ = context.model(for: own)
        context.insert(Band(name: "inserted"))
        context.delete(band)
        held = []
        _ = (context, held)
      }
      for operation in [
        "a read of a property", "a read of a relationship", "an assignment to a property", "a lookup by identifier",
        "'insert(_:)'", "'delete(_:)'",
      ] {
        #expect(
          IssueLog.contains { issue in
            guard case .contextInUse(let identifier, operation, let during) = issue else { return false }
            return identifier.entityName == "Band" && during == "'save()'"
          }, "\(operation)")
      }
    }

    /// Threads that read and write the models of one context at once, like a program with a bug.
    @Test func theProgramSurvivesThreadsThatShareAContext() throws {
      IssueLog.start()
      let bands = try context.fetch(FetchDescriptor<Band>())
      let shared = Smuggled(value: (context, bands))
      let wasDetected: @Sendable () -> Bool = {
        IssueLog.contains { if case .contextInUse = $0 { true } else { false } }
      }
      // On a busy machine, the threads may not overlap at first.
      let (end, limit) = (Date.now + 0.5, Date.now + 30)
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        let (context, bands) = shared.value
        while Date.now < end || (!wasDetected() && Date.now < limit) {
          for band in bands {
            band.founded = number
            _ = band.founded
            _ = band.gigs.count
          }
          let new = Manager(name: "\(number)")
          context.insert(new)
          new.bands = bands
          if number == 0 { try? context.save() }
          _ = try? context.fetch(FetchDescriptor<Manager>()).count
          context.delete(new)
        }
      }
      #expect(wasDetected())
      try context.save()
      #expect(try stage.context().fetchCount(FetchDescriptor<Band>()) == 2)
    }
  #endif

  @Test func nestedCallsAreAllowed() throws {
    let smuggled = Smuggled(value: context)
    context.insert(Band(name: "c"))
    let counts = Mutex<[Int]>([])
    let observer = NotificationCenter.default.addObserver(
      forName: ModelContext.willSave, object: context, queue: nil
    ) { _ in
      let count = try? smuggled.value.fetchCount(FetchDescriptor<Band>())
      counts.withLock { $0.append(count ?? -1) }
    }
    defer { NotificationCenter.default.removeObserver(observer) }
    try context.save()
    #expect(counts.withLock { $0 } == [3])
  }

  @Test func aContextCanMoveBetweenThreads() async throws {
    let smuggled = Smuggled(value: context)
    for number in 0..<20 {
      try await Task.detached {
        smuggled.value.insert(Band(name: "\(number)"))
        try smuggled.value.save()
      }.value
    }
    #expect(try context.fetchCount(FetchDescriptor<Band>()) == 22)
  }

  @Test @MainActor func S040_theMainContextBelongsToTheMainActorAndAutosaves() {
    #expect(stage.container.mainContext.autosaveEnabled)
    #expect(stage.container.mainContext === stage.container.mainContext)
    #expect(!stage.context().autosaveEnabled)
  }

  @Test func S043_aSecondContainerForTheFileSeesTheData() async throws {
    let stage = try Stage(onDisk: true)
    try stage.save("here")
    let url = try #require(stage.container.configurations.first?.url)
    let second = try ModelContainer(
      for: Band.self, Festival.self, Account.self, configurations: ModelConfiguration(url: url))
    #expect(try ModelContext(second).fetch(FetchDescriptor<Band>()).map(\.name) == ["here"])
  }

  @Test func S105_S129_contextsSeeSavesOfOtherContexts() throws {
    let id = try stage.save("Abba")[0]
    let band = try #require(context.model(for: id) as? Band)
    try stage.edit(id) { $0.name = "ABBA" }
    #expect(try context.fetch(FetchDescriptor<Band>()).map(\.name).sorted() == ["ABBA", "a", "b"])
    #expect(band.name == "ABBA")
    try stage.delete(id)
    #expect(try context.fetchCount(FetchDescriptor<Band>()) == 2)
    #expect(band.isDeleted)
  }

  @Test func storesAndConfigurationNamesMapToEachOther() throws {
    let container = try ModelContainer(
      for: Schema([Band.self, Festival.self, Account.self]),
      configurations: [ModelConfiguration("tour", isStoredInMemoryOnly: true)])
    let identifier = try #require(container.storeIdentifier(forConfigurationNamed: "tour"))
    #expect(container.configurationName(forStoreIdentifier: identifier) == "tour")
    #expect(container.storeIdentifier(forConfigurationNamed: "home") == nil)
    #expect(container.configurationName(forStoreIdentifier: "x") == nil)
    #expect(stage.container.storeIdentifier(forConfigurationNamed: "default") != nil)
    #expect(ModelContext.NotificationKey.historyTokens.rawValue == "historyTokens")
  }
}
