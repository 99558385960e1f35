import Foundation

/// Captures a context's models before they change, and registers steps with an undo manager.
final class UndoRecorder {
  /// The context, which outlives the recorder.
  unowned let context: ModelContext
  let manager: UndoManager
  /// The changes since the last registration.
  private var open = UndoStep()
  /// The step that the running save will register.
  private var draft = UndoStep()
  /// The last step that has not been undone.
  private(set) weak var last: UndoStep?
  /// The new identifiers of models whose saved deletions were undone, by former identifier.
  var returned: [PersistentIdentifier: PersistentIdentifier] = [:]
  private var isApplying = false
  private var checkpoint: (any NSObjectProtocol)?

  init(_ context: ModelContext, _ manager: UndoManager) {
    self.context = context
    self.manager = manager
    nonisolated(unsafe) weak let recorder = self  // used in the context's isolation only
    checkpoint = NotificationCenter.default.addObserver(
      forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
    ) { _ in recorder?.process() }
  }

  deinit {
    if let checkpoint { NotificationCenter.default.removeObserver(checkpoint) }
    manager.removeAllActions(withTarget: self)
  }

  // MARK: capturing

  /// Called before a model is changed, inserted or restored.
  func willChange(_ model: any PersistentModel, _ keyPath: AnyKeyPath? = nil) {
    let lists = type(of: model)._$definition.relations.toMany
    capture(model, lists.filter { $0.property.keyPath == keyPath || $0.property.accessedKeyPath == keyPath })
  }

  /// Called before a model is deleted.
  func willDelete(_ model: any PersistentModel) {
    let relations = type(of: model)._$definition.relations
    capture(model, relations.toMany)
    // Undoing the deletion also restores the position in ordered lists.
    for relation in relations.all where relation.inverseIsToMany {
      let list = relation.destination.relations.toMany[relation.inverseSlot]
      guard list.isOrdered else { continue }
      for owner in DeleteRules.related(to: model, relation) { capture(owner, [list]) }
    }
  }

  /// Captures a model and the given lists, once per step.
  private func capture(_ model: any PersistentModel, _ lists: [Relation]) {
    guard !isApplying else { return }
    if open.position(of: model) == nil {
      context.complete(model)
      open.add(ObjectChange(model: model, before: ObjectState(of: model, in: context)))
    }
    guard let position = open.position(of: model), let before = open.changes[position].before else { return }
    for list in lists where before.lists[list.slot] == nil {
      let members = context.keptMembers(of: model, list)
      open.changes[position].before?.lists[list.slot] = members
    }
  }

  /// Called when a different context has deleted the model's row. There is nothing to undo.
  func forget(_ model: any PersistentModel) {
    if let position = open.position(of: model) { open.changes[position].before = nil }
  }

  /// Called when a different context has saved a captured model. Undo does not revert these changes.
  func refresh(_ model: any PersistentModel, _ fresh: SnapshotBuffer, _ index: Int) {
    guard let position = open.position(of: model), let before = open.changes[position].before,
      let row = try? fresh.replacing(index, model.side.changed, from: before.row, 0)
    else { return }
    open.changes[position].before?.row = row
  }

  // MARK: registering

  /// Registers the changes since the last registration as a step, and applies delete rules first.
  func process() {
    guard !isApplying, !open.changes.isEmpty, context.state.transactionDepth == 0 else { return }
    context.propagateDeletions()
    prepare()
    register()
  }

  /// Prepares a save's step before the save replaces identifiers.
  func prepare() {
    draft = UndoStep()
    draft.previous = last
    for change in open.changes { change.finished(in: context, open).map(draft.add) }
  }

  /// Called when the running save merges an insertion with an existing row.
  ///
  /// The overwrite belongs to the insertion's step, or to a later step that has changed the row's object.
  ///
  /// - Parameters:
  ///   - row: The new model's values, which the row's object is about to receive.
  ///   - existing: The row's object; `nil` if the new model becomes the object.
  func willMerge(
    _ model: any PersistentModel, _ row: SnapshotBuffer? = nil, into existing: (any PersistentModel)? = nil
  ) {
    let step = sequence(first: draft) { $0.previous }.first { step in
      step.insertion(of: model) != nil || existing.flatMap(step.position) != nil
    }
    if let row, let existing, existing._$state.side?.missing == nil,
      let before = ObjectState(of: existing, in: context)
    {
      var change = ObjectChange(model: existing, before: before, after: before)
      change.after?.row = row
      (step ?? draft).add(change)
    } else if let step, let position = step.insertion(of: model) {
      // The former values are not known, so undoing leaves the row unchanged.
      step.changes[position].before = step.changes[position].after
    }
  }

  /// Registers the prepared step.
  func register() {
    let step = draft
    draft = UndoStep()
    open = UndoStep()
    guard step.changes.contains(where: \.isVisible) else {
      // The previous step needs the invisible changes for a complete undo.
      for change in step.changes { last?.add(change) }
      return
    }
    if manager.isUndoRegistrationEnabled { last = step }
    manager.registerUndo(withTarget: self) { $0.apply(step, isUndo: true) }
  }

  /// Drops all steps after a rollback.
  func reset() {
    open = UndoStep()
    returned = [:]
    last = nil
    manager.removeAllActions()
  }

  // MARK: undoing

  private func apply(_ step: UndoStep, isUndo: Bool) {
    // Observers may release the context.
    let context = context
    isApplying = true
    let changes = isUndo ? step.changes.reversed().map(\.reversed) : step.changes
    context.deferringNotifications { UndoApplication(recorder: self, changes: changes, isUndo: isUndo).run() }
    isApplying = false
    last = isUndo ? step.previous : step
    manager.registerUndo(withTarget: self) { $0.apply(step, isUndo: !isUndo) }
    withExtendedLifetime(context) {}
  }

  /// Returns a model's current identifier, given the identifier recorded in a step.
  func current(_ identifier: PersistentIdentifier) -> PersistentIdentifier {
    var identifier = context.current(identifier)
    while let next = returned[identifier] { identifier = context.current(next) }
    return identifier
  }
}
