/// The rows that delete rules delete without making objects of them: those nobody has registered.
///
/// Lives as long as the save. What a store records of a deletion beyond the rows themselves, tombstones
/// for example, it can select by the same keys before it deletes them.
final class DeletedRows {
  /// Rows of one class, found by one relationship.
  struct Group: Sendable {
    /// The class of the rows itself, not one above it.
    let definition: ModelDefinition
    let token: IdentifierToken
    /// The relationship of their owners that led to them.
    let path: Relation
    var keys: [Int64]

    var identifiers: [PersistentIdentifier] {
      keys.map { PersistentIdentifier(token: token, row: $0) }
    }
  }

  /// In the order in which they were found: rows that refer to others come after those.
  private(set) var groups: [Group] = []
  /// Rows with an optional reference that the store clears because its target is deleted.
  private(set) var clearedRows: [Cleared] = []
  typealias Cleared = (row: PersistentIdentifier, slot: Int, definition: ModelDefinition)
  var cleared: [PersistentIdentifier] { clearedRows.map(\.row) }
  private(set) var changes = ClassChanges()
  /// By root, of all groups before `indexed`; made when somebody asks.
  private var keys: [ObjectIdentifier: Set<Int64>] = [:]
  private var indexed = 0

  var isEmpty: Bool { groups.isEmpty }

  func add(_ new: [Group]) { groups += new.filter { !$0.keys.isEmpty } }

  func noteCleared(
    _ row: PersistentIdentifier, of definition: ModelDefinition, _ property: ModelProperty
  ) {
    clearedRows.append((row, property.slot, definition))
    changes.add(ClassChange(definition, property))
  }

  /// Whether a row of a hierarchy is among them.
  func contains(_ key: Int64, of root: ModelDefinition) -> Bool {
    index()
    return keys[ObjectIdentifier(root)]?.contains(key) ?? false
  }

  func contains(_ identifier: PersistentIdentifier, of definition: ModelDefinition) -> Bool {
    guard !groups.isEmpty, !identifier.isTemporary, let key = identifier.row else { return false }
    return contains(key, of: definition.root)
  }

  /// Whether some row of a hierarchy is among them.
  func hasRows(of root: ModelDefinition) -> Bool {
    groups.contains { $0.definition.root === root }
  }

  /// Takes out the rows for which `isGone` says so.
  func remove(where isGone: (Group, Int64) -> Bool) {
    for index in groups.indices {
      let group = groups[index]
      groups[index].keys.removeAll { isGone(group, $0) }
    }
    groups.removeAll { $0.keys.isEmpty }
    keys = [:]
    indexed = 0
  }

  private func index() {
    guard indexed < groups.count else { return }
    for group in groups[indexed...] {
      keys[ObjectIdentifier(group.definition.root), default: []].formUnion(group.keys)
    }
    indexed = groups.count
  }
}

/// A row at the other end of a relationship.
struct RelatedRow {
  /// The row that was asked about.
  var owner: Int64
  var row: Int64
  /// The class of the row itself.
  var definition: ModelDefinition
}
