import Foundation

/// Fetches models from a container, tracks changes and saves all changes at once.
///
/// ```swift
/// let context = ModelContext(container)
/// context.insert(Trip(name: "Fjords", destination: "Bergen", startDate: .now, endDate: .now))
/// try context.save()
/// ```
///
/// A context belongs to the isolation in which it is used. Contexts and models are not `Sendable`. To work in another
/// task, pass the container or identifiers and create a context there.
///
/// Registered models retain the context's state. While a model exists, relationships can be read, values changed and
/// changes saved through ``PersistentModel/modelContext``, even after your code releases the context itself. While the
/// context exists, the state retains models with pending changes. When the context is released, it saves if
/// ``autosaveEnabled`` is true. Otherwise, unsaved changes of models that your code does not retain are dropped and
/// reported as ``ModelIssue/unsavedChanges(count:)``.
public final class ModelContext {
  /// The context's state. It is implemented in the context module; stores only pass contexts to app code, as in
  /// migrations.
  package let storage: any ContextStorage

  package init(_ storage: any ContextStorage) {
    self.storage = storage
    storage.handle = Unmanaged.passUnretained(self)
  }

  deinit {
    storage.handle = nil
    storage.handleReleased()
  }
}

/// A context's state. It does not retain the context.
package protocol ContextStorage: AnyObject {
  /// The public context object; nil after it was released.
  var handle: Unmanaged<ModelContext>? { get set }

  /// Called when the context is released.
  func handleReleased()
}
