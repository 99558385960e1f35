import Foundation
import Trellis

/// Saves, rollbacks, and changes by other contexts.
extension LifeMachine {
  func save() throws {
    note("save")
    var after = world
    let isRefused = (try? after.save()) == nil
    do {
      try context.save()
      if isRefused { throw Difference(description: "the save should have been refused") }
    } catch SwiftDataError.modelValidationFailure where isRefused {
      try compare("after a refused save")
      return
    }
    history.note(from: world, to: after)
    move(to: after)
    saved = after
    rememberIdentifiers()
    guard !context.hasChanges else { throw Difference(description: "changes after a save") }
    guard chance(1, of: 3) else { return }
    try compareStored()
    try compare("after a save")
  }

  func rememberIdentifiers() {
    for (id, model) in held where world.nodes[id] != nil { identifiers[id] = model.persistentModelID }
  }

  /// Replaces the world with `after`. Objects that it does not contain become ghosts.
  func move(to after: LifeWorld) {
    for (id, node) in world.nodes where after.nodes[id] == nil {
      guard let model = held.removeValue(forKey: id) else { continue }
      ghosts[id] = Ghost(model: model, kind: node.kind, attributes: node.attributes, isDeleted: true)
    }
    for (id, ghost) in ghosts where after.nodes[id] != nil {
      held[id] = ghost.model
      ghosts[id] = nil
    }
    world = after
  }

  func rollback() {
    note("rollback")
    context.rollback()
    history = UndoHistory(base: saved)
    move(to: saved)
  }

  func transaction() throws {
    let before = world
    let isThrowing = chance(1, of: 2)
    note("transaction {")
    do {
      try context.transaction {
        try someChanges()
        if chance(1, of: 3) {
          // An inner transaction that throws reverts only its own changes.
          let inner = world
          note("inner {")
          do {
            try context.transaction {
              try someChanges()
              throw Stop()
            }
          } catch is Stop {}
          note("} inner thrown")
          move(to: inner)
          try someChanges()
        }
        if isThrowing { throw Stop() }
      }
      note("}")
      var after = world
      guard (try? after.save()) != nil else {
        throw Difference(description: "the save of a transaction should have been refused")
      }
      history.note(from: world, to: after)
      move(to: after)
      saved = after
      rememberIdentifiers()
    } catch is Stop {
      note("} thrown")
      move(to: before)
      try compare("after a transaction that threw")
    } catch SwiftDataError.modelValidationFailure {
      var after = world
      guard (try? after.save()) == nil else {
        throw Difference(description: "the save of a transaction was refused")
      }
    }
  }

  private func someChanges() throws {
    for _ in 0..<4 {
      switch Int.random(in: 0..<9, using: &random) {
      case 0: insert()
      case 1: delete()
      case 2, 3: try write()
      default: try relate()
      }
    }
  }

  /// Closes the context, with or without pending changes, and continues with a new context.
  func replaceContext() throws {
    note("replace the context")
    let deleted = Set(world.nodes.keys.filter { world.nodes[$0]?.isDeleted == true })
    // In a fixed order, because the ghosts' numbers determine later steps.
    for (id, model) in held.sorted(by: { $0.key < $1.key }) {
      guard let node = world.nodes[id] else { continue }
      let ghost = next + 1
      next += 1
      ghosts[ghost] = Ghost(
        model: model, kind: node.kind, attributes: node.attributes, isDeleted: deleted.contains(id),
        keepsContext: true)
    }
    held = [:]
    history = UndoHistory(base: saved)
    weak let old = context
    context = ModelContext(container)
    context.undoManager = undo
    world = saved
    guard old == nil else { throw Difference(description: "the context was not released") }
    // After a save and undo, an object has a new identifier and must be retained.
    if undo != nil { for id in world.visible { held[id] = model(id) } }
  }

  func deleteAllData() throws {
    note("delete all data")
    container.deleteAllData()
    var after = world
    for id in after.nodes.keys where saved.nodes[id] != nil { after.nodes[id]?.isDeleted = true }
    // A deleted model that was never saved can be restored with its relationships.
    after.forgetDeleted { saved.nodes[$0] != nil }
    _ = try context.fetchCount(FetchDescriptor<Studio>())
    move(to: after)
    saved = LifeWorld()
  }

  /// Changes attributes in a second context and saves, regardless of pending changes in this context. Unsaved
  /// properties in this context keep their values.
  func otherAttributes() throws {
    let known = saved.nodes.keys.sorted()
    guard !known.isEmpty else { return }
    note("another context writes")
    for _ in 0..<3 {
      guard let id = known.randomElement(using: &random), let node = saved.nodes[id],
        let identifier = identifiers[id],
        let index = Attribute.indices(of: node.kind).randomElement(using: &random)
      else { continue }
      let number = number()
      note("  \(id).\(index) = \(number) elsewhere")
      Attribute.all[index].write(second.model(for: identifier), number)
      saved.nodes[id]?.attributes[index] = number
      if world.nodes[id]?.dirty.contains(index) == false {
        world.nodes[id]?.attributes[index] = number
      }
    }
    try second.save()
    _ = try context.fetchCount(FetchDescriptor<Studio>())
  }

  /// Makes arbitrary changes in a second context and saves while this context has no pending changes.
  func other() throws {
    guard !context.hasChanges, world.nodes.allSatisfy({ !$0.value.isDeleted }) else { return }
    note("another context changes everything {")
    let own = (context, held, world)
    (context, held) = (second, [:])
    for _ in 0..<4 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: insert()
      case 1: delete()
      case 2, 3: try write()
      default: try relate()
      }
    }
    var after = world
    let isSaved = (try? after.save()) != nil
    do {
      try context.save()
      guard isSaved else { throw Difference(description: "the other save should be refused") }
    } catch SwiftDataError.modelValidationFailure where !isSaved {
      context.rollback()
    }
    note("}")
    if isSaved {
      for (id, model) in held where after.nodes[id] != nil { identifiers[id] = model.persistentModelID }
    }
    (context, held, world) = own
    _ = try context.fetchCount(FetchDescriptor<Studio>())
    guard isSaved else { return }
    move(to: after)
    saved = after
  }

  // MARK: Undo

  func process() {
    note("process")
    context.processPendingChanges()
    world.propagate()
    history.note(from: world, to: world)
  }

  func goBack() throws {
    guard let undo else { return }
    process()
    note("undo")
    undo.undo()
    if let earlier = history.back() { move(toStep: earlier) }
    try compare("after undoing")
  }

  func goForth() throws {
    guard let undo else { return }
    process()
    note("redo")
    undo.redo()
    if let later = history.forth() { move(toStep: later) }
    try compare("after redoing")
  }

  /// Models that the step does not contain are deleted until the next save.
  private func move(toStep step: LifeWorld) {
    var after = step
    for (id, node) in world.nodes where after.nodes[id] == nil {
      after.nodes[id] = node
      after.nodes[id]?.isDeleted = true
      after.nodes[id]?.links = [:]
    }
    for (id, node) in after.nodes where node.isDeleted {
      // Use the current values if the model was deleted again or a save removed it.
      if let now = world.nodes[id] {
        after.nodes[id]?.attributes = now.attributes
      } else {
        after.nodes[id] = nil
      }
    }
    move(to: after)
    history.base = world
  }
}

/// The worlds that an undo manager can restore.
struct UndoHistory {
  var base: LifeWorld
  private var undo: [(before: LifeWorld, after: LifeWorld)] = []
  private var redo: [(before: LifeWorld, after: LifeWorld)] = []

  init(base: LifeWorld) { self.base = base }

  /// Registers the changes since the last registration as a step if they are visible.
  mutating func note(from world: LifeWorld, to after: LifeWorld) {
    if !after.looksLike(base) {
      undo.append((base, after))
      redo = []
    }
    base = after
  }

  mutating func back() -> LifeWorld? {
    guard let step = undo.popLast() else { return nil }
    redo.append(step)
    return step.before
  }

  mutating func forth() -> LifeWorld? {
    guard let step = redo.popLast() else { return nil }
    undo.append(step)
    return step.after
  }
}
