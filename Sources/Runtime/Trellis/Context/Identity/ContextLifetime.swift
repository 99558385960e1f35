/// The part of a context's state that identity tables and the autosaver use. It does not retain the context.
class ContextLifetime: ContextStorage {
  @exclusivity(unchecked) final var handle: Unmanaged<ModelContext>?
  /// True while the app holds a context.
  @exclusivity(unchecked) final var isHeld = true
  /// The state itself, while registered models need it and the app holds no context.
  @exclusivity(unchecked) final var keptByModels: ContextLifetime?

  /// The app's context, or a temporary context for the running operation.
  final var context: ModelContext { handle?.takeUnretainedValue() ?? ModelContext(self) }

  /// Called when the context is released.
  func handleReleased() {}
}

extension ModelContext {
  /// The part of the state that identity tables use. A context is always created with a ``ContextLifetime``.
  @inline(__always) var lifetime: ContextLifetime { unsafeDowncast(storage, to: ContextLifetime.self) }
}
