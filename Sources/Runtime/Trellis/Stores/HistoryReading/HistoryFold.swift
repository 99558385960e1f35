/// Folds the changes of each object into one.
struct HistoryFold {
  private struct Fate {
    /// Whether others know the object from before.
    var isOld: Bool
    /// What is to be told; nil for nothing.
    var change: HistoryChange?
  }

  private let models: [ModelDefinition]
  private var order: [PersistentIdentifier] = []
  private var fates: [PersistentIdentifier: Fate] = [:]

  /// - Parameter models: the classes that matter; empty for all.
  init(_ models: [ModelDefinition]) { self.models = models }

  /// - Parameter isForeign: whether an excluded author made the change.
  mutating func add(_ change: HistoryChange, isForeign: Bool) {
    guard let foldable = change.foldable, matters(foldable.definition) else { return }
    let identifier = change.changedPersistentIdentifier
    let before = fates[identifier]
    if before == nil { order.append(identifier) }
    switch change {
    case .insert:
      fates[identifier] = Fate(isOld: isForeign, change: isForeign ? nil : change)
    case .update:
      var fate = before ?? Fate(isOld: true)
      if !isForeign {
        switch fate.change {
        case nil: fate.change = change
        case .update(let earlier)?: fate.change = (earlier as? any FoldableChange)?.joined(with: change)
        case .insert?, .delete?: break
        }
      }
      fates[identifier] = fate
    case .delete:
      var fate = before ?? Fate(isOld: true)
      fate.change = isForeign || !fate.isOld ? nil : change
      fates[identifier] = fate
    }
  }

  private func matters(_ definition: ModelDefinition) -> Bool {
    models.isEmpty || models.contains { definition.isOrInherits(from: $0.entityName) }
  }

  /// Insertions, updates, deletions.
  var changes: [HistoryChange] {
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

/// A change that can be folded with others of its object.
protocol FoldableChange {
  var definition: ModelDefinition { get }
  /// This change and a later one of the same object.
  func joined(with later: HistoryChange) -> HistoryChange?
}

extension FoldableChange {
  func joined(with later: HistoryChange) -> HistoryChange? { later }
}

extension DefaultHistoryInsert: FoldableChange {
  var definition: ModelDefinition { Model._$definition }
}

extension DefaultHistoryDelete: FoldableChange {
  var definition: ModelDefinition { Model._$definition }
}

extension DefaultHistoryUpdate: FoldableChange {
  var definition: ModelDefinition { Model._$definition }

  func joined(with later: HistoryChange) -> HistoryChange? {
    guard case .update(let update as Self) = later else { return later }
    let more = update.updatedAttributes.filter { !containsAttribute($0) }
    return .update(
      Self(
        changeIdentifier: update.changeIdentifier,
        changedPersistentIdentifier: update.changedPersistentIdentifier,
        transactionIdentifier: update.transactionIdentifier,
        updatedAttributes: updatedAttributes + more))
  }
}

extension HistoryChange {
  fileprivate var foldable: (any FoldableChange)? {
    switch self {
    case .insert(let change): change as? any FoldableChange
    case .update(let change): change as? any FoldableChange
    case .delete(let change): change as? any FoldableChange
    }
  }
}
