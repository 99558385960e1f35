/// Writes a batch of snapshots.
package protocol BatchWriter: AnyObject {
  /// Writes a portion of the snapshots and retains none of them.
  func add(_ snapshots: SnapshotBuffer) throws
}

/// Passes a batch to a writer in portions.
package typealias BatchBody = (any BatchWriter) throws -> Void

/// Validates batch snapshots that are written as rows, as a context validates models.
package struct BatchCheck {
  /// Rule violations. The batch fails if there are any at the end.
  package var violations: [SwiftDataError.Violation] = []
  private let definition: ModelDefinition
  private let store: String?
  private let isUpsert: Bool
  private let required: [Relation]
  private let lists: [Relation]

  /// The number of violations at which a batch fails immediately.
  private static let mostViolations = 1_000

  package init(_ plan: EntityStatements, isUpsert: Bool) {
    definition = plan.entity.definition
    store = plan.token.entry.store
    self.isUpsert = isUpsert
    required = definition.relations.references.filter { !$0.property.isOptional }
    lists = definition.relations.toMany
  }

  /// Returns false if a snapshot violates a rule.
  package mutating func accepts(_ snapshots: SnapshotBuffer, _ index: Int) throws -> Bool {
    let before = violations.count
    if !isUpsert, isSaved(snapshots.identifier(index)) {
      violations.append(.savedAlready(snapshots.identifier(index)))
    }
    for relation in required where snapshots.reference(index, relation.slot) == nil {
      violations.append(.missing(relation, of: snapshots.identifier(index)))
    }
    for relation in lists where snapshots.references(index, relation.slot)?.isEmpty == false {
      violations.append(.derivedList(relation, of: snapshots.identifier(index), definition))
    }
    if violations.count >= Self.mostViolations { try throwViolations() }
    return violations.count == before
  }

  /// Returns true if the identifier belongs to a row in this store.
  func isSaved(_ identifier: PersistentIdentifier) -> Bool {
    !identifier.isTemporary && identifier.storeIdentifier == store
  }

  package func throwViolations() throws {
    guard violations.isEmpty else { throw SwiftDataError.modelValidationFailure.listing(violations) }
  }
}

extension ModelDefinition {
  /// True if models may refer to models in the same hierarchy.
  package var refersToItself: Bool { relations.all.contains { $0.destination.root === root } }
}

extension EntityStatements {
  /// True if a new row affects no existing rows. Members with no position come last in an ordered list.
  package var isIndependent: Bool {
    let relations = entity.definition.relations
    return pairs.isEmpty && writtenLists.isEmpty && relations.checked.allSatisfy { !$0.isToMany }
      && !entity.definition.refersToItself
      && relations.references.allSatisfy { !$0.endsInBoundedList && ($0.inverse?.maximumCount ?? 0) == 0 }
  }
}

extension SwiftDataError.Violation {
  /// Creates a violation for a snapshot that lacks some of the row's values.
  package static func overwriting(_ model: PersistentIdentifier, _ entity: String, with snapshot: String) -> Self {
    Self(
      model: model, properties: [],
      reason: "is a \(entity), which a snapshot of \(snapshot) cannot overwrite: use '\(entity).Snapshot'")
  }

  /// Creates a violation for an inserted snapshot that has an existing row's identifier.
  package static func savedAlready(_ model: PersistentIdentifier) -> Self {
    Self(
      model: model, properties: [], rule: .unique,
      reason: "is already saved: use 'upsert(contentsOf:)' to overwrite it, or give the snapshot a new identifier")
  }

  /// Creates a violation for a missing required reference.
  fileprivate static func missing(_ relation: Relation, of model: PersistentIdentifier) -> Self {
    Self(
      model: model, properties: [relation.property.name], rule: .required,
      reason: "required, but there is no \(relation.destination.entityName)")
  }

  /// Creates a violation for a list that is derived from its members, which a batch cannot write.
  package static func derivedList(
    _ relation: Relation, of model: PersistentIdentifier, _ definition: ModelDefinition
  ) -> Self {
    let inverse = relation.inverse?.name ?? ""
    return Self(
      model: model, properties: [relation.property.name],
      reason: "is derived from its members' '\(inverse)': omit it, and in each "
        + "\(relation.destination.entityName) set '\(inverse)' to this \(definition.entityName)")
  }
}
