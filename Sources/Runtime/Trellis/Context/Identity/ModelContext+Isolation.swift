// Autosave must come back to where the context is used. A call that is isolated to an actor proves where
// that is: from then on the compiler keeps the context there.

extension ModelContext {
  /// Notes where the context is used.
  @inline(__always) func noteUse(on actor: (any Actor)?) {
    if let actor, actor !== isolation { move(to: actor) }
  }

  @inline(never) func move(to actor: any Actor) {
    isolation = actor
    guard let autosave = monitor?.autosave else { return }
    autosave.rest()
    if hasChanges { autosave.noteChange() }
  }

  /// ``fetch(_:isolation:)`` as SwiftData declares it, for function references and protocols.
  ///
  /// - Throws: as ``fetch(_:isolation:)``.
  @_disfavoredOverload
  public func fetch<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
    try fetch(descriptor, isolation: nil)
  }

  /// ``insert(_:isolation:)`` as SwiftData declares it, for function references and protocols.
  @_disfavoredOverload
  public func insert<T: PersistentModel>(_ model: T) { adopt(model) }

  /// ``model(for:isolation:)`` as SwiftData declares it, for function references and protocols.
  @_disfavoredOverload
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    model(for: persistentModelID, isolation: nil)
  }
}
