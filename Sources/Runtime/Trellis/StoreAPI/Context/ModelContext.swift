import Foundation

/// A scratch pad over a container: fetches models, tracks what is done to them, saves it at once.
///
/// A context belongs to the isolation it is used in and is not `Sendable`; so are its models. Give
/// another task the container or identifiers, and let it make its own context.
///
/// A registered model retains its context: relationships can be read and changes saved through
/// ``PersistentModel/modelContext`` for as long as the model lives, even after the program has released the
/// context itself. The context retains only models with pending changes. Changes that are pending when the
/// program releases the context and all of its models are lost, unless ``autosaveEnabled`` is on.
///
///     let context = ModelContext(container)
///     context.insert(Trip(name: "Fjords", destination: "Bergen"))
///     try context.save()
public final class ModelContext {
  /// What the context tracks. A layer above declares it, see ``ContextState``; layers below pass contexts to code of the
  /// program, as migrations do.
  let storage: ContextStorage

  init(_ storage: ContextStorage) { self.storage = storage }

  deinit { storage.contextIsReleased(self) }
}

/// The base class of what a context tracks.
class ContextStorage {
  /// Called when the program releases the context. The context may not be retained.
  func contextIsReleased(_ context: ModelContext) {}
}
