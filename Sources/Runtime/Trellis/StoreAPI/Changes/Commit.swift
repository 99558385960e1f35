/// What one save changed.
struct Commit: Sendable {
  var updated: [PersistentIdentifier] = []
  var deleted: [PersistentIdentifier] = []
  /// Everything may have changed: an erased store, a bulk deletion.
  var isWholesale = false
  /// Whether somebody has asked for everything to be deleted, whatever is pending.
  var isErasure = false
  /// The entities whose lists may have other members now.
  var entities: Set<String> = []
  /// What happened to the models of each class; nil when that is not known.
  var changes: ClassChanges?
}

extension Commit {
  /// What both have changed.
  mutating func formUnion(_ other: Commit) {
    updated += other.updated
    deleted += other.deleted
    isWholesale = isWholesale || other.isWholesale
    isErasure = isErasure || other.isErasure
    entities.formUnion(other.entities)
    if let known = other.changes { changes?.formUnion(known) } else { changes = nil }
    // Naming so many costs more than looking at everything.
    if updated.count + deleted.count > Self.longest {
      self = Commit(isWholesale: true, isErasure: isErasure)
    }
  }

  static let longest = 100_000
}

/// What has happened to the models of one class, in a commit or in a context's pending changes.
///
/// Sets of properties, not of rows: enough to tell whether a query may have another answer now.
struct ClassChange: Sendable {
  let definition: ModelDefinition
  /// Whether models were inserted or deleted.
  var comesOrGoes = false
  /// The column and to-many slots in which models have changed.
  var columns = PropertySet()
  var lists = PropertySet()
  /// Whether a property that no store keeps has changed.
  var isEphemeral = false
  /// Whether any property may have changed.
  var isUnknown = false

  init(_ definition: ModelDefinition) { self.definition = definition }

  /// The change of one property; nil for one the schema does not know.
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

/// What has happened to the models of several classes.
struct ClassChanges: Sendable {
  private(set) var byClass: [ObjectIdentifier: ClassChange] = [:]

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
