/// A step the undo manager holds.
final class RegisteredStep {
  fileprivate(set) var step: UndoStep
  /// Whether it waits to be redone.
  var isUndone = false

  init(_ step: UndoStep) { self.step = step }
}

/// The steps an undo manager holds, in the order of their registration; not retained.
struct RegisteredSteps {
  private struct Entry {
    weak var step: RegisteredStep?
  }

  private var entries: [Entry] = []
  /// How long the list grows before those that the manager has dropped are taken out.
  private var limit = 64

  mutating func add(_ step: RegisteredStep) {
    if entries.count >= limit {
      entries.removeAll { $0.step == nil }
      limit = max(64, 2 * entries.count)
    }
    entries.append(Entry(step: step))
  }

  /// Adds invisible changes to the step before, which needs them when it is undone. They are no separate step.
  func add(unseen step: UndoStep) {
    guard let last = entries.last?.step, !last.isUndone else { return }
    last.step.add(step)
  }

  /// Adds what a save has overwritten to the step that made the new model, so that both are taken back
  /// at once. A later step that has changed the overwritten object takes it instead: its values lie
  /// between the two.
  ///
  /// - Parameter next: the step about to be registered.
  /// - Returns: false when it belongs to `next`.
  func add(
    _ overwritten: UndoMerges.Overwritten, before next: UndoStep, _ context: ModelContext
  ) -> Bool {
    let steps = entries.compactMap(\.step).filter { !$0.isUndone }
    guard !next.concerns(overwritten.before.model),
      let origin = steps.lastIndex(where: { $0.step.hasMade(overwritten.inserted) })
    else { return false }
    let last = steps.lastIndex { $0.step.concerns(overwritten.before.model) } ?? origin
    steps[max(last, origin)].step.add(since: [overwritten.before], in: context)
    return true
  }
}

extension UndoStep {
  fileprivate func concerns(_ model: any PersistentModel) -> Bool {
    changes.contains { $0.model === model }
  }

  fileprivate func hasMade(_ model: any PersistentModel) -> Bool {
    changes.contains { change in
      if case .appeared = change.kind { change.model === model } else { false }
    }
  }
}
