/// The changes that a save made.
package struct Commit: Sendable {
  package var updated: [PersistentIdentifier] = []
  package var deleted: [PersistentIdentifier] = []
  /// True if any model may have changed, for example after the store was erased or models were deleted in bulk.
  package var isWholesale = false
  /// True if all models were deleted, including models with pending changes.
  package var isErasure = false
  /// The changes per class, unless any model may have changed.
  package var changes = ClassChanges()

  package init(updated: [PersistentIdentifier] = [], isWholesale: Bool = false, isErasure: Bool = false) {
    self.updated = updated
    self.isWholesale = isWholesale
    self.isErasure = isErasure
  }
}

extension Commit {
  /// Adds another commit's changes.
  package mutating func formUnion(_ other: Commit) {
    updated += other.updated
    deleted += other.deleted
    isWholesale = isWholesale || other.isWholesale
    isErasure = isErasure || other.isErasure
    changes.formUnion(other.changes)
    // Processing a longer list costs more than checking all registered models.
    if updated.count + deleted.count > Self.longest {
      self = Commit(isWholesale: true, isErasure: isErasure)
    }
  }

  package static let longest = 100_000
}

/// The changes to a class's models in a commit or in pending changes.
///
/// It contains properties instead of rows, which is sufficient to decide whether a query result may have changed.
package struct ClassChange: Sendable {
  package let definition: ModelDefinition
  /// True if models were inserted or deleted.
  package var comesOrGoes = false
  /// The changed column slots; `lists` contains the changed to-many slots.
  package var columns = PropertySet()
  package var lists = PropertySet()
  /// True if an ephemeral property, which is not stored, has changed.
  package var isEphemeral = false
  /// True if any property may have changed.
  package var isUnknown = false

  package init(_ definition: ModelDefinition) { self.definition = definition }

  /// Creates the change of a property. `property` is nil if the schema does not contain it.
  package init(_ definition: ModelDefinition, _ property: ModelProperty?) {
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
  package private(set) var byClass: [ObjectIdentifier: ClassChange] = [:]

  package init() {}

  package subscript(definition: ModelDefinition) -> ClassChange? {
    byClass[ObjectIdentifier(definition)]
  }

  package mutating func add(_ change: ClassChange) {
    byClass[ObjectIdentifier(change.definition), default: ClassChange(change.definition)]
      .formUnion(change)
  }

  package mutating func addComingOrGoing(_ definition: ModelDefinition) {
    byClass[ObjectIdentifier(definition), default: ClassChange(definition)].comesOrGoes = true
  }

  /// Records that any property may have changed in some entities' models. All models in the same hierarchies are
  /// included, because identifiers can name the root entity.
  package mutating func addUnknown(_ entityNames: Set<String>, comesOrGoes: Bool = false, _ schema: Schema) {
    for entity in entityNames.flatMap({ schema.entitiesByName[$0]?.root.hierarchy ?? [] }) {
      guard let definition = entity.definition else { continue }
      var change = ClassChange(definition)
      change.isUnknown = true
      change.comesOrGoes = comesOrGoes
      add(change)
    }
  }

  package mutating func formUnion(_ other: ClassChanges) {
    for change in other.byClass.values { add(change) }
  }
}

/// A store change that no context in the container has saved, for example an edited file or rows received from a
/// server.
///
/// ```swift
/// // A sync service has written new values for the trip.
/// container.notifyExternalChange(DataStoreExternalChange(updated: [trip.persistentModelID]))
/// ```
///
/// A custom store calls `notifyExternalChange(_:)` on itself, with the same effect in all of its containers. Contexts
/// reload the changed registered models and treat missing models as deleted. Pending changes remain pending.
/// ``ResultsObserver``s fetch again if the change may affect their results. SwiftData has no equivalent.
public struct DataStoreExternalChange: Sendable, Hashable {
  /// Inserted models.
  public var inserted: [PersistentIdentifier]
  /// Models whose values may have changed.
  public var updated: [PersistentIdentifier]
  /// Deleted models.
  public var deleted: [PersistentIdentifier]
  /// Entities with inserted, updated or deleted models that are not listed.
  public var entityNames: Set<String>
  /// True if any model may have changed. Contexts then reload every registered model, which is slow.
  public var isEverything: Bool

  /// Creates a change to known models and entities.
  ///
  /// The destinations of changed relationships can be omitted, because contexts reload relationships.
  ///
  /// - Parameters:
  ///   - inserted: New models.
  ///   - updated: Models whose values may have changed.
  ///   - deleted: Models that no longer exist.
  ///   - entityNames: Entities with further changes. Contexts then reload every registered model.
  public init(
    inserted: [PersistentIdentifier] = [], updated: [PersistentIdentifier] = [],
    deleted: [PersistentIdentifier] = [], entityNames: Set<String> = []
  ) {
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
    self.entityNames = entityNames
    self.isEverything = false
  }

  /// A change with unknown extent.
  public static var everything: DataStoreExternalChange {
    var change = DataStoreExternalChange()
    change.isEverything = true
    return change
  }
}
