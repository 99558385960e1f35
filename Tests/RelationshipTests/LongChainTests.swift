import Foundation
import Synchronization
import TestSupport
import Testing
import Trellis

/// A chain of models that retain each other must not be released recursively.
@Suite struct LongChainTests {
  static let length = Repetitions.scaled(10_000, upTo: 100_000)

  /// Runs on a thread with a stack of 512 KiB, which recursive functions would exceed in a short run too.
  private func onASmallStack(_ body: @escaping @Sendable () throws -> [String]) throws -> [String] {
    let result = Mutex<Result<[String], any Error>>(.success(["nothing ran"]))
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      let found = Result { try body() }
      result.withLock { $0 = found }
      isDone.signal()
    }
    thread.stackSize = 512 << 10
    thread.start()
    isDone.wait()
    return try result.withLock { $0 }.get()
  }

  @Test func draftsInALongChainAreReleased() throws {
    #expect(try onASmallStack { Self.releaseDrafts() } == [])
  }

  private static func releaseDrafts() -> [String] {
    var head: ChainLink? = ChainLink(number: 0)
    weak let last = head
    for number in 1..<length {
      let link = ChainLink(number: number)
      if number % 2 == 0 { link.next = head } else { link.parts = [head].compactMap { $0 } }
      head = link
    }
    if last == nil { return ["released too early"] }
    head = nil
    return last == nil ? [] : ["not released"]
  }

  @Test(arguments: [false, true])
  func modelsOfAContextInALongChainAreReleased(_ saves: Bool) throws {
    #expect(try onASmallStack { try Self.releaseModels(saves) } == [])
  }

  private static func releaseModels(_ saves: Bool) throws -> [String] {
    weak var last: ChainLink?
    do {
      let context = ModelContext(
        try ModelContainer(
          for: ChainLink.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true)))
      var head = ChainLink(number: 0)
      last = head
      for number in 1..<length {
        let link = ChainLink(number: number)
        link.parts = [head]
        head = link
      }
      context.insert(head)
      let count = context.insertedModelsArray.count
      if count != length { return ["\(count) models"] }
      if saves { try context.save() }
    }
    return last == nil ? [] : ["not released"]
  }
}
