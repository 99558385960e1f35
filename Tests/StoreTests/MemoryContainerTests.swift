import Foundation
import Testing
import Trellis

/// An in-memory container per test is cheap and independent of others.
@Suite struct MemoryContainerTests {
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
  }

  @Test func aThousandAreCheapAndIndependent() throws {
    let schema = Schema(KeepTag.self)
    func container() throws -> ModelContainer {
      try ModelContainer(
        for: schema, configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
    }
    _ = try container()
    let began = Self.processorTime
    let containers = try (0..<1_000).map { _ in try container() }
    let each = (Self.processorTime - began) / 1_000
    print("a container in memory takes \(each) ms of processor time")
    #if !DEBUG
      #expect(each < 1)
    #endif
    #expect(each < 5)
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
