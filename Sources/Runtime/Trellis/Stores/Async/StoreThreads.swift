import Foundation
import Synchronization

/// The threads of asynchronous stores. They are not the threads of other tasks, which may all wait for a store.
final class StoreThreads: TaskExecutor {
  static let shared = StoreThreads(count: 4)

  private let count: Int
  private let condition = NSCondition()
  // Both are read and written with the condition's lock held.
  nonisolated(unsafe) private var jobs: [UnownedJob] = []
  nonisolated(unsafe) private var threads = 0
  nonisolated(unsafe) private var idle = 0

  init(count: Int) { self.count = count }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    condition.lock()
    jobs.append(job)
    // A thread that was woken for an earlier job may not have taken it yet.
    if jobs.count > idle, threads < count {
      threads += 1
      let thread = Thread { self.work() }
      thread.name = Self.name
      thread.start()
    }
    condition.signal()
    condition.unlock()
  }

  private static let name = "Trellis.stores"

  /// True on one of these threads.
  static var isCurrent: Bool { Thread.current.name == name }

  private func work() {
    while true {
      condition.lock()
      idle += 1
      while jobs.isEmpty { condition.wait() }
      idle -= 1
      let job = jobs.removeFirst()
      condition.unlock()
      job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }
}
