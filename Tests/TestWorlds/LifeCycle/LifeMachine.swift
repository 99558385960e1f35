import Foundation
import TestSupport
import Trellis

/// Applies random steps to a context and a ``LifeWorld``, and compares the two. Also accesses objects from all earlier
/// steps in their current states.
final class LifeMachine {
  let container: ModelContainer
  var context: ModelContext
  var second: ModelContext
  var random: SeededGenerator
  var world = LifeWorld()
  var saved = LifeWorld()
  /// The context's retained objects. Other objects are found by identifier.
  var held: [Int: any PersistentModel] = [:]
  var identifiers: [Int: PersistentIdentifier] = [:]
  /// Objects that have no context or whose context the test has released, with their attribute numbers.
  var ghosts: [Int: Ghost] = [:]
  var next = 0
  var steps = 0
  var trail: [String] = []
  /// If there is an undo manager, there is no second context, so that undo steps contain all changes.
  let undo: UndoManager?
  /// True to compare after every step, to locate the failing step.
  let isStrict = ProcessInfo.processInfo.environment["TRELLIS_STRICT"] != nil
  var history = UndoHistory(base: LifeWorld())

  struct Ghost {
    var model: any PersistentModel
    var kind: Kind
    var attributes: [Int: Int]
    var isDeleted: Bool
    /// True if the test has released the context, which the model then retains.
    var keepsContext = false
  }

  struct Difference: Error, CustomStringConvertible {
    var description: String
  }

  struct Stop: Error {}

  init(
    seed: UInt64, withUndo: Bool,
    in configuration: any DataStoreConfiguration = ModelConfiguration(isStoredInMemoryOnly: true)
  ) throws {
    container = try LifeCycleFixture.container(configuration)
    context = ModelContext(container)
    second = ModelContext(container)
    random = SeededGenerator(seed: seed)
    undo = withUndo ? UndoManager() : nil
    context.undoManager = undo
  }

  func run(steps count: Int) throws {
    while steps < count {
      try step()
      let isDue = chance(1, of: 12)
      if isDue || isStrict { try compare("in memory") }
    }
    try compare("at the end")
    try endOfContainer()
  }

  // MARK: Choices

  func chance(_ count: Int, of all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < count }

  func number() -> Int { Int.random(in: 0..<1000, using: &random) }

  func pick(_ kind: Kind) -> Int? { world.visible(kind).randomElement(using: &random) }

  func note(_ text: String) {
    steps += 1
    trail.append(text)
    if trail.count > 70 { trail.removeFirst() }
  }

  private func step() throws {
    switch Int.random(in: 0..<200, using: &random) {
    case 0..<22: insert()
    case 22..<60: try write()
    case 60..<104: try relate()
    case 104..<124: try touchGhost()
    case 124..<134: delete()
    case 134..<137: try batchDelete()
    case 137..<142: if undo == nil { revive() } else { process() }
    case 142..<156: try save()
    case 156..<160: rollback()
    case 160..<165: try transaction()
    case 165..<172: if undo == nil { release() }
    case 172..<178: try refetch()
    case 178..<186: if undo == nil { try other() } else { try goBack() }
    case 186..<195: if undo == nil { try otherAttributes() } else { try goForth() }
    case 195..<197: try replaceContext()
    case 197: if chance(1, of: 3), undo == nil { try deleteAllData() }
    default: placeholder()
    }
  }

  /// A node's object in the context.
  func model(_ id: Int) -> any PersistentModel {
    if let model = held[id] { return model }
    guard let identifier = identifiers[id] else { return Badge(number: 0) }
    let model = context.model(for: identifier)
    if undo != nil || chance(1, of: 2) { held[id] = model }
    return model
  }

  // MARK: Changes

  func insert() {
    guard let kind = Kind.allCases.randomElement(using: &random), world.visible(kind).count < 8 else {
      return
    }
    note("insert \(kind) \(next + 1)")
    let (id, model) = make(kind, in: &world)
    held[id] = model
    context.insert(model)
  }

  /// Creates an object and a node. A piece also creates a maker.
  func make(_ kind: Kind, in world: inout LifeWorld) -> (Int, any PersistentModel) {
    func node(_ kind: Kind) -> Int {
      next += 1
      var node = LifeWorld.Node(kind: kind)
      for index in Attribute.indices(of: kind) {
        node.attributes[index] = Int.random(in: 0..<1000, using: &random)
      }
      world.nodes[next] = node
      return next
    }
    let id = node(kind)
    let model: any PersistentModel
    switch kind {
    case .studio: model = studio()
    case .badge: model = Badge(number: 0)
    case .subject: model = Subject(word: "")
    case .artist: model = artist("")
    case .piece, .painting, .sculpture:
      let makerID = node(.artist)
      let maker = artist("")
      held[makerID] = maker
      fill(makerID, maker, world)
      switch kind {
      case .painting: model = Painting(title: "", maker: maker, width: 0)
      case .sculpture: model = Sculpture(title: "", maker: maker, weight: 0)
      default: model = Piece(title: "", maker: maker)
      }
      world.set(id, .maker, [makerID])
    }
    fill(id, model, world)
    return (id, model)
  }

  private func fill(_ id: Int, _ model: any PersistentModel, _ world: LifeWorld) {
    for (index, number) in world.nodes[id]?.attributes ?? [:] {
      Attribute.all[index].write(model, number)
    }
  }

  func write() throws {
    guard let id = world.nodes.keys.sorted().randomElement(using: &random),
      let node = world.nodes[id],
      let index = Attribute.indices(of: node.kind).randomElement(using: &random)
    else { return }
    if node.isDeleted {
      // The object has been retained since its deletion. The write is rejected.
      guard let model = held[id] else { return }
      note("write to deleted \(id)")
      let before = Attribute.all[index].read(model)
      Attribute.all[index].write(model, number())
      guard Attribute.all[index].read(model) == before, model.isDeleted else {
        throw Difference(description: "a write to deleted \(id) was not refused")
      }
      return
    }
    let number = number()
    note("\(id).\(index) = \(number)")
    let model = model(id)
    Attribute.all[index].write(model, number)
    world.set(id, index, number)
    guard Attribute.all[index].read(model) == Attribute.all[index].text(number) else {
      throw Difference(description: "\(id).\(index) does not read as it was written")
    }
  }

  func relate() throws {
    guard let link = Link.allCases.randomElement(using: &random), let id = pick(link.owner) else {
      return
    }
    var others = world.others(id, link)
    let candidates = world.visible(link.destination)
    if link.isMany {
      switch Int.random(in: 0..<5, using: &random) {
      case 0: others = []
      case 1: others.shuffle(using: &random)
      case 2: if !others.isEmpty { others.removeFirst() }
      default:
        for _ in 0..<2 { candidates.randomElement(using: &random).map { others.append($0) } }
      }
    } else {
      others = candidates.randomElement(using: &random).map { [$0] } ?? []
      if !link.isRequired, chance(1, of: 4) { others = [] }
      if link.isRequired, others.isEmpty { return }
    }
    note("\(id).\(link) = \(others)")
    let owner = model(id)
    link.write(owner, others.map(model))
    world.set(id, link, others)
    let got = link.read(owner).count
    guard got == world.others(id, link).count else {
      throw Difference(description: "\(id).\(link) has \(got) members after \(others) were set")
    }
  }

  func delete() {
    guard let kind = Kind.allCases.randomElement(using: &random), let id = pick(kind) else { return }
    note("delete \(id)")
    let model = model(id)
    held[id] = model
    context.delete(model)
    world.nodes[id]?.isDeleted = true
  }

  func batchDelete() throws {
    let floor = Int.random(in: 0..<7, using: &random)
    let doomed: [Int]
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      doomed = world.visible(.studio).filter { (world.nodes[$0]?.attributes[4] ?? 0) % 7 == floor }
      doomed.forEach { held[$0] = model($0) }
      note("delete studios on \(floor): \(doomed)")
      try context.delete(model: Studio.self, where: #Predicate { $0.floor == floor })
    case 1:
      doomed = world.visible(.piece).filter { world.nodes[$0]?.kind == .piece }
      doomed.forEach { held[$0] = model($0) }
      note("delete plain pieces \(doomed)")
      try context.delete(model: Piece.self, includeSubclasses: false)
    case 2:
      doomed = world.visible(.painting)
      doomed.forEach { held[$0] = model($0) }
      note("delete paintings \(doomed)")
      try context.delete(model: Painting.self)
    default:
      doomed = world.visible(.badge)
      doomed.forEach { held[$0] = model($0) }
      note("delete badges \(doomed)")
      try context.delete(model: Badge.self)
    }
    for id in doomed { world.nodes[id]?.isDeleted = true }
  }

  func revive() {
    let deleted = world.nodes.keys.filter { world.nodes[$0]?.isDeleted == true }.sorted()
    guard let id = deleted.randomElement(using: &random), let model = held[id] else { return }
    note("revive \(id)")
    context.insert(model)
    world.nodes[id]?.isDeleted = false
  }

  /// Releases objects that can be fetched again.
  func release() {
    note("release")
    for id in held.keys.sorted() where saved.nodes[id] != nil && world.isVisible(id) {
      if chance(1, of: 2) { held[id] = nil }
    }
  }
}
