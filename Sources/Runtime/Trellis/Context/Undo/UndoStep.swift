/// What happened to the models of a context between two moments: one thing to take back.
struct UndoStep {
  private(set) var changes: [ObjectChange] = []

  /// True if the program can see the changes.
  var isVisible: Bool { changes.contains(where: \.isVisible) }

  /// Compares what models were like with what they are like now.
  init(since states: [ObjectState], in context: ModelContext) {
    for state in states {
      if let change = ObjectChange(since: state, in: context) { changes.append(change) }
    }
  }

  /// Adds what has happened afterwards.
  mutating func add(_ later: UndoStep) { changes += later.changes }

  /// Adds what has happened since other states, after what is in the step already.
  mutating func add(since states: [ObjectState], in context: ModelContext) {
    changes += states.compactMap { ObjectChange(since: $0, in: context) }
  }
}

/// What happened to one model.
struct ObjectChange {
  enum Kind {
    /// It came into being, or came back.
    case appeared(ObjectState)
    /// It was deleted, or taken back.
    case vanished(ObjectState)
    case changed(Difference)
  }

  struct Difference {
    let before: ObjectState
    let after: ObjectState
    /// The attributes and the to-one relationships that differ, by column slot.
    let attributes: PropertySet
    let targets: [Int]
    /// The lists that differ.
    let lists: [Int]
    /// True if the program can see the change. Relationships may differ only in deleted models, which return when the step
    /// is undone.
    let isVisible: Bool
  }

  let model: any PersistentModel
  let kind: Kind

  /// Nil when nothing that can be taken back has happened.
  init?(since before: ObjectState, in context: ModelContext) {
    model = before.model
    var after = ObjectState(of: model, in: context)
    switch (before.exists, after.exists) {
    case (false, false): return nil
    case (false, true):
      after.captureLists(in: context)
      kind = .appeared(after)
    case (true, false): kind = .vanished(before)
    case (true, true):
      for slot in before.lists.keys { after.captureList(slot, in: context) }
      let difference = Difference(before: before, after: after)
      if difference.isEmpty { return nil }
      kind = .changed(difference)
    }
  }

  var isVisible: Bool {
    if case .changed(let difference) = kind { difference.isVisible } else { true }
  }

  /// The model's state after undoing (or redoing) this; nil when it must not exist then.
  func state(isUndo: Bool) -> ObjectState? {
    switch kind {
    case .appeared(let state): isUndo ? nil : state
    case .vanished(let state): isUndo ? state : nil
    case .changed(let difference): isUndo ? difference.before : difference.after
    }
  }
}

extension ObjectChange.Difference {
  init(before: ObjectState, after: ObjectState) {
    self.before = before
    self.after = after
    let definition = type(of: before.model)._$definition
    let columns = definition.layout.columns
    var attributes = PropertySet()
    if let old = before.values, let new = after.values {
      let differing = try? new.differing(0, from: old, 0)
      for property in columns where !property.kind.isRelationship {
        if differing?.contains(property.slot) ?? true { attributes.insert(property.slot) }
      }
    }
    self.attributes = attributes
    var isVisible = !attributes.isEmpty
    targets = definition.relations.references.map(\.property.slot).filter { slot in
      let (old, new) = (before.targets[slot], after.targets[slot])
      if Self.differ(old.flatMap { $0.isShown ? $0 : nil }, new.flatMap { $0.isShown ? $0 : nil }) {
        isVisible = true
        return true
      }
      return Self.differ(old, new)
    }
    lists = before.lists.keys.sorted().filter { slot in
      let isOrdered = definition.relations.toMany[slot].isOrdered
      let (old, new) = (before.lists[slot] ?? [], after.lists[slot] ?? [])
      if Self.differ(old.filter(\.isShown), new.filter(\.isShown), isOrdered) {
        isVisible = true
        return true
      }
      return Self.differ(old, new, isOrdered)
    }
    self.isVisible = isVisible
  }

  private static func differ(_ old: ObjectState.Target?, _ new: ObjectState.Target?) -> Bool {
    switch (old, new) {
    case (nil, nil): false
    case (let old?, let new?): !old.isSame(as: new)
    default: true
    }
  }

  private static func differ(
    _ old: [ObjectState.Member], _ new: [ObjectState.Member], _ isOrdered: Bool
  ) -> Bool {
    let old = old.map { ObjectIdentifier($0.model) }
    let new = new.map { ObjectIdentifier($0.model) }
    return isOrdered ? old != new : Set(old) != Set(new)
  }

  var isEmpty: Bool { attributes.isEmpty && targets.isEmpty && lists.isEmpty }
}
