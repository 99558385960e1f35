import Foundation
import Synchronization
import Testing
import Trellis

/// An actor with SwiftData's macro.
@ModelActor private actor Importer {
  private var count = 0
  private var order: [Int] = []

  func add(_ name: String) -> Int {
    modelContext.insert(Band(name: name))
    // Concurrent calls would lose updates.
    let before = count
    count = before + 1
    return count
  }

  func note(_ number: Int) { order.append(number) }
  func noted() -> [Int] { order }
  func save() throws { try modelContext.save() }
  func name(of id: PersistentIdentifier) -> String? { self[id, as: Band.self]?.name }
  func isAccount(_ id: PersistentIdentifier) -> Bool { self[id, as: Account.self] != nil }
  func delete(_ id: PersistentIdentifier) { self[id, as: Band.self].map(modelContext.delete) }
  func threadIsMain() -> Bool { Thread.isMainThread }
  func isolationHolds() -> Bool {
    preconditionIsolated()
    return assumeIsolated { _ in true }
  }
}

/// The members that SwiftData's macro generates, written by hand, and an actor with the macro that has more properties.
private enum Written {
  actor ByHand: ModelActor {
    nonisolated let modelContainer: ModelContainer
    nonisolated let modelExecutor: any ModelExecutor

    init(modelContainer: ModelContainer) {
      self.modelContainer = modelContainer
      modelExecutor = DefaultSerialModelExecutor(modelContext: ModelContext(modelContainer))
    }
  }

  @ModelActor actor Named {
    var name = "none"

    init(modelContainer: ModelContainer, name: String) {
      self.modelContainer = modelContainer
      modelExecutor = DefaultSerialModelExecutor(modelContainer: modelContainer)
      self.name = name
    }
  }
}

/// The shortest actor that a program has to write without the macro.
private actor Short: ModelActor {
  nonisolated let modelExecutor: any ModelExecutor

  init(modelContainer: ModelContainer) {
    modelExecutor = DefaultSerialModelExecutor(modelContainer: modelContainer)
  }

  func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Band>()) }
}

/// An executor that is not serial. A queue of the library isolates the actor.
private final class LooseExecutor: ModelExecutor, @unchecked Sendable {  // the queue serialises
  let modelContext: ModelContext
  init(_ context: ModelContext) { modelContext = context }
  func enqueue(_ job: consuming ExecutorJob) {}
}

private actor Loose: ModelActor {
  nonisolated let modelExecutor: any ModelExecutor
  private var count = 0

  init(modelContainer: ModelContainer) {
    modelExecutor = LooseExecutor(ModelContext(modelContainer))
  }

  func increment() -> Int {
    count += 1
    return count
  }
}

private actor ObserverOwner: ModelActor {
  nonisolated let modelExecutor: any ModelExecutor
  private var observer: ResultsObserver<Band, Never>?

  init(modelContainer: ModelContainer) {
    modelExecutor = DefaultSerialModelExecutor(modelContainer: modelContainer)
  }

  func observe() throws { observer = try ResultsObserver(modelContext: modelContext) }
  var count: Int { observer?.results.count ?? -1 }
}

@Suite(.timeLimit(.minutes(60))) struct ModelActorTests {
  let stage: Stage

  init() throws { stage = try Stage() }

  @Test func S127_codeInAModelActorRunsSerialisedOnItsExecutor() async throws {
    let importer = Importer(modelContainer: stage.container)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 { group.addTask { _ = await importer.add("band \(number)") } }
    }
    #expect(await importer.add("last") == 201)
    #expect(await importer.isolationHolds())
    try await importer.save()
    #expect(try stage.context().fetchCount(FetchDescriptor<Band>()) == 201)
    let executor = try #require(importer.modelExecutor as? DefaultSerialModelExecutor)
    #expect(executor.isIsolatingCurrentContext() == false)
  }

  @Test func S128_subscriptGivesTheModelOrNil() async throws {
    let id = try stage.save("Abba")[0]
    let importer = Importer(modelContainer: stage.container)
    #expect(await importer.name(of: id) == "Abba")
    #expect(await !importer.isAccount(id))
    await importer.delete(id)
    #expect(await importer.name(of: id) == nil)
    let gone = try stage.save("Gone")[0]
    try stage.delete(gone)
    #expect(await importer.name(of: gone) == nil)
  }

  @Test @MainActor func anActorMadeOnTheMainActorDoesNotRunThere() async {
    let importer = Importer(modelContainer: stage.container)
    #expect(await !importer.threadIsMain())
  }

  @Test func jobsRunInOrderOfArrival() async {
    let importer = Importer(modelContainer: stage.container)
    for number in 0..<100 { await importer.note(number) }
    #expect(await importer.noted() == Array(0..<100))
  }

  @Test func actorsWithAdditionalMembers() async throws {
    let container = stage.container
    #expect(Written.ByHand(modelContainer: container).modelContainer === container)
    let named = Written.Named(modelContainer: container, name: "Ada")
    #expect(await named.name == "Ada")
    #expect(named.modelExecutor.modelContext.container === container)
    #expect(await Written.Named(modelContainer: container).name == "none")
  }

  @Test func anExecutorAloneIsSufficient() async throws {
    try stage.save("a", "b")
    let short = Short(modelContainer: stage.container)
    #expect(try await short.count() == 2)
    #expect(short.modelContainer === stage.container)
  }

  @Test func nonserialExecutorsStillIsolate() async {
    let loose = Loose(modelContainer: stage.container)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 { group.addTask { _ = await loose.increment() } }
    }
    #expect(await loose.increment() == 101)
  }

  @Test func actorsAreReleasedWithTheirContext() async throws {
    weak var executor: DefaultSerialModelExecutor?
    weak var context: ModelContext?
    do {
      let importer = Importer(modelContainer: stage.container)
      _ = await importer.add("a")
      executor = importer.modelExecutor as? DefaultSerialModelExecutor
      context = executor?.modelContext
      #expect(context != nil)
    }
    // The last job releases the executor on its queue.
    for _ in 0..<12_000 where executor != nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(executor == nil && context == nil)
  }

  @Test func actorsThatOwnObserversAreReleased() async throws {
    weak var executor: DefaultSerialModelExecutor?
    do {
      let owner = ObserverOwner(modelContainer: stage.container)
      try await owner.observe()
      try stage.save("a")
      for _ in 0..<12_000 where await owner.count != 1 { try await Task.sleep(for: .milliseconds(5)) }
      #expect(await owner.count == 1)
      executor = owner.modelExecutor as? DefaultSerialModelExecutor
    }
    for _ in 0..<12_000 where executor != nil { try await Task.sleep(for: .milliseconds(5)) }
    #expect(executor == nil)
  }

  @Test func concurrentSavesOfManyActorsAllSucceed() async throws {
    let stage = try Stage(onDisk: true)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<32 {
        let importer = Importer(modelContainer: stage.container)
        group.addTask {
          for round in 0..<5 {
            _ = await importer.add("\(number)-\(round)")
            try await importer.save()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try stage.context().fetchCount(FetchDescriptor<Band>()) == 160)
  }
}
