/// What one version of a Core Data model says, as it is written in its XML.
package struct CoreDataModel: Sendable, Equatable {
  /// What its author calls the version.
  package var identifier = ""
  package var entities: [CoreDataEntity] = []
  package var composites: [CoreDataComposite] = []
  package var configurations: [CoreDataNamed] = []
  package var fetchRequests: [CoreDataNamed] = []
  package var isUsedWithCloudKit = false
  package var unknown: [CoreDataUnknown] = []
  package var line = 1
}

/// Something of which only the name and what it is about are of interest.
package struct CoreDataNamed: Sendable, Equatable {
  package var name: String
  package var detail: String
  package var line: Int
}

/// What the reader does not know: it is reported, so that nothing goes without a word.
package struct CoreDataUnknown: Sendable, Equatable {
  /// `attribute 'futureFlag'`, `element 'hint'`
  package var what: String
  package var line: Int
}

/// `NSEntityDescription`
package struct CoreDataEntity: Sendable, Equatable {
  package var name: String
  /// As the program calls it; empty where it says nothing.
  package var className = ""
  package var parent: String?
  package var isAbstract = false
  package var isSyncable = true
  package var identity = CoreDataIdentity()
  package var spotlightName: String?
  package var attributes: [CoreDataAttribute] = []
  package var relationships: [CoreDataRelationship] = []
  package var fetchedProperties: [CoreDataNamed] = []
  package var indexes: [CoreDataIndex] = []
  package var uniques: [CoreDataUnique] = []
  package var userInfo: [CoreDataNamed] = []
  package var unknown: [CoreDataUnknown] = []
  package var line: Int
}

/// How a declaration is found again in another version.
package struct CoreDataIdentity: Sendable, Equatable {
  /// `elementID`, the renaming identifier; nil where it is the name.
  package var renaming: String?
  /// `renamingIdentifier`, which people write by hand and Xcode does not read.
  package var isHandwritten = false
  package var hashModifier: String?
}

/// `NSAttributeDescription`
package struct CoreDataAttribute: Sendable, Equatable {
  package var name: String
  /// `Integer 32`, `String`, as written; empty where it says nothing.
  package var type = ""
  package var isOptional = false
  package var isTransient = false
  package var isScalar = false
  package var isSyncable = true
  package var defaultText: String?
  package var defaultDate: String?
  package var minimum: String?
  package var maximum: String?
  package var pattern: String?
  /// The expression of a derived attribute.
  package var derivation: String?
  package var transformer: String?
  package var className: String?
  package var composite: String?
  package var isIndexed = false
  package var isExternal = false
  package var isPreserved = false
  package var isSpotlight = false
  package var isEncrypted = false
  package var isInRecordFile = false
  package var identity = CoreDataIdentity()
  package var userInfo: [CoreDataNamed] = []
  package var unknown: [CoreDataUnknown] = []
  package var line: Int
}

/// `NSRelationshipDescription`
package struct CoreDataRelationship: Sendable, Equatable {
  package var name: String
  package var destination = ""
  package var isOptional = false
  package var isToMany = false
  package var isOrdered = false
  package var isTransient = false
  package var isSyncable = true
  package var minimum: Int?
  package var maximum: Int?
  /// `Nullify`, `Cascade`, `Deny`, `No Action`, as written.
  package var deletionRule: String?
  package var inverse: String?
  package var inverseEntity: String?
  package var isIndexed = false
  package var isSpotlight = false
  package var isInRecordFile = false
  package var identity = CoreDataIdentity()
  package var userInfo: [CoreDataNamed] = []
  package var unknown: [CoreDataUnknown] = []
  package var line: Int
}

/// The attributes that are unique together.
package struct CoreDataUnique: Sendable, Equatable {
  package var names: [String]
  package var line: Int
}

/// `NSFetchIndexDescription`, and the compound indexes of older models.
package struct CoreDataIndex: Sendable, Equatable {
  package struct Element: Sendable, Equatable {
    package var property: String?
    package var expression: String?
    package var isRTree = false
    package var isDescending = false
  }

  package var name: String
  package var elements: [Element]
  /// Which rows it is of.
  package var predicate: String?
  package var line: Int
}

/// Attributes that stand together under one name.
package struct CoreDataComposite: Sendable, Equatable {
  package var name: String
  package var attributes: [CoreDataAttribute]
  package var unknown: [CoreDataUnknown] = []
  package var line: Int
}
