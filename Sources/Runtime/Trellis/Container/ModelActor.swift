import Dispatch

/// An actor with its own context, for work that must not delay other actors.
///
/// Declare the executor and an initialiser. The protocol provides the rest:
///
///     actor Importer: ModelActor {
///       nonisolated let modelExecutor: any ModelExecutor
///
///       init(modelContainer: ModelContainer) {
///         modelExecutor = DefaultSerialModelExecutor(modelContainer: modelContainer)
///       }
///
///       func add(_ names: [String]) throws {
///         for name in names { modelContext.insert(Trip(name: name)) }
///         try modelContext.save()
///       }
///     }
///
/// The members that SwiftData's macro generates are allowed, too: `nonisolated let modelContainer` and an executor made
/// from `ModelContext(modelContainer)`. The executor runs the actor's code, never on the main thread.
public protocol ModelActor: Actor {
  /// The container of the actor's context.
  nonisolated var modelContainer: ModelContainer { get }

  /// Runs the actor's code and owns its context. Reach the context through ``modelContext``.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

/// Makes an actor a ``ModelActor``: adds its executor, its container and `init(modelContainer:)`.
///
///     @ModelActor
///     actor Importer {
///       func rename(_ id: PersistentIdentifier, to name: String) throws {
///         self[id, as: Trip.self]?.name = name
///         try modelContext.save()
///       }
///     }
///
///     let importer = Importer(modelContainer: container)
///
/// The members have the access of the actor. Other stored properties need values. An actor that declares
/// `init(modelContainer:)` itself sets `modelExecutor` and `modelContainer` there.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "TrellisMacros", type: "ModelActorMacro")

extension ModelActor {
  /// The container of the executor's context. In SwiftData an actor has to store it.
  public nonisolated var modelContainer: ModelContainer { modelExecutor.modelContext.container }

  /// The actor's own context. Never pass it, or its models, out of the actor.
  public var modelContext: ModelContext { modelExecutor.modelContext }

  /// Where the actor's code runs.
  ///
  /// An executor that is not serial cannot isolate an actor: such actors share one queue instead.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    if let executor = modelExecutor as? any SerialExecutor {
      return executor.asUnownedSerialExecutor()
    }
    return SerialQueue.shared.asUnownedSerialExecutor()
  }

  /// The model of an identifier; nil when there is no such row, it is deleted, or it is another type.
  ///
  ///     let trip = importer[id, as: Trip.self]     // inside the actor: self[id, as: Trip.self]
  public subscript<T>(id: PersistentIdentifier, as as: T.Type) -> T? where T: PersistentModel {
    guard let model = modelContext.model(for: id) as? T, !model.isDeleted else { return nil }
    return model
  }
}

/// Runs the code that uses a context.
public protocol ModelExecutor: Executor {
  /// The context; to be used by code that runs on this executor only.
  var modelContext: ModelContext { get }
}

/// Runs the code that uses a context, one piece after the other.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

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
    modelContext.state.isolation = seat
  }

  /// An executor with a new context of the container. Not in SwiftData.
  public convenience init(modelContainer: ModelContainer) {
    self.init(modelContext: ModelContext(modelContainer))
  }

  /// Runs a job after those that came before it.
  public func enqueue(_ job: consuming ExecutorJob) {
    queue.enqueue(job)
  }

  /// This executor as the concurrency runtime refers to it; it must be kept alive meanwhile.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Stops the program unless the calling code runs on this executor.
  public func checkIsolated() { queue.checkIsolated() }

  /// Whether the calling code runs on this executor.
  public func isIsolatingCurrentContext() -> Bool? { queue.isIsolatingCurrentContext() }
}

/// A serial executor on a dispatch queue. An actor that waits for a store blocks a thread of the queue, and none of the
/// threads that run other tasks.
final class SerialQueue: SerialExecutor {
  /// For actors whose own executor is not serial.
  static let shared = SerialQueue()

  private let queue = DispatchQueue(label: "Trellis.ModelActor")
  private static let key = DispatchSpecificKey<ObjectIdentifier>()

  init() { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

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
