/// Rows that delete rules delete and for which no object is registered.
///
/// The object exists for a single save. A store can use the keys to read additional data from these rows, for example
/// tombstones, before it deletes them.
package final class DeletedRows {
  /// Rows in a class that were found through a relationship or by a predicate.
  package struct Group: Sendable {
    /// The rows' exact class, not a superclass.
    package let definition: ModelDefinition
    package let token: IdentifierToken
    /// The owners' relationship that contains the rows; nil for rows selected by a predicate.
    package let path: Relation?
    package var keys: [Int64]

    package init(definition: ModelDefinition, token: IdentifierToken, path: Relation?, keys: [Int64]) {
      self.definition = definition
      self.token = token
      self.path = path
      self.keys = keys
    }

    package var identifiers: [PersistentIdentifier] {
      keys.map { PersistentIdentifier(token: token, row: $0) }
    }
  }

  /// The groups in discovery order. Rows follow the rows to which they refer.
  package private(set) var groups: [Group] = []
  /// Rows with an optional reference that the store clears because the destination is deleted.
  package private(set) var clearedRows: [Cleared] = []
  package typealias Cleared = (row: PersistentIdentifier, slot: Int, definition: ModelDefinition)
  package var cleared: [PersistentIdentifier] { clearedRows.map(\.row) }
  package private(set) var changes = ClassChanges()
  /// The row keys in the first `indexed` groups by root class, filled on demand.
  private var keys: [ObjectIdentifier: Set<Int64>] = [:]
  private var indexed = 0

  package init() {}

  package var isEmpty: Bool { groups.isEmpty }

  package func add(_ new: [Group]) { groups += new.filter { !$0.keys.isEmpty } }

  package func recordCleared(
    _ row: PersistentIdentifier, of definition: ModelDefinition, _ property: ModelProperty
  ) {
    clearedRows.append((row, property.slot, definition))
    changes.add(ClassChange(definition, property))
  }

  /// Returns true if a row in a hierarchy is deleted.
  package func contains(_ key: Int64, of root: ModelDefinition) -> Bool {
    index()
    return keys[ObjectIdentifier(root)]?.contains(key) ?? false
  }

  package func contains(_ identifier: PersistentIdentifier, of definition: ModelDefinition) -> Bool {
    guard !groups.isEmpty, !identifier.isTemporary, let key = identifier.row else { return false }
    return contains(key, of: definition.root)
  }

  /// Returns true if any row in a hierarchy is deleted.
  package func hasRows(of root: ModelDefinition) -> Bool {
    groups.contains { $0.definition.root === root }
  }

  /// Removes the rows for which `isGone` returns true.
  package func remove(where isGone: (Group, Int64) -> Bool) {
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

/// A row at a relationship's destination.
package struct RelatedRow {
  /// The owner's row key.
  package var owner: Int64
  package var row: Int64
  /// The row's exact class, not a superclass.
  package var definition: ModelDefinition

  package init(owner: Int64, row: Int64, definition: ModelDefinition) {
    self.owner = owner
    self.row = row
    self.definition = definition
  }
}
