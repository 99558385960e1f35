/// Core Data features that a schema expresses differently or not at all. Reports use these names.
package enum CoreDataTopic: String, Sendable, CaseIterable {
  // Attributes
  case noType = "no-type"
  case derived
  case validation
  case defaultValue = "default-value"
  case optionalNumber = "optional-number"
  case transformer
  case archivedValue = "archived-value"
  case ownClass = "own-class"
  case foreignClass = "foreign-class"
  case composite
  case spotlight
  case cloudEncryption = "cloud-encryption"
  case recordFile = "record-file"
  // Relationships
  case noDestination = "no-destination"
  case inverse
  case transientRelationship = "transient-relationship"
  case minimumCount = "minimum-count"
  case deletionRule = "deletion-rule"
  // Entities
  case abstract
  case superclass
  case className = "class-name"
  case fetchedProperty = "fetched-property"
  case uniqueConflict = "unique-conflict"
  case indexOrder = "index-order"
  case indexExpression = "index-expression"
  case indexPredicate = "index-predicate"
  case hashModifier = "hash-modifier"
  case notSynced = "not-synced"
  case userInfo = "user-info"
  case name
  // Models
  case configuration
  case fetchRequest = "fetch-request"
  case cloudKit = "cloudkit"
  case unknown
  // Versions
  case renaming
  case versionOrder = "version-order"
  case sameVersion = "same-version"
  case newerVersion = "newer-version"
  case mappingModel = "mapping-model"
  case migration
  /// A schema compiler diagnostic.
  case refused
}
