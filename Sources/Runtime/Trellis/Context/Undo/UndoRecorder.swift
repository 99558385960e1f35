import Foundation

/// Remembers what models of a context are like before they change, and registers how to take the
/// changes back with an undo manager.
///
/// Made when a context is given a manager; a context without one has none.
final class UndoRecorder {
  /// The context; it outlives its recorder.
  unowned let context: ModelContext
  let manager: UndoManager
  /// The models touched since the last registration, as they were then, in the order of the touches.
  private var states: [ObjectState] = []
  private var positions: [ObjectIdentifier: Int] = [:]
  /// Models that came back under another identifier, by the old one.
  var returned: [PersistentIdentifier: any PersistentModel] = [:]
  /// What saves have made of insertions.
  var merges = UndoMerges()
  private var registered = RegisteredSteps()
  private var isApplying = false
  /// How often something was undone or redone.
  private(set) var applications = 0
  private var checkpoint: (any NSObjectProtocol)?

  init(_ context: ModelContext, _ manager: UndoManager) {
    self.context = context
    self.manager = manager
    let box = UncheckedWeak(self)
    checkpoint = NotificationCenter.default.addObserver(
      forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
    ) { _ in box.object?.process() }
  }

  deinit {
    if let checkpoint { NotificationCenter.default.removeObserver(checkpoint) }
    manager.removeAllActions(withTarget: self)
  }

  // MARK: what is about to happen

  /// A model is about to change, to be inserted or to come back.
  func willChange(_ model: any PersistentModel, _ keyPath: AnyKeyPath? = nil) {
    guard !isApplying else { return }
    let position = self.position(of: model)
    guard let keyPath, !type(of: model)._$definition.relations.toMany.isEmpty,
      let property = type(of: model)._$definition.layout.property(for: keyPath),
      property.kind.isToMany
    else { return }
    var state = states[position]
    state.captureList(property.slot, in: context, wasShown: wasShown)
    states[position] = state
  }

  /// A model is about to be deleted.
  func willDelete(_ model: any PersistentModel) {
    guard !isApplying else { return }
    let position = position(of: model)
    var state = states[position]
    state.captureLists(in: context, wasShown: wasShown)
    states[position] = state
    // It will leave ordered lists, and must find its place in them again.
    for relation in type(of: model)._$definition.relations.all {
      guard let inverse = relation.inverse, inverse.relationship?.isOrdered == true else { continue }
      let slot = relation.property.slot
      let owners =
        relation.property.kind.isToMany
        ? (try? context.readList(of: model, slot: slot))?.models ?? []
        : model.target(slot).map { [$0] } ?? []
      for owner in owners { willChange(owner, inverse.keyPath) }
    }
  }

  private func position(of model: any PersistentModel) -> Int {
    let identity = ObjectIdentifier(model)
    if let position = positions[identity] { return position }
    context.complete(model)
    let state = ObjectState(of: model, in: context, wasShown: wasShown)
    positions[identity] = states.count
    states.append(state)
    return states.count - 1
  }

  /// Whether a model was not deleted at the last registration; it may have been since.
  private func wasShown(_ model: any PersistentModel) -> Bool {
    positions[ObjectIdentifier(model)].map { states[$0].exists } ?? model.isUsableTarget
  }

  // MARK: registering

  /// Registers what has happened since the last time as one step, with the deletions the delete rules
  /// demand.
  func process() {
    guard !isApplying, !states.isEmpty, context.transactionDepth == 0 else { return }
    context.propagateDeletions()
    register(draft())
  }

  /// What has happened since the last registration.
  func draft() -> UndoStep { UndoStep(since: states, in: context) }

  func register(_ step: UndoStep) {
    var step = step
    for overwritten in merges.takeOverwritten()
    where !registered.add(overwritten, before: step, context) {
      step.add(since: [overwritten.before], in: context)
    }
    states = []
    positions = [:]
    guard step.isVisible else { return registered.add(unseen: step) }
    let kept = RegisteredStep(step)
    registered.add(kept)
    manager.registerUndo(withTarget: self) { $0.apply(kept, isUndo: true) }
  }

  /// Forgets everything: the context was rolled back.
  func reset() {
    states = []
    positions = [:]
    returned = [:]
    merges = UndoMerges()
    registered = RegisteredSteps()
    manager.removeAllActions()
  }

  /// The row of a model is no more; there is nothing to take back.
  func forget(_ model: any PersistentModel) {
    guard let position = positions.removeValue(forKey: ObjectIdentifier(model)) else { return }
    states.remove(at: position)
    for (identity, other) in positions where other > position { positions[identity] = other - 1 }
  }

  /// A save is about to give the object of a row the values of a new model.
  func willMerge(
    _ model: any PersistentModel, _ row: SnapshotBuffer, into existing: any PersistentModel
  ) {
    var before: ObjectState?
    if !isApplying, context.shows(existing) {
      var state = ObjectState(of: existing, in: context)
      // What was never read of the old row is not known any more.
      if let missing = existing._$state.side?.missing { state.take(missing.slots, from: row) }
      before = state
    }
    merges.note(model, in: existing, before: before)
  }

  /// Another context has saved a model that was touched: what it changed is not ours to take back.
  func refresh(_ model: any PersistentModel, _ fresh: SnapshotBuffer, _ index: Int) {
    guard let position = positions[ObjectIdentifier(model)] else { return }
    states[position].refresh(fresh, index)
  }

  // MARK: undoing

  private func apply(_ kept: RegisteredStep, isUndo: Bool) {
    // Observers of what is undone may let go of the context.
    let context = context
    defer { withExtendedLifetime(context) {} }
    isApplying = true
    applications += 1
    UndoApplication(recorder: self, isUndo: isUndo).apply(kept.step)
    kept.isUndone = isUndo
    isApplying = false
    manager.registerUndo(withTarget: self) { $0.apply(kept, isUndo: !isUndo) }
  }
}

/// Takes an object that is not `Sendable` into a closure that must be.
struct UncheckedWeak<Object: AnyObject>: @unchecked Sendable {  // used in the object's isolation only
  private(set) weak var object: Object?

  init(_ object: Object) { self.object = object }
}
