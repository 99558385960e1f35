import Dispatch

/// A serial executor on a dispatch queue. An actor that waits for a store blocks a thread of the queue, and none of the
/// threads that run other tasks.
final class SerialQueue: SerialExecutor {
  /// For actors whose own executor is not serial.
  static let shared = SerialQueue()

  private let queue = DispatchQueue(label: "Trellis.ModelActor")
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init() { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }

  /// Runs a job of `executor`, which lives until the job is over.
  func run(_ job: UnownedJob, on executor: some SerialExecutor) {
    queue.async {
      withExtendedLifetime(executor) {
        job.runSynchronously(on: executor.asUnownedSerialExecutor())
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) { run(UnownedJob(job), on: self) }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

  func isIsolatingCurrentContext() -> Bool? {
    DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self)
  }
}

/// The main dispatch queue.
enum MainQueue {
  /// On Linux another thread may serve the main queue.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
