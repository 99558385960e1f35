/// A Core Data model version as described by its XML.
package struct CoreDataModel: Sendable, Equatable {
  /// The author's version identifier.
  package var identifier = ""
  package var entities: [CoreDataEntity] = []
  package var composites: [CoreDataComposite] = []
  package var configurations: [CoreDataNamed] = []
  package var fetchRequests: [CoreDataNamed] = []
  package var isUsedWithCloudKit = false
  package var unknown: [CoreDataUnknown] = []
  package var line = 1

  package init(line: Int = 1) { self.line = line }
}

/// A declaration from which only the name and a detail are imported.
package struct CoreDataNamed: Sendable, Equatable {
  package var name: String
  package var detail: String
  package var line: Int

  package init(name: String, detail: String, line: Int) {
    self.name = name
    self.detail = detail
    self.line = line
  }
}

/// An unknown XML attribute or element, reported so that it is not lost silently.
package struct CoreDataUnknown: Sendable, Equatable {
  /// For example `attribute 'futureFlag'` or `element 'hint'`.
  package var what: String
  package var line: Int

  package init(what: String, line: Int) {
    self.what = what
    self.line = line
  }
}

/// An `NSEntityDescription`.
package struct CoreDataEntity: Sendable, Equatable {
  package var name: String
  /// The class name; empty if it is not specified.
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

  package init(name: String, line: Int) {
    self.name = name
    self.line = line
  }
}

/// Identifies a declaration across versions.
package struct CoreDataIdentity: Sendable, Equatable {
  /// The `elementID` or renaming identifier; nil if it equals the name.
  package var renaming: String?
  /// True for `renamingIdentifier`, which is written by hand and not read by Xcode.
  package var isHandwritten = false
  package var hashModifier: String?

  package init(renaming: String? = nil, isHandwritten: Bool = false, hashModifier: String? = nil) {
    self.renaming = renaming
    self.isHandwritten = isHandwritten
    self.hashModifier = hashModifier
  }
}

/// An `NSAttributeDescription`.
package struct CoreDataAttribute: Sendable, Equatable {
  package var name: String
  /// The type as written, for example `Integer 32` or `String`; empty if it is not specified.
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
  /// The expression that computes a derived attribute.
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

  package init(name: String, line: Int) {
    self.name = name
    self.line = line
  }
}

/// An `NSRelationshipDescription`.
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
  /// The delete rule as written: `Nullify`, `Cascade`, `Deny` or `No Action`.
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

  package init(name: String, line: Int) {
    self.name = name
    self.line = line
  }
}

/// A uniqueness constraint.
package struct CoreDataUnique: Sendable, Equatable {
  package var names: [String]
  package var line: Int

  package init(names: [String], line: Int) {
    self.names = names
    self.line = line
  }
}

/// An `NSFetchIndexDescription`, or a compound index from an older model.
package struct CoreDataIndex: Sendable, Equatable {
  package struct Element: Sendable, Equatable {
    package var property: String?
    package var expression: String?
    package var isRTree = false
    package var isDescending = false

    package init(
      property: String? = nil, expression: String? = nil, isRTree: Bool = false, isDescending: Bool = false
    ) {
      self.property = property
      self.expression = expression
      self.isRTree = isRTree
      self.isDescending = isDescending
    }
  }

  package var name: String
  package var elements: [Element]
  /// The condition for a partial index.
  package var predicate: String?
  package var line: Int

  package init(name: String, elements: [Element], predicate: String?, line: Int) {
    self.name = name
    self.elements = elements
    self.predicate = predicate
    self.line = line
  }
}

/// A composite attribute type.
package struct CoreDataComposite: Sendable, Equatable {
  package var name: String
  package var attributes: [CoreDataAttribute]
  package var unknown: [CoreDataUnknown] = []
  package var line: Int

  package init(name: String, attributes: [CoreDataAttribute], unknown: [CoreDataUnknown] = [], line: Int) {
    self.name = name
    self.attributes = attributes
    self.unknown = unknown
    self.line = line
  }
}
