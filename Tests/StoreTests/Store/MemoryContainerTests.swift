import Foundation
import TestSupport
import Testing
import Trellis

/// An in-memory container per test is cheap and independent of others.
@Suite struct MemoryContainerTests {
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
  }

  @Test func manyContainersAreCheapAndIndependent() throws {
    let schema = Schema(KeepTag.self)
    func container() throws -> ModelContainer {
      try ModelContainer(
        for: schema, configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
    }
    _ = try container()
    // The fastest of ten parts: other processes on the machine delay some of them.
    let part = Repetitions.scaled(20, upTo: 100)
    var containers: [ModelContainer] = []
    var each = Double.infinity
    for _ in 0..<10 {
      let began = Self.processorTime
      for _ in 0..<part { containers.append(try container()) }
      each = min(each, (Self.processorTime - began) / Double(part))
    }
    print("a container in memory takes \(each) ms of processor time")
    #if DEBUG
      // Without optimization it takes 3 to 5 ms, and more on a slower machine.
      #expect(each < 8)
    #else
      #expect(each < 1)
    #endif
    for (number, container) in containers.enumerated() where number % 50 == 0 {
      let context = ModelContext(container)
      context.insert(KeepTag(word: "\(number)"))
      try context.save()
    }
    for (number, container) in containers.enumerated() where number % 25 == 0 {
      let words = try ModelContext(container).fetch(FetchDescriptor<KeepTag>()).map(\.word)
      #expect(words == (number % 50 == 0 ? ["\(number)"] : []))
    }
  }
}
