/// Runs a ``ModelActor``'s code in order of arrival, on its own queue and never on the main
/// thread.
public final class DefaultSerialModelExecutor: SerialModelExecutor,
  @unchecked Sendable  // the context is used by what runs on `queue` only
{
  /// The context; to be used by what runs on this executor only.
  public let modelContext: ModelContext
  private let queue = SerialQueue()
  /// Where the context saves by itself, also when none of its calls has named the actor.
  private let seat: Seat

  /// An actor for jobs of the context, one after the other with those of the actor the executor is for.
  private actor Seat {
    let queue: SerialQueue
    init(_ queue: SerialQueue) { self.queue = queue }
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
  }

  /// - Parameter modelContext: the context. The caller must not use it any more.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    seat = Seat(queue)
    modelContext.isolation = seat
  }

  /// An executor with a new context of the container. Not in SwiftData.
  public convenience init(modelContainer: ModelContainer) {
    self.init(modelContext: ModelContext(modelContainer))
  }

  /// Runs a job after those that came before it.
  public func enqueue(_ job: consuming ExecutorJob) {
    queue.run(UnownedJob(job), on: self)
  }

  /// This executor as the concurrency runtime refers to it; it must be kept alive meanwhile.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// Stops the program unless the calling code runs on this executor.
  public func checkIsolated() { queue.checkIsolated() }

  /// Whether the calling code runs on this executor.
  public func isIsolatingCurrentContext() -> Bool? { queue.isIsolatingCurrentContext() }
}
