/// The members of the lists of several owners as a store has them, owner by owner.
///
/// Asked for the owners one after the other. As a rule both come in the order of their keys, and
/// nothing is looked up.
struct StoredLists {
  typealias Members = ArraySlice<AnyObject>

  private let models: [AnyObject]
  private let lists: [(owner: Int64, start: Int)]
  /// False where reading has ended after some of the owners.
  private let isComplete: Bool
  private let isAscending: Bool
  /// Those of a store whose models name their members, by owner.
  private let named: [PersistentIdentifier: [AnyObject]]
  private var next = 0
  private var last = Int64.min
  /// By owner; made when an owner is asked for out of turn.
  private var places: [Int64: Int]?

  init(_ materializer: ModelMaterializer, isComplete: Bool) {
    models = materializer.models
    lists = materializer.lists
    self.isComplete = isComplete
    isAscending = zip(lists, lists.dropFirst()).allSatisfy { $0.owner < $1.owner }
    named = [:]
  }

  init(_ named: [PersistentIdentifier: [AnyObject]]) {
    models = []
    lists = []
    isComplete = false
    isAscending = true
    self.named = named
  }

  /// Whether there are members of more than one owner.
  var areSeveral: Bool { lists.count > 1 || named.count > 1 }

  /// The members of a list; nil when it was not read.
  mutating func members(of owner: PersistentIdentifier) -> Members? {
    guard named.isEmpty else { return named[owner]?[...] }
    guard let row = owner.row else { return nil }
    if let place = place(of: row) {
      let end = place + 1 < lists.count ? lists[place + 1].start : models.count
      return models[lists[place].start..<end]
    }
    return isComplete ? [] : nil
  }

  private mutating func place(of row: Int64) -> Int? {
    if isAscending, places == nil, row > last {
      last = row
      while next < lists.count, lists[next].owner < row { next += 1 }
      return next < lists.count && lists[next].owner == row ? next : nil
    }
    if let places { return places[row] }
    let all = Dictionary(
      lists.enumerated().map { ($1.owner, $0) }, uniquingKeysWith: { first, _ in first })
    places = all
    return all[row]
  }
}

extension ModelContext {
  /// The members of the lists of several owners as they are stored; nil when the store cannot tell
  /// and neither can the owners.
  ///
  /// - Parameters:
  ///   - identifiers: of the owners.
  ///   - limit: after so many members no further list is read.
  func storedLists(
    of owners: [any PersistentModel], _ identifiers: [PersistentIdentifier], _ relation: Relation,
    limit: Int?
  ) throws -> StoredLists {
    guard let first = owners.first else { return StoredLists([:]) }
    try loadPendingRows()
    let definition = type(of: first)._$definition
    let materializer = ModelMaterializer(table: try table(for: relation.destination), isRemembered: true)
    materializer.limit = limit
    let store = try table(for: definition).store
    var isComplete = true
    do {
      let answered = try core.withScope {
        try store.loadMembers(
          of: identifiers, definition, slot: relation.property.slot, editingState, materializer)
      }
      guard answered else { return StoredLists(try namedMembers(of: owners, relation)) }
    } catch is ModelMaterializer.LimitReached {
      isComplete = false
    }
    materializer.remember()
    return StoredLists(materializer, isComplete: isComplete)
  }

  /// The same in a store that knows nothing of relationships, where the owners' own values tell.
  private func namedMembers(
    of owners: [any PersistentModel], _ relation: Relation
  ) throws -> [PersistentIdentifier: [AnyObject]] {
    var known: [(owner: PersistentIdentifier, members: [PersistentIdentifier])] = []
    for owner in owners {
      guard let members = owner.storedReferences(relation.property.slot) else { continue }
      known.append((owner._$identifier, members))
    }
    var models: [PersistentIdentifier: AnyObject] = [:]
    var missing: [PersistentIdentifier] = []
    for identifier in Set(known.lazy.flatMap(\.members)) {
      if let model = inMemory(identifier, relation.destination) {
        models[identifier] = model as AnyObject
      } else {
        missing.append(identifier)
      }
    }
    if !missing.isEmpty {
      for model in try load(missing, relation.destination) {
        models[model._$identifier] = model as AnyObject
      }
    }
    return Dictionary(
      known.map { owner, members in
        var seen = Set<PersistentIdentifier>()
        return (owner, members.compactMap { seen.insert($0).inserted ? models[$0] : nil })
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Gives an unchanged owner a list that was not loaded: the stored members with their pending changes.
  ///
  /// - Parameter mayClose: whether lists may lead back to the owner.
  func settle(
    _ members: StoredLists.Members, of owner: any PersistentModel, _ relation: Relation,
    mayClose: Bool
  ) {
    let list = relation.destination.codec.makeList(stored: members)
    if pending.isEmpty, !mayClose {
      owner.sideOfCleanModel.links.setList(relation.property.slot, list)
    } else {
      applyPending(to: list, of: owner, relation)
    }
  }
}
