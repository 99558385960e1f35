/// Merges each object's changes into a single change.
package struct HistoryFold {
  private struct Fate {
    /// True if the object is already known: it existed before, or an excluded author inserted it.
    var isOld: Bool
    /// The change to report; `nil` for none.
    var change: HistoryChange?
  }

  private let models: [ModelDefinition]
  private var order: [PersistentIdentifier] = []
  private var fates: [PersistentIdentifier: Fate] = [:]

  /// - Parameter models: The classes to include; empty for all.
  package init(_ models: [ModelDefinition]) { self.models = models }

  /// - Parameter isForeign: True if an excluded author made the change.
  package mutating func add(_ change: HistoryChange, isForeign: Bool) {
    guard matters(change.definition) else { return }
    let identifier = change.changedPersistentIdentifier
    var fate = fates[identifier] ?? Fate(isOld: true)
    switch (change, fate.change) {
    case (.insert, _): fate = Fate(isOld: isForeign, change: isForeign ? nil : change)
    case (.update(let later), .update(let earlier)?) where !isForeign:
      fate.change = .update(earlier.joined(with: later))
    case (.update, nil) where !isForeign: fate.change = change
    case (.update, _): break
    case (.delete, _): fate.change = isForeign || !fate.isOld ? nil : change
    }
    if fates.updateValue(fate, forKey: identifier) == nil { order.append(identifier) }
  }

  private func matters(_ definition: ModelDefinition) -> Bool {
    models.isEmpty || models.contains { definition.isOrInherits(from: $0.entityName) }
  }

  /// The insertions, then updates, then deletions.
  package var changes: [HistoryChange] {
    var phases: [[HistoryChange]] = [[], [], []]
    for identifier in order {
      guard let change = fates[identifier]?.change else { continue }
      switch change {
      case .insert: phases[0].append(change)
      case .update: phases[1].append(change)
      case .delete: phases[2].append(change)
      }
    }
    return Array(phases.joined())
  }
}

extension HistoryUpdate {
  /// Merges this update with a later update to the same object.
  fileprivate func joined(with later: any HistoryUpdate) -> any HistoryUpdate {
    guard let earlier = self as? DefaultHistoryUpdate<Model>, let later = later as? DefaultHistoryUpdate<Model>
    else { return later }
    let more = later.updatedAttributes.filter { !earlier.containsAttribute($0) }
    return DefaultHistoryUpdate<Model>(
      changeIdentifier: later.changeIdentifier, changedPersistentIdentifier: later.changedPersistentIdentifier,
      transactionIdentifier: later.transactionIdentifier, updatedAttributes: earlier.updatedAttributes + more)
  }
}

extension HistoryChange {
  fileprivate var definition: ModelDefinition {
    func inserted<C: HistoryInsert>(_: C) -> ModelDefinition { C.Model._$definition }
    func updated<C: HistoryUpdate>(_: C) -> ModelDefinition { C.Model._$definition }
    func deleted<C: HistoryDelete>(_: C) -> ModelDefinition { C.Model._$definition }
    return switch self {
    case .insert(let change): inserted(change)
    case .update(let change): updated(change)
    case .delete(let change): deleted(change)
    }
  }
}
