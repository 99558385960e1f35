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
    if let executor = modelExecutor as? DefaultSerialModelExecutor {
      return executor.asUnownedSerialExecutor()
    }
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
