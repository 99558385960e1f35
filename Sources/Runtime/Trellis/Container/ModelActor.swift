import Dispatch

/// An actor with a private context, for work that must not delay other actors.
///
/// The macro ``ModelActor()`` adds the required members. To write them yourself, declare the executor and an
/// initializer; the protocol provides the rest:
///
/// ```swift
/// actor Importer: ModelActor {
///   nonisolated let modelExecutor: any ModelExecutor
///
///   init(modelContainer: ModelContainer) {
///     modelExecutor = DefaultSerialModelExecutor(modelContainer: modelContainer)
///   }
///
///   func add(_ titles: [String]) throws {
///     for title in titles { modelContext.insert(BucketListItem(title: title)) }
///     try modelContext.save()
///   }
/// }
///
/// try await Importer(modelContainer: container).add(["See the glacier", "Try the hot spring"])
/// ```
///
/// Models must not leave the actor: return identifiers or values. The executor runs the actor's code off the main
/// thread.
///
/// As in SwiftData, an actor may also declare `nonisolated let modelContainer` and create the executor from
/// `ModelContext(modelContainer)`.
public protocol ModelActor: Actor {
  /// The container that the actor's context uses.
  nonisolated var modelContainer: ModelContainer { get }

  /// The executor that runs the actor's code and owns the context. Use ``modelContext`` to access the context.
  nonisolated var modelExecutor: any ModelExecutor { get }
}

/// Makes an actor a ``ModelActor`` by adding an executor, a container and `init(modelContainer:)`.
///
/// ```swift
/// @ModelActor
/// actor Importer {
///   func add(_ titles: [String]) throws -> [PersistentIdentifier] {
///     let items = titles.map { BucketListItem(title: $0) }
///     for item in items { modelContext.insert(item) }
///     try modelContext.save()
///     return items.map(\.persistentModelID)
///   }
/// }
///
/// func importTitles(_ titles: [String], into container: ModelContainer) async throws {
///   let importer = Importer(modelContainer: container)
///   print(try await importer.add(titles).count)
/// }
/// ```
///
/// The generated members have the actor's access level. Additional stored properties need default values. An actor
/// that declares `init(modelContainer:)` must set `modelExecutor` and `modelContainer` there.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "TrellisMacros", type: "ModelActorMacro")

extension ModelActor {
  /// The container of the executor's context. SwiftData requires actors to store it.
  public nonisolated var modelContainer: ModelContainer { modelExecutor.modelContext.container }

  /// The actor's private context. Never pass the context or its models out of the actor.
  public var modelContext: ModelContext { modelExecutor.modelContext }

  /// The serial executor that runs the actor's code.
  ///
  /// If `modelExecutor` is not serial, the actor runs on a shared serial queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    if let executor = modelExecutor as? any SerialExecutor {
      return executor.asUnownedSerialExecutor()
    }
    return SerialQueue.shared.asUnownedSerialExecutor()
  }

  /// Returns the model with an identifier, or `nil` if the row is missing, deleted or has a different type.
  ///
  /// Callers pass an identifier to the actor, because models cannot leave their own context:
  ///
  /// ```swift
  /// @ModelActor
  /// actor TripEditor {
  ///   func rename(_ id: PersistentIdentifier, to name: String) throws {
  ///     guard let trip = self[id, as: Trip.self] else { return }
  ///     trip.name = name
  ///     try modelContext.save()
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - id: The model's identifier.
  ///   - as: The model class.
  public subscript<T>(id: PersistentIdentifier, as as: T.Type) -> T? where T: PersistentModel {
    guard let model = modelContext.model(for: id) as? T, !model.isDeleted else { return nil }
    return model
  }
}

/// An executor for code that uses a context.
///
/// Actors that share an executor share a context, and their code never runs concurrently:
///
/// ```swift
/// actor TripStatistics: ModelActor {
///   nonisolated let modelExecutor: any ModelExecutor
///
///   init(sharingContextOf other: any ModelActor) { modelExecutor = other.modelExecutor }
///
///   func count() throws -> Int { try modelContext.fetchCount(FetchDescriptor<Trip>()) }   // including unsaved trips
/// }
/// ```
public protocol ModelExecutor: Executor {
  /// The executor's context. Use it only in code that runs on this executor.
  var modelContext: ModelContext { get }
}

/// A serial executor for code that uses a context.
///
/// Conform to this protocol to run a ``ModelActor``'s code on a queue of your own:
///
/// ```swift
/// final class QueueExecutor: SerialModelExecutor, @unchecked Sendable {   // only code on the queue uses the context
///   let modelContext: ModelContext
///   private let queue = DispatchQueue(label: "import", qos: .utility)
///
///   init(modelContainer: ModelContainer) { modelContext = ModelContext(modelContainer) }
///
///   func enqueue(_ job: consuming ExecutorJob) {
///     let job = UnownedJob(job)
///     queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
///   }
/// }
/// ```
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// Runs a ``ModelActor``'s code in order of arrival, on a private queue and never on the main thread.
///
/// Create the executor from a context if the context needs settings, such as autosave:
///
/// ```swift
/// actor Journal: ModelActor {
///   nonisolated let modelExecutor: any ModelExecutor
///
///   init(modelContainer: ModelContainer) {
///     let context = ModelContext(modelContainer)
///     context.autosaveEnabled = true
///     modelExecutor = DefaultSerialModelExecutor(modelContext: context)
///   }
///
///   func record(_ title: String) { modelContext.insert(BucketListItem(title: title)) }   // saved automatically
/// }
/// ```
public final class DefaultSerialModelExecutor: SerialModelExecutor,
  @unchecked Sendable  // only code on `queue` uses the context
{
  /// The executor's context. Use it only in code that runs on this executor.
  public let modelContext: ModelContext
  private let queue = SerialQueue()
  /// The actor on which autosave runs, even if no call has set the context's isolation yet.
  private let seat: Seat

  /// An actor on the same queue as the executor's actor. Runs the context's own jobs.
  private actor Seat {
    let queue: SerialQueue
    init(_ queue: SerialQueue) { self.queue = queue }
    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }
  }

  /// Creates an executor for an existing context.
  ///
  /// - Parameter modelContext: The context. The caller must not use it afterwards.
  public init(modelContext: ModelContext) {
    self.modelContext = modelContext
    seat = Seat(queue)
    modelContext.state.isolation = seat
  }

  /// Creates an executor with a new context for a container. Not in SwiftData.
  ///
  /// - Parameter modelContainer: The container whose stores the context uses.
  public convenience init(modelContainer: ModelContainer) {
    self.init(modelContext: ModelContext(modelContainer))
  }

  /// Runs a job after all earlier jobs.
  public func enqueue(_ job: consuming ExecutorJob) {
    queue.enqueue(job)
  }

  /// Returns an unowned reference for the concurrency runtime. Keep the executor alive while the reference is in use.
  public func asUnownedSerialExecutor() -> UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

  /// Stops the process unless the calling code runs on this executor.
  public func checkIsolated() { queue.checkIsolated() }

  /// Returns true if the calling code runs on this executor.
  public func isIsolatingCurrentContext() -> Bool? { queue.isIsolatingCurrentContext() }
}

/// A serial executor on a dispatch queue. An actor that waits for a store blocks a thread of this queue, not a thread
/// of the cooperative pool.
final class SerialQueue: SerialExecutor {
  /// Runs actors whose `modelExecutor` is not serial.
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
  /// True on the main queue. On Linux, the main queue can run on a secondary thread.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

  private static let key: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()
}
