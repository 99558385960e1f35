import Foundation
package import Testing

/// Runs the tests of a suite on two threads that other tests do not use.
///
/// Swift runs all tests on one thread for each processor. A test that waits for a server or a process keeps its thread,
/// and then no other test can use the processor.
package struct WaitingTrait: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(WaitingExecutor.shared) { try await function() }
  }
}

extension Trait where Self == WaitingTrait {
  /// A trait for tests that spend most of their time waiting for a server or a process.
  package static var waiting: Self { Self() }
}

private final class WaitingExecutor: TaskExecutor {
  static let shared = WaitingExecutor()

  private let queue = OperationQueue()

  private init() { queue.maxConcurrentOperationCount = 2 }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
