import Foundation

/// A scratch pad over a container: fetches models, tracks what is done to them, saves it at once.
///
/// A context belongs to the isolation it is used in and is not `Sendable`; so are its models. Give
/// another task the container or identifiers, and let it make its own context.
///
/// The context is the program's handle to its state, which registered models retain: relationships can be read, values
/// changed and changes saved through ``PersistentModel/modelContext`` for as long as a model lives, even after the program
/// has released the context itself. While there is a context, the state retains models with pending changes. When the
/// program releases the context, it saves if ``autosaveEnabled`` is on. Otherwise, unsaved changes of models that the
/// program does not hold are dropped and reported as ``ModelIssue/unsavedChanges(count:)``.
///
///     let context = ModelContext(container)
///     context.insert(Trip(name: "Fjords", destination: "Bergen"))
///     try context.save()
public final class ModelContext {
  /// The state. The module of contexts declares it; stores only pass contexts to code of the program, as migrations do.
  package let storage: any ContextStorage

  package init(_ storage: any ContextStorage) {
    self.storage = storage
    storage.handle = Unmanaged.passUnretained(self)
  }

  deinit {
    storage.handle = nil
    storage.handleIsReleased()
  }
}

/// A context's state. It does not retain the context.
package protocol ContextStorage: AnyObject {
  /// The program's context; nil once it is released.
  var handle: Unmanaged<ModelContext>? { get set }

  /// Called when the context is released.
  func handleIsReleased()
}
