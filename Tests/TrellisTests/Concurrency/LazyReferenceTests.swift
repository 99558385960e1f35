import Dispatch
import Synchronization
import Testing

@testable import Trellis

@Suite struct LazyReferenceTests {
  private final class Object: Sendable {
    let number: Int

    init(_ number: Int) { self.number = number }
  }

  private final class Owner: Sendable {
    let reference = LazyReference<Object>()
  }

  @Test func theFirstObjectIsKept() {
    let owner = Owner()
    #expect(owner.reference.load() == nil)
    #expect(owner.reference.storeIfNil(Object(1)).number == 1)
    #expect(owner.reference.storeIfNil(Object(2)).number == 1)
    #expect(owner.reference.load()?.number == 1)
  }

  @Test func allThreadsGetOneObject() {
    for _ in 0..<200 {
      let owner = Owner()
      nonisolated(unsafe) let found = UnsafeMutablePointer<ObjectIdentifier?>.allocate(capacity: 4)
      defer { found.deallocate() }
      found.initialize(repeating: nil, count: 4)
      DispatchQueue.concurrentPerform(iterations: 4) { number in
        let object = owner.reference.load() ?? owner.reference.storeIfNil(Object(number))
        found[number] = ObjectIdentifier(object)
      }
      let kept = owner.reference.load().map { ObjectIdentifier($0) }
      #expect(kept != nil && (0..<4).allSatisfy { found[$0] == kept })
    }
  }

  private final class Count: Sendable {
    let gone = Atomic<Int>(0)
  }

  private final class Counted: Sendable {
    let count: Count

    init(_ count: Count) { self.count = count }

    deinit { count.gone.add(1, ordering: .relaxed) }
  }

  @Test func everyObjectIsReleasedOnce() {
    let count = Count()
    do {
      let reference = LazyReference<Counted>()
      _ = reference.storeIfNil(Counted(count))
      _ = reference.storeIfNil(Counted(count))
      #expect(count.gone.load(ordering: .relaxed) == 1)
      _ = reference.load()
    }
    #expect(count.gone.load(ordering: .relaxed) == 2)
  }
}
