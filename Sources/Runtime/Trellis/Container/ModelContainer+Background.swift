import Dispatch

extension ModelContainer {
  /// Runs work with a new context on a thread that may wait for a store, and gives back what it gives.
  ///
  ///     let count = try await container.performBackgroundTask { context in
  ///       context.insert(Trip(name: "Oslo"))
  ///       try context.save()
  ///       return try context.fetchCount(FetchDescriptor<Trip>())
  ///     }
  ///
  /// Models stay in the closure: pass identifiers or values out of it. Not in SwiftData; known from
  /// Core Data.
  ///
  /// - Throws: what the closure throws.
  public func performBackgroundTask<R: Sendable>(
    _ body: @escaping @Sendable (ModelContext) throws -> R
  ) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
      // Serial queues have other threads than tasks. On Linux the global queue shares its threads with tasks, which would
      // wait until Dispatch notices that all of them are blocked.
      DispatchQueue(label: "Trellis.performBackgroundTask").async {
        continuation.resume(with: Result { try body(ModelContext(self)) })
      }
    }
  }
}
