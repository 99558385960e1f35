import Foundation
import Trellis

/// Compares objects with the expected world.
extension LifeMachine {
  func compare(_ place: String) throws {
    try compare(context, world, held, place)
    let inserted = world.visible.filter { saved.nodes[$0] == nil }.count
    let deleted = world.nodes.keys.filter {
      saved.nodes[$0] != nil && world.nodes[$0]?.isDeleted == true
    }.count
    let arrays = (context.insertedModelsArray, context.changedModelsArray, context.deletedModelsArray)
    guard arrays.0.count == inserted, arrays.2.count == deleted else {
      throw Difference(
        description: "\(place): \(arrays.0.count) inserted, \(arrays.2.count) deleted, "
          + "not \(inserted) and \(deleted)")
    }
    guard context.hasChanges == !(arrays.0.isEmpty && arrays.1.isEmpty && arrays.2.isEmpty) else {
      throw Difference(description: "\(place): hasChanges is \(context.hasChanges)")
    }
    for (id, node) in world.nodes {
      guard let model = held[id] else { continue }
      guard model.isDeleted == node.isDeleted else {
        throw Difference(description: "\(place): isDeleted of \(id) is \(model.isDeleted)")
      }
    }
  }

  func compareStored() throws {
    try compare(ModelContext(container), saved, [:], "what was saved")
  }

  private func compare(
    _ context: ModelContext, _ world: LifeWorld, _ held: [Int: any PersistentModel],
    _ place: String
  ) throws {
    var models: [Int: any PersistentModel] = [:]
    var numbers: [ObjectIdentifier: Int] = [:]
    for id in world.visible {
      let found = held[id] ?? identifiers[id].map { context.model(for: $0) }
      guard let found, found.modelContext === context else {
        throw Difference(description: "\(place): \(id) is missing")
      }
      models[id] = found
      numbers[ObjectIdentifier(found)] = id
    }
    for (id, found) in models {
      guard let node = world.nodes[id] else { continue }
      for (index, number) in node.attributes
      where Attribute.all[index].read(found) != Attribute.all[index].text(number) {
        throw Difference(
          description: "\(place): \(id).\(index) is \(Attribute.all[index].read(found) ?? "?"), "
            + "not \(Attribute.all[index].text(number))")
      }
      for link in Link.of(node.kind) {
        let expected = world.others(id, link)
        let got = link.read(found).map { numbers[ObjectIdentifier($0)] ?? -1 }
        guard link.isOrdered ? got == expected : got.sorted() == expected.sorted() else {
          throw Difference(description: "\(place): \(id).\(link) is \(got), not \(expected)")
        }
      }
    }
  }

  func refetch() throws {
    note("refetch")
    let floor = Int.random(in: 0..<7, using: &random)
    // Fetches exclude the models that the next save deletes.
    var shown = world
    shown.propagate()
    let expected = shown.visible(.studio).filter {
      (world.nodes[$0]?.attributes[4] ?? 0) % 7 == floor
    }
    let found = try context.fetch(FetchDescriptor<Studio>(predicate: #Predicate { $0.floor == floor }))
    guard found.count == expected.count else {
      throw Difference(description: "\(found.count) studios are on floor \(floor), not \(expected)")
    }
    let counts = try [
      context.fetchCount(FetchDescriptor<Studio>()), context.fetchCount(FetchDescriptor<Badge>()),
      context.fetchCount(FetchDescriptor<Piece>()), context.fetchCount(FetchDescriptor<Painting>()),
      context.fetch(FetchDescriptor<Sculpture>()).count,
      context.fetchIdentifiers(FetchDescriptor<Subject>()).count,
      context.fetch(FetchDescriptor<Artist>(sortBy: [SortDescriptor(\.name)])).count,
    ]
    let wanted = Kind.allCases.map { shown.visible($0).count }
    guard counts == wanted else {
      throw Difference(description: "counts are \(counts), not \(wanted)")
    }
  }

  // MARK: Objects without a context

  func touchGhost() throws {
    if ghosts.count > 60, let id = ghosts.keys.sorted().randomElement(using: &random) {
      ghosts[id] = nil
    }
    guard let id = ghosts.keys.sorted().randomElement(using: &random), var ghost = ghosts[id] else {
      return
    }
    note("touch ghost \(id)")
    try check(&ghost, id)
    ghosts[id] = ghost
  }

  private func check(_ ghost: inout Ghost, _ id: Int) throws {
    let model = ghost.model
    func fail(_ what: String) -> Difference {
      Difference(description: "ghost \(id), a \(ghost.kind): \(what)")
    }
    guard (model.modelContext != nil) == ghost.keepsContext, model.isDeleted == ghost.isDeleted,
      ghost.keepsContext || !model.hasChanges
    else {
      throw fail("isDeleted \(model.isDeleted), context \(model.modelContext as Any)")
    }
    for index in Attribute.indices(of: ghost.kind) {
      let expected = ghost.attributes[index].map(Attribute.all[index].text)
      guard Attribute.all[index].read(model) == expected else {
        throw fail("\(index) reads \(Attribute.all[index].read(model) ?? "?"), not \(expected ?? "?")")
      }
    }
    guard let index = Attribute.indices(of: ghost.kind).randomElement(using: &random) else { return }
    let number = number()
    Attribute.all[index].write(model, number)
    if !ghost.isDeleted { ghost.attributes[index] = number }
    guard
      Attribute.all[index].read(model) == ghost.attributes[index].map(Attribute.all[index].text)
    else { throw fail("a write to \(index) did what it should not") }
    for link in Link.of(ghost.kind) {
      for other in link.read(model) {
        guard !other.isDeleted else { throw fail("\(link) shows a deleted model") }
      }
    }
    guard ghost.isDeleted, let link = Link.of(ghost.kind).randomElement(using: &random),
      let target = pick(link.destination)
    else { return }
    // The write is rejected and the inverse does not change.
    let live = self.model(target)
    let back = link.inverse?.read(live).count
    link.write(model, [live])
    guard link.inverse?.read(live).count == back else { throw fail("\(link) reached \(target)") }
    guard let inverse = link.inverse, !model.persistentModelID.isTemporary else { return }
    let members = inverse.read(live)
    if inverse.isRequired { return }
    guard inverse.isMany else { return }
    // A deleted model cannot become a member either.
    inverse.write(live, members + [model])
    if inverse.isMany, let own = inverse.owner == live.kind ? target : nil {
      world.set(own, inverse, world.others(own, inverse))
    }
    guard inverse.read(live).count == back else { throw fail("\(inverse) of \(target) took it in") }
  }

  func placeholder() {
    note("placeholder")
    let identifier = try? PersistentIdentifier.identifier(
      for: container.storeIdentifier(forConfigurationNamed: "default") ?? "", entityName: "Artist",
      primaryKey: 1_000_000 + next)
    guard let identifier, let model = context.model(for: identifier) as? Artist else { return }
    model.name = "nobody"
    model.friends = []
    context.delete(model)
    if let id = pick(.artist), let live = self.model(id) as? Artist { model.partner = live }
  }

  /// Releases the context and the container, and checks all remaining objects.
  func endOfContainer() throws {
    try replaceContext()
    for id in ghosts.keys.sorted() {
      guard var ghost = ghosts[id] else { continue }
      steps += 1
      try check(&ghost, id)
    }
  }
}

extension PersistentModel {
  fileprivate var kind: Kind {
    switch self {
    case is Studio: .studio
    case is Badge: .badge
    case is Piece: .piece
    case is Subject: .subject
    default: .artist
    }
  }
}
