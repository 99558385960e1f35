import Dispatch

/// An asynchronous sequence whose values are available immediately.
struct Arriving<Value: Sendable>: AsyncSequence, Sendable {
  private let values: [Value]

  init(_ values: [Value]) { self.values = values }

  struct AsyncIterator: AsyncIteratorProtocol {
    fileprivate var rest: IndexingIterator<[Value]>

    mutating func next() async -> Value? { rest.next() }
    mutating func next(isolation actor: isolated (any Actor)?) async -> Value? { rest.next() }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: values.makeIterator()) }

  /// Runs asynchronous work and waits for it.
  static func waiting(_ body: @escaping @Sendable () async throws -> Sample) throws -> Sample {
    let semaphore = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var result: Result<Sample, any Error>?
    Task.detached {
      do { result = .success(try await body()) } catch { result = .failure(error) }
      semaphore.signal()
    }
    semaphore.wait()
    guard let result else { throw RawFailure(description: "the work returned no result") }
    return try result.get()
  }
}
