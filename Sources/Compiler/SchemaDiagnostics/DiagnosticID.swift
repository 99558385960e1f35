/// The permanent identity of a diagnostic: a code and a name, accepted interchangeably.
package struct DiagnosticID: Sendable, Hashable {
  /// Three letters and three digits. A code is never reused.
  package let code: String
  package let name: String

  package init(_ code: String, _ name: String) {
    self.code = code
    self.name = name
  }

  /// True if the text is the code or the name, ignoring case.
  package func isNamed(_ text: String) -> Bool { text.uppercased() == code || text.lowercased() == name }
}

extension DiagnosticID: CustomStringConvertible {
  package var description: String { "\(code) \(name)" }
}

extension DiagnosticID: Comparable {
  package static func < (lhs: Self, rhs: Self) -> Bool { lhs.code < rhs.code }
}

/// The compiler's own diagnostics, emitted by the parser and the resolver.
extension DiagnosticID {
  package static let unexpectedToken = Self("SYN001", "unexpected-token")
  package static let unknownKeyword = Self("SYN002", "unknown-keyword")
  package static let duplicateDeclaration = Self("SYN003", "duplicate-declaration")
  package static let duplicateOption = Self("SYN004", "duplicate-option")
  package static let optionNotApplicable = Self("SYN005", "option-not-applicable")
  package static let conflictingOptions = Self("SYN006", "conflicting-options")
  package static let unresolvedReference = Self("SYN007", "unresolved-reference")
  package static let missingVersion = Self("SYN008", "missing-version")
  package static let unsupportedDeclaration = Self("SYN015", "unsupported-declaration")
  package static let ignoredObserver = Self("SYN016", "ignored-observer")
  package static let inheritanceCycle = Self("SYN017", "inheritance-cycle")
  package static let removedOption = Self("SYN018", "removed-option")
  package static let unassignedProperty = Self("SYN019", "unassigned-property")

  package static let reservedMember = Self("NAM004", "reserved-member")
  package static let caseOnlyDifference = Self("NAM005", "case-only-difference")
  package static let generatedNameClash = Self("NAM006", "generated-name-clash")

  package static let unknownType = Self("TYP001", "unknown-type")
  package static let defaultTypeMismatch = Self("TYP002", "default-type-mismatch")
  package static let defaultOutOfRange = Self("TYP003", "default-out-of-range")
  package static let defaultNotACase = Self("TYP004", "default-not-a-case")
  package static let duplicateRawValue = Self("TYP008", "duplicate-raw-value")
  package static let externalStorageNonData = Self("TYP009", "external-storage-non-data")
  package static let transientNeedsDefault = Self("TYP011", "transient-needs-default")
  package static let opaqueCodable = Self("TYP013", "opaque-codable")
  package static let collectionAttributeQueried = Self("TYP015", "collection-attribute-queried")
  package static let doubleOptional = Self("TYP017", "double-optional")
  package static let compositeCycle = Self("TYP020", "composite-cycle")
  package static let modelInsideValue = Self("TYP022", "model-inside-value")
  package static let opaqueWithoutValue = Self("TYP023", "opaque-without-value")
  package static let tooManyColumns = Self("TYP025", "too-many-columns")

  package static let missingInverse = Self("REL001", "missing-inverse")
  package static let ambiguousInverse = Self("REL002", "ambiguous-inverse")
  package static let inverseMismatch = Self("REL003", "inverse-mismatch")
  package static let countBounds = Self("REL018", "count-bounds")
  package static let relationshipDefault = Self("REL024", "relationship-default")

  package static let uniqueOverToMany = Self("UNQ007", "unique-over-to-many")

  package static let preserveTransient = Self("HIS003", "preserve-transient")
  package static let preserveRelationship = Self("HIS006", "preserve-relationship")

  /// All diagnostics above, ordered by code within each family.
  package static let compilerDiagnostics: [Self] = [
    unexpectedToken, unknownKeyword, duplicateDeclaration, duplicateOption, optionNotApplicable,
    conflictingOptions, unresolvedReference, missingVersion, unsupportedDeclaration,
    ignoredObserver, inheritanceCycle, removedOption, unassignedProperty, reservedMember, caseOnlyDifference,
    generatedNameClash,
    unknownType, defaultTypeMismatch, defaultOutOfRange, defaultNotACase, duplicateRawValue,
    externalStorageNonData, transientNeedsDefault, opaqueCodable, collectionAttributeQueried,
    doubleOptional, compositeCycle, modelInsideValue, opaqueWithoutValue, tooManyColumns, missingInverse,
    ambiguousInverse, inverseMismatch, countBounds, relationshipDefault, uniqueOverToMany,
    preserveTransient, preserveRelationship,
  ]
}

/// Diagnostics about conflicts between schema versions.
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

  /// All diagnostics above, ordered by code.
  package static let versionDiagnostics: [Self] = [
    versionNotBumped, frozenVersionEdited, versionOrder, identicalVersions, missingStage,
    parallelVersion, lockMissing, entityDropped, attributeDropped, relationshipDropped,
    enumCaseRemoved, enumRawChanged, probableRename, originalNameUnknown, originalNameConflict,
    retiredNameReused, typeChanged, typeNarrowed, compositeShapeChanged, superclassChanged,
    requiredWithoutDefault, newRequiredAttribute, newRequiredRelationship, volatileFill, uniqueAdded,
    uniqueRemoved, deleteRuleChanged, cardinalityChanged, inverseChanged, countBoundTightened, orderDropped,
  ]
}
