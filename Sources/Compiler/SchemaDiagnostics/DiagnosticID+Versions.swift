/// What the versions of a schema can have wrong with each other.
extension DiagnosticID {
  package static let versionNotBumped = Self("MIG001", "version-not-bumped")
  package static let frozenVersionEdited = Self("MIG002", "frozen-version-edited")
  package static let versionOrder = Self("MIG003", "version-order")
  package static let identicalVersions = Self("MIG004", "identical-versions")
  package static let missingStage = Self("MIG005", "missing-stage")
  package static let parallelVersion = Self("MIG006", "parallel-version")
  package static let lockMissing = Self("MIG007", "lock-missing")

  package static let entityDropped = Self("MIG010", "entity-dropped")
  package static let attributeDropped = Self("MIG011", "attribute-dropped")
  package static let relationshipDropped = Self("MIG012", "relationship-dropped")
  package static let enumCaseRemoved = Self("MIG013", "enum-case-removed")
  package static let enumRawChanged = Self("MIG014", "enum-raw-changed")
  package static let probableRename = Self("MIG020", "probable-rename")
  package static let originalNameUnknown = Self("MIG021", "original-name-unknown")
  package static let originalNameConflict = Self("MIG022", "original-name-conflict")
  package static let retiredNameReused = Self("MIG024", "retired-name-reused")
  package static let typeChanged = Self("MIG030", "type-changed")
  package static let typeNarrowed = Self("MIG031", "type-narrowed")
  package static let compositeShapeChanged = Self("MIG033", "composite-shape-changed")
  package static let superclassChanged = Self("MIG034", "superclass-changed")
  package static let requiredWithoutDefault = Self("MIG040", "required-without-default")
  package static let newRequiredAttribute = Self("MIG041", "new-required-attribute")
  package static let newRequiredRelationship = Self("MIG042", "new-required-relationship")
  package static let volatileFill = Self("MIG043", "volatile-fill")
  package static let uniqueAdded = Self("MIG050", "unique-added")
  package static let uniqueRemoved = Self("MIG051", "unique-removed")
  package static let deleteRuleChanged = Self("MIG060", "delete-rule-changed")
  package static let cardinalityChanged = Self("MIG061", "cardinality-changed")
  package static let inverseChanged = Self("MIG062", "inverse-changed")
  package static let countBoundTightened = Self("MIG063", "count-bound-tightened")
  package static let orderDropped = Self("MIG064", "order-dropped")

  /// Every diagnostic above, in the order of the codes.
  package static let versionDiagnostics: [Self] = [
    versionNotBumped, frozenVersionEdited, versionOrder, identicalVersions, missingStage,
    parallelVersion, lockMissing, entityDropped, attributeDropped, relationshipDropped,
    enumCaseRemoved, enumRawChanged, probableRename, originalNameUnknown, originalNameConflict,
    retiredNameReused, typeChanged, typeNarrowed, compositeShapeChanged, superclassChanged,
    requiredWithoutDefault, newRequiredAttribute, newRequiredRelationship, volatileFill, uniqueAdded,
    uniqueRemoved, deleteRuleChanged, cardinalityChanged, inverseChanged, countBoundTightened, orderDropped,
  ]
}
