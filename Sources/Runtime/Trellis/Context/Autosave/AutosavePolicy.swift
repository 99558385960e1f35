extension ModelContext {
  /// The delays and error handler of autosave. Not in SwiftData.
  ///
  /// ```swift
  /// context.autosavePolicy.delay = .seconds(2)
  /// context.autosavePolicy.onError = { print("The changes are not saved yet: \($0)") }
  /// context.autosaveEnabled = true
  /// ```
  public struct AutosavePolicy: Sendable {
    /// The time to wait after the last change before the context saves. Default: 0.5 seconds.
    public var delay: Duration
    /// The maximum time that a change waits to be saved while more changes follow. Default: 5 seconds.
    public var maximumLatency: Duration
    /// Called in the context's isolation if a save fails. The changes remain pending, and the next change starts a new
    /// attempt. If no handler is set, the error is reported as ``ModelIssue/autosaveFailed(reason:)``.
    public var onError: (@Sendable (any Error) -> Void)?

    /// Creates an autosave policy.
    ///
    /// - Parameters:
    ///   - delay: The time to wait after the last change before a save. If it is zero or negative, the context saves as
    ///     soon as possible.
    ///   - maximumLatency: The maximum time that a change waits to be saved.
    ///   - onError: Called if a save fails.
    public init(
      delay: Duration = .milliseconds(500), maximumLatency: Duration = .seconds(5),
      onError: (@Sendable (any Error) -> Void)? = nil
    ) {
      self.delay = delay
      self.maximumLatency = maximumLatency
      self.onError = onError
    }
  }

  /// True to save changes automatically. Default: true for a container's main context, otherwise false.
  ///
  /// ```swift
  /// context.autosaveEnabled = true
  /// trip.name = "Glaciers"  // saved after the delay, or when the app releases the context
  /// ```
  ///
  /// | The context is used | and saves by ``autosavePolicy`` |
  /// |---|---|
  /// | as a main context | on the main actor |
  /// | by a ``ModelActor`` | in a job of the actor |
  /// | on the main actor or a different actor | in a job of that actor |
  /// | by code that has no actor | at the start of the first fetch after the delay |
  ///
  /// The context learns the actor from calls to ``insert(_:isolation:)``, ``fetch(_:isolation:)``,
  /// ``model(for:isolation:)`` or ``enableAutosave(_:isolation:)`` on that actor.
  ///
  /// Every context with unsaved changes saves them when the app releases it, on the releasing thread. A main context
  /// is retained until it has saved on the main actor. The notifications of a save on release refer to a temporary
  /// context with the same models. ``ModelIssue/unsavedChanges(count:)`` reports changes that could not be saved.
  ///
  /// Contexts do not save when the process exits: call ``save()`` first.
  public var autosaveEnabled: Bool {
    get { autosave != nil }
    set {
      guard newValue != autosaveEnabled else { return }
      if newValue {
        startAutosave(on: state.isMain ? MainActor.shared : nil)
      } else {
        state.autosave = nil
      }
    }
  }

  /// Enables autosave in the caller's isolation.
  ///
  /// ```swift
  /// actor Importer {
  ///   let context: ModelContext
  ///
  ///   init(_ container: ModelContainer) { context = ModelContext(container) }
  ///
  ///   func start() { context.enableAutosave(.init(delay: .seconds(1))) }
  /// }
  /// ```
  ///
  /// Sets the isolation of the context, which ``insert(_:isolation:)`` and the fetch functions otherwise set on each
  /// call. Call this function if all changes are made in other ways. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - policy: The new ``autosavePolicy``.
  ///   - isolation: The actor that uses the context; if `nil`, see ``autosaveEnabled``.
  public func enableAutosave(
    _ policy: AutosavePolicy = AutosavePolicy(), isolation: isolated (any Actor)? = #isolation
  ) {
    autosavePolicy = policy
    startAutosave(on: isolation)
  }

  func startAutosave(on actor: (any Actor)?) {
    if let actor { state.isolation = actor }
    let autosaver = Autosaver(self)
    state.autosave = autosaver
    if hasChanges { autosaver.recordChange() }
  }
}
