import Foundation
import Synchronization
import Trellis

extension StoreConformance {
  /// Runs every check, prints the results and exits the process with 0 if all checks pass, otherwise with 1.
  public func main() -> Never {
    var failures = 0
    var skipped = 0
    for check in ConformanceCheck.all {
      let result = self.result(of: check)
      print(result)
      if result.failure != nil { failures += 1 }
      if result.skipped != nil { skipped += 1 }
    }
    let run = ConformanceCheck.all.count - skipped
    print(
      failures == 0
        ? "the store conforms: \(run) checks passed, \(skipped) not run"
        : "\(failures) of \(run) checks failed, \(skipped) not run")
    exit(failures == 0 ? 0 : 1)
  }
}

/// Runs checks outside of the threads of the cooperative pool, because asynchronous stores refuse blocking calls there.
enum CheckThread {
  static func run<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
    await withCheckedContinuation { continuation in
      enqueue { continuation.resume(returning: body()) }
    }
  }

  /// The maximum number of concurrent checks. Each check has open files, and the number of open files per process is
  /// limited.
  private static let limit = 8
  private static let queue = Mutex(Queue())

  private struct Queue {
    var waiting: [@Sendable () -> Void] = []
    var threads = 0
  }

  private static func enqueue(_ body: @escaping @Sendable () -> Void) {
    let startsThread = queue.withLock { queue in
      queue.waiting.append(body)
      guard queue.threads < limit else { return false }
      queue.threads += 1
      return true
    }
    guard startsThread else { return }
    start { while let check = next() { check() } }
  }

  /// The next check to run; nil if the thread can end.
  private static func next() -> (@Sendable () -> Void)? {
    queue.withLock { queue in
      guard queue.waiting.isEmpty else { return queue.waiting.removeFirst() }
      queue.threads -= 1
      return nil
    }
  }

  static func wait<R: Sendable>(_ body: @escaping @Sendable () -> R) -> R {
    let answer = Answer<R>()
    start { answer.give(body()) }
    return answer.take()
  }

  /// Runs every block on a separate thread and throws the first error.
  static func all(_ blocks: [@Sendable () throws -> Void]) throws {
    let answers = blocks.map { block in
      let answer = Answer<(any Error)?>()
      start {
        do {
          try block()
          answer.give(nil)
        } catch {
          answer.give(error)
        }
      }
      return answer
    }
    if let error = answers.map({ $0.take() }).compactMap({ $0 }).first { throw error }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 1 << 22
    thread.start()
  }

  private final class Answer<R: Sendable>: Sendable {
    private let value = Mutex<R?>(nil)
    private let isThere = DispatchSemaphore(value: 0)

    func give(_ new: R) {
      value.withLock { $0 = new }
      isThere.signal()
    }

    func take() -> R {
      while true {
        isThere.wait()
        if let value = value.withLock({ $0 }) { return value }
      }
    }
  }
}
