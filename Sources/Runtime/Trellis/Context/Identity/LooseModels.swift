/// The pending models of a context that only models keep alive.
///
/// A registered model retains its context. The context may not retain a model with pending changes in turn,
/// or neither would ever be released. It refers to such a model weakly. When the model is released while
/// others keep the context, a copy takes its place, so that no change is lost. A copy refers to the members of
/// its lists by identifier, so it keeps no other model alive.
final class LooseModels {
  private var entries: [ObjectIdentifier: LooseModel] = [:]
  /// How many models are copies.
  private(set) var copies = 0

  func entry(of model: any PersistentModel) -> LooseModel {
    if let known = entries[ObjectIdentifier(model)], known.object === model { return known }
    let entry = LooseModel(model)
    entries[ObjectIdentifier(model)] = entry
    return entry
  }

  /// True if the program refers to one of the copies.
  var hasCopiesInUse: Bool { copies > 0 && entries.values.contains { $0.isCopyInUse } }

  /// Replaces a model that is being released by a copy; false if it has no pending changes.
  func replace(_ dying: any PersistentModel, in table: IdentityTable) -> Bool {
    guard let entry = entries.removeValue(forKey: ObjectIdentifier(dying)) else { return false }
    switch dying.phase {
    case .inserted, .changed, .deleting: break
    case .clean, .gone: return false
    }
    let definition = type(of: dying)._$definition
    let values = definition.codec.makeBuffer(capacity: 1)
    definition.codec.capture(dying, into: values)
    guard let copy = values.makeModel(0) else { return false }
    copy._$state.side = dying._$state.side
    entry.become(copy)
    entries[ObjectIdentifier(copy)] = entry
    copies += 1
    table.register(copy)
    restLists(of: copy, table)
    return true
  }

  /// Drops unchanged lists of a pending model, and releases the members of changed ones, where models might hold each
  /// other and never be released: in a copy, which the context holds, and where lists may lead back to their owner.
  func restLists(of model: any PersistentModel, _ table: IdentityTable) {
    guard let side = model._$state.side, !side.links.isEmpty else { return }
    side.links.keepTargets { $0.ownerContext !== table.context }
    let owner = model._$identifier
    let definition = type(of: model)._$definition
    let isCopy = entries[ObjectIdentifier(model)]?.isCopy == true
    if isCopy {
      side.links.setLists(
        side.links.allLists.filter { owner.isTemporary || side.changedLists.contains($0.slot) })
    }
    for (slot, list) in side.links.allLists {
      let relation = definition.relations.toMany[slot]
      guard isCopy || table.context.core.listCycles.mayClose(relation, of: definition) else { continue }
      list.rest { table.isClosed ? [] : table.context.lookUp($0, of: owner, relation) }
    }
  }

  /// Holds the members of all lists, before a save replaces identifiers.
  func wakeLists() {
    for model in entries.values.compactMap(\.model) {
      for (_, list) in model._$state.side?.links.allLists ?? [] { list.wake() }
    }
  }

  /// Releases the members again if the save has failed.
  func restLists() {
    for model in entries.values.compactMap(\.model) where model.hasChanges {
      model._$state.table?._withUnsafeGuaranteedRef { restLists(of: model, $0) }
    }
  }

  /// Refers to the copies weakly, too. Those that the program does not hold are replaced by new ones.
  func letGoOfCopies() {
    let released = entries.values.compactMap { $0.letGoOfCopy() }
    copies = 0
    withExtendedLifetime(released) {}
  }

  func removeAll() {
    let old = entries
    entries = [:]
    copies = 0
    // A copy that is released looks here.
    withExtendedLifetime(old) {}
  }
}

/// A model with pending changes that is not retained, or the copy that has taken its place.
final class LooseModel {
  private weak var original: AnyObject?
  private var copy: AnyObject?
  private let codec: any ModelCodec

  init(_ model: any PersistentModel) {
    original = model
    codec = type(of: model)._$definition.codec
  }

  fileprivate var object: AnyObject? { copy ?? original }

  /// Nil once a model without pending changes is released.
  var model: (any PersistentModel)? { object.map(codec.model(from:)) }

  fileprivate var isCopy: Bool { copy != nil }

  fileprivate func become(_ model: any PersistentModel) { copy = model }

  fileprivate func letGoOfCopy() -> AnyObject? {
    guard let copy else { return nil }
    original = copy
    self.copy = nil
    return copy
  }

  fileprivate var isCopyInUse: Bool { copy != nil && !isKnownUniquelyReferenced(&copy) }
}

extension ModelContext {
  var registeredCount: Int { tables.values.reduce(0) { $0 + $1.count } }

  /// Stops keeping the context once the last model that the program holds is released.
  func giveUpIfUnused(_ loose: LooseModels) {
    guard keptByModels != nil, registeredCount <= loose.copies else { return }
    keptByModels = nil
  }
}
