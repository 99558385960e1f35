/// The changes of one save.
package struct Commit: Sendable {
  package var updated: [PersistentIdentifier] = []
  package var deleted: [PersistentIdentifier] = []
  /// True if any model can have changed, after an erased store or a bulk deletion.
  package var isWholesale = false
  /// True if all models were deleted, including models with pending changes.
  package var isErasure = false
  /// The entities whose to-many relationships can have changed.
  package var entities: Set<String> = []
  /// The changes per class; nil if unknown.
  package var changes: ClassChanges?

  package init(
    updated: [PersistentIdentifier] = [], deleted: [PersistentIdentifier] = [], isWholesale: Bool = false,
    isErasure: Bool = false, entities: Set<String> = [], changes: ClassChanges? = nil
  ) {
    self.updated = updated
    self.deleted = deleted
    self.isWholesale = isWholesale
    self.isErasure = isErasure
    self.entities = entities
    self.changes = changes
  }
}

extension Commit {
  /// Adds the changes of another commit.
  package mutating func formUnion(_ other: Commit) {
    updated += other.updated
    deleted += other.deleted
    isWholesale = isWholesale || other.isWholesale
    isErasure = isErasure || other.isErasure
    entities.formUnion(other.entities)
    if let known = other.changes { changes?.formUnion(known) } else { changes = nil }
    // A list of this length costs more than a check of all registered models.
    if updated.count + deleted.count > Self.longest {
      self = Commit(isWholesale: true, isErasure: isErasure)
    }
  }

  package static let longest = 100_000
}

/// The changes to the models of one class in a commit or in pending changes.
///
/// It contains properties instead of rows, which is sufficient to decide whether the result of a query can have
/// changed.
struct ClassChange: Sendable {
  let definition: ModelDefinition
  /// True if models were inserted or deleted.
  var comesOrGoes = false
  /// The changed column slots; `lists` contains the changed to-many slots.
  var columns = PropertySet()
  var lists = PropertySet()
  /// True if an ephemeral property, which is not stored, has changed.
  var isEphemeral = false
  /// True if any property can have changed.
  var isUnknown = false

  init(_ definition: ModelDefinition) { self.definition = definition }

  /// The change of one property; nil for a property that the schema does not contain.
  init(_ definition: ModelDefinition, _ property: ModelProperty?) {
    self.definition = definition
    guard let property else { return }
    if property.kind.isToMany {
      lists.insert(property.slot)
    } else if property.slot >= 0 {
      columns.insert(property.slot)
    } else {
      isEphemeral = true
    }
  }

  mutating func formUnion(_ other: ClassChange) {
    comesOrGoes = comesOrGoes || other.comesOrGoes
    columns.formUnion(other.columns)
    lists.formUnion(other.lists)
    isEphemeral = isEphemeral || other.isEphemeral
    isUnknown = isUnknown || other.isUnknown
  }
}

/// The changes to the models of several classes.
package struct ClassChanges: Sendable {
  private(set) var byClass: [ObjectIdentifier: ClassChange] = [:]

  package init() {}

  subscript(definition: ModelDefinition) -> ClassChange? {
    byClass[ObjectIdentifier(definition)]
  }

  mutating func add(_ change: ClassChange) {
    byClass[ObjectIdentifier(change.definition), default: ClassChange(change.definition)]
      .formUnion(change)
  }

  mutating func addComingOrGoing(_ definition: ModelDefinition) {
    byClass[ObjectIdentifier(definition), default: ClassChange(definition)].comesOrGoes = true
  }

  mutating func formUnion(_ other: ClassChanges) {
    for change in other.byClass.values { add(change) }
  }
}
