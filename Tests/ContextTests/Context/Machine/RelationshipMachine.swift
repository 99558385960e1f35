import RelationshipsGolden
import TestSupport
import Testing
import Trellis

/// Applies random steps to a context and to a ``World`` and compares both.
final class RelationshipMachine {
  private let container: ModelContainer
  private var context: ModelContext
  private var random: SeededGenerator
  private var world = World()
  private var saved = World()
  /// The retained objects. Other objects are found by their identifiers.
  private var held: [Int: any PersistentModel] = [:]
  private var identifiers: [Int: PersistentIdentifier] = [:]
  private(set) var trail: [String] = []

  struct Difference: Error, CustomStringConvertible {
    var description: String
  }

  private struct Stop: Error {}

  init(seed: UInt64, container: ModelContainer) {
    self.container = container
    context = ModelContext(container)
    random = SeededGenerator(seed: seed)
  }

  func run(steps: Int) throws {
    for _ in 0..<steps {
      try step()
      if Int.random(in: 0..<4, using: &random) == 0 { try compare(context, world, "memory") }
    }
  }

  private func note(_ text: String) {
    trail.append(text)
    if trail.count > 60 { trail.removeFirst() }
  }

  // MARK: Steps

  private func step() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<20: insert()
    case 20..<66: relate()
    case 66..<70: rename()
    case 70..<77: delete()
    case 77..<79: revive()
    case 79..<88: try save()
    case 88..<91: rollback()
    case 91..<94: try failingTransaction()
    case 94..<97: try leave()
    default: release()
    }
  }

  private func model(_ id: Int) -> any PersistentModel {
    if let model = held[id] { return model }
    guard let identifier = identifiers[id] else { return Desk() }
    let model = context.model(for: identifier)
    if Bool.random(using: &random) { held[id] = model }
    return model
  }

  private func pick(_ kind: World.Kind) -> Int? {
    world.visible(kind).randomElement(using: &random)
  }

  private func insert() {
    guard let kind = World.Kind.allCases.randomElement(using: &random) else { return }
    if kind == .desk, Int.random(in: 0..<3, using: &random) > 0 { return }
    if world.visible(kind).count > 12 { return }
    let id = world.insert(kind)
    let name = "n\(id)"
    note("insert \(kind) \(id)")
    switch kind {
    case .library: held[id] = Library()
    case .desk: held[id] = Desk()
    case .reader: held[id] = Reader(name: name, friends: [])
    case .book:
      let first = world.insert(.reader)
      let reader = Reader(name: "n\(first)", friends: [])
      held[first] = reader
      held[id] = Book(title: name, firstReader: reader)
      world.setOne(id, .firstReader, first)
    }
    if let model = held[id] { context.insert(model) }
  }

  private func relate() {
    guard let field = Field.allCases.randomElement(using: &random), let id = pick(field.owner)
    else { return }
    let owner = model(id)
    let candidates = world.visible(field.destination)
    guard field.isMany else {
      let isCleared = field != .firstReader && Int.random(in: 0..<4, using: &random) == 0
      let target = isCleared ? nil : candidates.randomElement(using: &random)
      if target == nil, field == .firstReader { return }
      note("\(id).\(field) = \(target.map(String.init) ?? "nil")")
      field.setOne(of: owner, to: target.map(model))
      world.setOne(id, field, target)
      return
    }
    var members = world.many(id, field)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: members = []
    case 1: members.shuffle(using: &random)
    case 2: if !members.isEmpty { members.removeFirst() }
    default:
      for _ in 0..<2 { candidates.randomElement(using: &random).map { members.append($0) } }
    }
    note("\(id).\(field) = \(members)")
    field.setMany(of: owner, to: members.map(model))
    world.setMany(id, field, members)
  }

  private func rename() {
    guard let id = pick(.reader), let reader = model(id) as? Reader else { return }
    let name = "r\(Int.random(in: 0..<Int.max, using: &random))"
    note("rename \(id)")
    reader.name = name
    world.rename(id, name)
  }

  private func delete() {
    guard let kind = World.Kind.allCases.randomElement(using: &random), let id = pick(kind) else {
      return
    }
    note("delete \(id)")
    let model = model(id)
    held[id] = model
    context.delete(model)
    world.delete(id)
  }

  private func revive() {
    let deleted = world.nodes.keys.filter { world.nodes[$0]?.isDeleted == true }.sorted()
    guard let id = deleted.randomElement(using: &random), let model = held[id] else { return }
    note("revive \(id)")
    context.insert(model)
    world.revive(id)
  }

  private func save() throws {
    var after = world
    let isRefused = (try? after.save()) == nil
    note(isRefused ? "save, refused" : "save")
    do {
      try context.save()
      guard !isRefused else { throw Difference(description: "the save should have been refused") }
    } catch SwiftDataError.modelValidationFailure where isRefused {
      try compare(context, world, "after a refused save")
      return
    }
    world = after
    saved = after
    for (id, model) in held {
      if world.nodes[id] == nil {
        held[id] = nil
      } else {
        identifiers[id] = model.persistentModelID
      }
    }
    guard !context.hasChanges else { throw Difference(description: "changes after a save") }
    try compare(context, world, "after a save")
    try compare(ModelContext(container), world, "what was saved")
  }

  private func rollback() {
    note("rollback")
    context.rollback()
    forget(to: saved)
  }

  private func failingTransaction() throws {
    let before = world
    let heldBefore = held
    note("transaction {")
    do {
      try context.transaction {
        for _ in 0..<5 {
          switch Int.random(in: 0..<8, using: &random) {
          case 0: insert()
          case 1: delete()
          case 2: rename()
          default: relate()
          }
        }
        throw Stop()
      }
    } catch is Stop {}
    note("} thrown")
    held = heldBefore.merging(held) { own, _ in own }
    forget(to: before)
    try compare(context, world, "after a transaction that threw")
  }

  private func forget(to earlier: World) {
    world.restore(earlier)
    for id in held.keys where world.nodes[id] == nil { held[id] = nil }
  }

  /// Releases objects that can be fetched again.
  private func release() {
    note("release")
    for id in held.keys where identifiers[id] != nil && world.isVisible(id) {
      if Bool.random(using: &random) { held[id] = nil }
    }
  }

  /// Releases the context and about half of the models without changes, and continues with the context of a remaining
  /// model.
  private func leave() throws {
    let ids = held.keys.filter { world.isVisible($0) }.sorted()
    guard let id = ids.randomElement(using: &random), let anchor = held[id] else { return }
    note("leave with \(id)")
    let known = held.mapValues(\.persistentModelID)
    // Unsaved changes of models that are not retained would be lost.
    let deleted = held.values.filter(\.isDeleted)
    let changed = context.insertedModelsArray + context.changedModelsArray + context.deletedModelsArray + deleted
    for id in held.keys.sorted() where Bool.random(using: &random) { held[id] = nil }
    context = ModelContext(container)
    for id in held.keys.sorted() where Bool.random(using: &random) { held[id] = nil }
    guard let context = anchor.modelContext else {
      throw Difference(description: "\(id) has lost its context")
    }
    withExtendedLifetime(changed) { self.context = context }
    for (id, identifier) in known where held[id] == nil { held[id] = context.model(for: identifier) }
  }

  // MARK: Comparison

  private func compare(_ context: ModelContext, _ world: World, _ place: String) throws {
    var models: [Int: any PersistentModel] = [:]
    var numbers: [ObjectIdentifier: Int] = [:]
    for (id, node) in world.nodes where !node.isDeleted {
      let found =
        context === self.context && held[id] != nil
        ? held[id] : identifiers[id].map { context.model(for: $0) }
      guard let found, found.modelContext === context else {
        throw Difference(description: "\(place): \(id) is missing")
      }
      models[id] = found
      numbers[ObjectIdentifier(found)] = id
    }
    try compareCounts(context, world, place)
    for (id, found) in models {
      try compareName(id, found, world, place)
      for field in Field.allCases where field.owner == world.nodes[id]?.kind {
        let expected =
          field.isMany ? world.many(id, field) : world.one(id, field).map { [$0] } ?? []
        let read = field.isMany ? field.many(of: found) : field.one(of: found).map { [$0] } ?? []
        let got = read.map { numbers[ObjectIdentifier($0)] ?? -1 }
        let isSame = field.isOrdered ? got == expected : got.sorted() == expected.sorted()
        guard isSame else {
          throw Difference(description: "\(place): \(id).\(field) is \(got), not \(expected)")
        }
      }
    }
  }

  private func compareName(
    _ id: Int, _ found: any PersistentModel, _ world: World, _ place: String
  ) throws {
    guard let reader = found as? Reader, reader.name != world.nodes[id]?.name else { return }
    throw Difference(description: "\(place): the name of \(id) is \(reader.name)")
  }

  private func compareCounts(_ context: ModelContext, _ world: World, _ place: String) throws {
    let counts = try [
      context.fetchCount(FetchDescriptor<Library>()), context.fetchCount(FetchDescriptor<Book>()),
      context.fetchCount(FetchDescriptor<Desk>()), context.fetchCount(FetchDescriptor<Reader>()),
    ]
    let shown = world.cascaded
    let expected = World.Kind.allCases.map { shown.visible($0).count }
    guard counts == expected else {
      throw Difference(description: "\(place): counts are \(counts), not \(expected)")
    }
  }
}
