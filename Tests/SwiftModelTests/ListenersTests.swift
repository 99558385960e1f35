import Synchronization
import Testing
import Trellis

/// Initializers and deinitializers that contain closures with capture lists.
struct ListenersTests {
  @Test func captureLists() throws {
    let container = try ModelContainer(
      for: CountingListener.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let listener = try Listener("a", factor: 1)
    #expect(listener.counts == [2, 3] && listener.describe?() == "a" && listener.sum == 11 + 9 + 1 + 6_000)
    #expect(try Listener("b", factor: 0).sum == 6 + 6)
    #expect(throws: ListenerError.tooLarge) { try Listener("c", factor: 3) }
    let counting = try CountingListener(limit: 2)
    #expect(counting.limit == 4 && counting.name == "4" && counting.counts == [4, 6] && counting.sum == -1)
    context.insert(listener)
    context.insert(counting)
    try context.save()
    let found = try ModelContext(container).fetch(FetchDescriptor<Listener>(sortBy: [SortDescriptor(\.name)]))
    #expect(found.map(\.name) == ["4", "a"] && found.map(\.counts) == [[4, 6], [2, 3]])
    #expect((found[0] as? CountingListener)?.limit == 4)
  }

  @Test func deinitializer() throws {
    let released = Mutex(0)
    let describe: () -> String
    do {
      let listener = try Listener("a", factor: 1)
      listener.onRelease = { released.withLock { $0 += 1 } }
      describe = try #require(listener.describe)
    }
    #expect(released.withLock { $0 } == 1 && describe() == "gone")
  }
}
