/// The rows of a fetch or list, in order. A relationship that is read for one model is read for its neighbors as well.
///
/// Retains no models, and consecutive keys take almost no memory. The identity map keeps the most recent batches and
/// releases them when no models remain.
final class FaultBatch {
  private let rows: Rows
  /// Rows read ahead for the group, by relationship.
  var ahead: [ObjectIdentifier: RowCache] = [:]
  /// How often each relationship was read for several models in the group.
  private var readings: [ObjectIdentifier: Int] = [:]

  enum Rows {
    case runs([RowRuns.Run], IdentifierToken)
    case list([PersistentIdentifier])
  }

  init(_ rows: Rows) { self.rows = rows }

  /// Returns the number of models for which a relationship is read together, and the member count after which no
  /// further lists are read. Returns `nil` if reading several lists together has not paid off.
  func portion(of relation: Relation) -> (models: Int, rows: Int)? {
    switch readings[ObjectIdentifier(relation)] ?? 0 {
    case ..<0: nil
    // The app may use only a single model.
    case 0: (128, 2_000)
    default: (1_024, 16_000)
    }
  }

  func record(_ relation: Relation, isWorthIt: Bool) {
    readings[ObjectIdentifier(relation), default: 0] += isWorthIt ? 1 : -1_000_000
  }

  func contains(_ identifier: PersistentIdentifier) -> Bool {
    switch rows {
    case .runs(let runs, let token):
      guard let row = identifier.row, identifier.token == token else { return false }
      return runs.contains { $0.contains(row) }
    case .list(let list): return list.contains(identifier)
    }
  }

  /// Visits the identifiers after the given identifier, then those before it, nearest first.
  ///
  /// - Parameters:
  ///   - reach: The maximum distance in each direction.
  ///   - body: Returns false to stop.
  func visitNeighbours(
    of identifier: PersistentIdentifier, reach: Int, _ body: (PersistentIdentifier) -> Bool
  ) {
    switch rows {
    case .list(let list):
      guard let own = list.firstIndex(of: identifier) else { return }
      for neighbour in list[(own + 1)...].prefix(reach) where !body(neighbour) { return }
      for neighbour in list[..<own].suffix(reach).reversed() where !body(neighbour) { return }
    case .runs(let runs, let token):
      guard let row = identifier.row, let own = runs.firstIndex(where: { $0.contains(row) }) else { return }
      for step in [1, -1] {
        var (index, key) = (own, row)
        for _ in 0..<reach {
          key &+= Int64(step)
          if !runs[index].contains(key) {
            index += step
            guard runs.indices.contains(index) else { break }
            key = step > 0 ? runs[index].first : runs[index].end - 1
          }
          guard body(PersistentIdentifier(token: token, row: key)) else { return }
        }
      }
    }
  }
}

/// Rows that were read ahead. The cache holds values instead of models and therefore retains no objects.
///
/// Belongs to the ``FaultBatch`` for which it was read. Emptied when any context of the container saves.
final class RowCache {
  private struct Entry {
    let buffer: SnapshotBuffer
    let index: Int
    /// To-many lists by slot.
    var lists: [(slot: Int, identifiers: [PersistentIdentifier])]
  }

  private var buffers: [ObjectIdentifier: SnapshotBuffer] = [:]
  private var entries: [PersistentIdentifier: Entry] = [:]
  private(set) var group = FaultBatch(.list([]))

  /// Copies the values and known lists of clean models.
  init(_ models: some Sequence<any PersistentModel>) {
    var order: [PersistentIdentifier] = []
    for model in models {
      let identifier = model._$identifier
      guard model.phase == .clean, !identifier.isTemporary, entries[identifier] == nil,
        model._$state.side?.missing == nil
      else { continue }
      let definition = type(of: model)._$definition
      let key = ObjectIdentifier(definition)
      let buffer = buffers[key] ?? definition.codec.makeBuffer(capacity: 16)
      buffers[key] = buffer
      definition.codec.capture(model, into: buffer)
      let lists = model._$state.side?.links.allLists ?? []
      entries[identifier] = Entry(
        buffer: buffer, index: buffer.count - 1,
        lists: lists.compactMap { slot, list in list.committed.map { (slot, $0) } })
      order.append(identifier)
    }
    group = FaultBatch(.list(order))
  }

  func contains(_ identifier: PersistentIdentifier) -> Bool { entries[identifier] != nil }

  func setList(_ slot: Int, of owner: PersistentIdentifier, _ members: [PersistentIdentifier]) {
    entries[owner]?.lists.removeAll { $0.slot == slot }
    entries[owner]?.lists.append((slot, members))
  }

  /// Creates a model with cached values and lists, or returns `nil` if the row is not cached.
  func makeModel(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
    guard let entry = entries[identifier], let model = entry.buffer.makeModel(entry.index) else {
      return nil
    }
    let relations = type(of: model)._$definition.relations
    for (slot, identifiers) in entry.lists {
      let list = relations.toMany[slot].destination.codec.makeList(isLoaded: false)
      list.committed = identifiers
      model.side.links.setList(slot, list)
    }
    return model
  }

  /// Returns the target of a cached row's to-one relationship.
  func reference(_ identifier: PersistentIdentifier, _ relation: Relation) -> PersistentIdentifier? {
    guard let entry = entries[identifier], let definition = entry.buffer.definition,
      let own = definition.relations.relation(like: relation)
    else { return nil }
    return entry.buffer.reference(entry.index, own.property.slot)
  }

  func removeAll() {
    buffers = [:]
    entries = [:]
  }
}

/// A context's row caches. Each cache lives as long as the group for which it was read.
struct ReadAhead {
  private struct Weak { weak var cache: RowCache? }

  private var caches: [Weak] = []

  var isEmpty: Bool { caches.isEmpty }

  mutating func add(_ cache: RowCache) {
    caches.removeAll { $0.cache == nil }
    caches.append(Weak(cache: cache))
  }

  /// Returns the newest cache that contains the row.
  func cache(of identifier: PersistentIdentifier) -> RowCache? {
    for weak in caches.reversed() {
      if let cache = weak.cache, cache.contains(identifier) { return cache }
    }
    return nil
  }

  /// Discards rows that may no longer match the stores.
  mutating func removeAll() {
    for weak in caches { weak.cache?.removeAll() }
    caches = []
  }
}

extension RelationTable {
  /// Returns this class's counterpart of a relationship that belongs to another class in the same table. Shared
  /// relationships have the same slot in all classes of a hierarchy.
  func relation(like other: Relation) -> Relation? {
    let slot = other.slot
    guard slot < (other.isToMany ? toMany.count : toOne.count), let own = other.isToMany ? toMany[slot] : toOne[slot]
    else { return nil }
    let isSame = own === other || (own.destination === other.destination && own.property.name == other.property.name)
    return isSame ? own : nil
  }
}
