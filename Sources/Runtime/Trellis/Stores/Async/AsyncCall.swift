import Dispatch
import Foundation
import Synchronization

/// Calls of asynchronous code from synchronous code.
enum AsyncCall {
  private final class Answer<R: Sendable>: Sendable {
    let result = Mutex<Result<R, any Error>?>(nil)
    let isThere = DispatchSemaphore(value: 0)
  }

  /// Runs `body` on the threads of stores and waits for it.
  ///
  /// - Throws: what `body` throws; ``SwiftDataError/loadIssueModelContainer`` where the calling thread
  ///   is one that all tasks share and that must not wait.
  static func wait<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) throws -> R {
    guard mayWait else {
      throw SwiftDataError.loadIssueModelContainer.explained(
        "an asynchronous store would keep a thread waiting that tasks share: use the context in a "
          + "'ModelActor', on the main actor or in 'container.performBackgroundTask'")
    }
    let answer = Answer<R>()
    Task(executorPreference: StoreThreads.shared) {
      let result: Result<R, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      answer.result.withLock { $0 = result }
      answer.isThere.signal()
    }
    answer.isThere.wait()
    guard let result = answer.result.withLock({ $0 }) else { throw CancellationError() }
    return try result.get()
  }

  /// True if the calling thread may wait: outside of tasks, the main thread, the queue of a model actor. Another thread
  /// that runs a task may be one of the few threads that all tasks share.
  private static var mayWait: Bool {
    if StoreThreads.isCurrent { return false }
    if Thread.isMainThread || MainQueue.isCurrent || SerialQueue.isCurrent { return true }
    return withUnsafeCurrentTask { $0 == nil }
  }
}
