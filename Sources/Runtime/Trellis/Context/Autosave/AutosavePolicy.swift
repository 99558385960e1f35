extension ModelContext {
  /// When a context saves by itself, and what it calls when a save fails. Not in SwiftData.
  ///
  ///     context.autosavePolicy.delay = .seconds(2)
  ///     context.autosavePolicy.onError = { logger.error("autosave: \($0)") }
  public struct AutosavePolicy: Sendable {
    /// How long nothing must change before the context saves; half a second unless set.
    public var delay: Duration
    /// How long a change waits at most while others keep coming; five seconds unless set.
    public var maximumLatency: Duration
    /// Called with the error of a save that failed, in the isolation of the context. The changes stay
    /// pending, and the next change starts another attempt. Without it the error is reported as
    /// ``ModelIssue/autosaveFailed(reason:)``.
    public var onError: (@Sendable (any Error) -> Void)?

    /// Describes when a context saves by itself.
    ///
    /// - Parameters:
    ///   - delay: how long nothing must change first. Zero or less saves as soon as possible.
    ///   - maximumLatency: how long a change waits at most.
    ///   - onError: called when a save fails.
    public init(
      delay: Duration = .milliseconds(500), maximumLatency: Duration = .seconds(5),
      onError: (@Sendable (any Error) -> Void)? = nil
    ) {
      self.delay = delay
      self.maximumLatency = maximumLatency
      self.onError = onError
    }
  }

  /// Whether changes are saved without a call to ``save()``. Off, but for a container's main context.
  ///
  /// | The context is used | and saves by ``autosavePolicy`` |
  /// |---|---|
  /// | as a main context | on the main actor |
  /// | by a ``ModelActor`` | in a job of the actor |
  /// | on the main actor or in any other actor | in a job of that actor, which ``insert(_:isolation:)``, ``fetch(_:isolation:)``, ``model(for:isolation:)`` or ``enableAutosave(_:isolation:)`` was called in |
  /// | by code without an actor | at the beginning of the first fetch after the delay |
  ///
  /// Every context with unsaved changes saves them when the app releases it, in the releasing thread.
  /// A main context is kept until it has saved on the main actor. The notifications of a save at the end name
  /// another context with the same models. ``ModelIssue/unsavedChanges(count:)`` reports changes that could not be
  /// saved.
  ///
  /// No context saves when the process exits: call ``save()`` there.
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

  /// Saves changes of this context by itself, in the isolation of the caller.
  ///
  ///     actor Importer {
  ///       let context: ModelContext
  ///       func start() { context.enableAutosave(.init(delay: .seconds(1))) }
  ///     }
  ///
  /// Says for the whole context what ``insert(_:isolation:)`` and the fetches say of their calls: of use where
  /// changes come from other calls alone. Not in SwiftData.
  ///
  /// - Parameters:
  ///   - policy: when to save; becomes the ``autosavePolicy``.
  ///   - isolation: the actor the context is used on; without one, see ``autosaveEnabled``.
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
    if hasChanges { autosaver.noteChange() }
  }
}
