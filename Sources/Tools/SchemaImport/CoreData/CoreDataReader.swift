package import SchemaDiagnostics

/// Reads a `contents` file.
package enum CoreDataReader {
  package static func read(_ file: SourceFile) throws(MarkupProblem) -> CoreDataModel {
    let root = try MarkupReader.read(file)
    guard root.name == "model" else {
      throw MarkupProblem(
        file: file.path, line: root.line, column: 1,
        message: "not a Core Data model: the root element is '<\(root.name)>', expected '<model>'")
    }
    var fields = MarkupFields(root)
    var model = CoreDataModel(line: root.line)
    model.identifier = fields.text("userDefinedModelVersionIdentifier") ?? ""
    model.isUsedWithCloudKit = fields.flag("usedWithCloudKit")
    fields.ignore(
      "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "name",
      "sourceLanguage", "usedWithSwiftData", "macOSVersion", "iOSVersion")
    // Ignore the positions in Xcode's diagram.
    _ = fields.elements("elements")
    let composites = fields.elements("composite") + fields.elements("compositeAttribute")
    let names = Set(composites.compactMap { $0["name"] })
    model.composites = try composites.map { element throws(MarkupProblem) in
      try composite(element, names, file)
    }
    model.entities = try fields.elements("entity").map { element throws(MarkupProblem) in
      try entity(element, names, file)
    }
    model.configurations = fields.elements("configuration").map { element in
      let members = element.children("memberEntity").compactMap { $0["name"] }
      return CoreDataNamed(
        name: element["name"] ?? "", detail: members.joined(separator: ", "), line: element.line)
    }
    model.fetchRequests = fields.elements("fetchRequest").map { named($0, detail: $0["predicateString"]) }
    model.unknown = fields.unknown
    return model
  }

  /// Returns the current version's folder name; nil if the file does not contain it.
  package static func currentVersion(_ file: SourceFile) throws(MarkupProblem) -> String? {
    let root = try MarkupReader.read(file)
    guard root.name == "plist", let list = root.children("dict").first else {
      throw MarkupProblem(
        file: file.path, line: root.line, column: 1, message: "not a property list with a dictionary")
    }
    for (key, value) in zip(list.children, list.children.dropFirst())
    where key.name == "key" && key.text == "_XCCurrentVersionName" && value.name == "string" {
      return value.text
    }
    return nil
  }

  static func name(_ element: MarkupElement, _ file: SourceFile) throws(MarkupProblem) -> String {
    guard let name = element["name"], !name.isEmpty else {
      throw MarkupProblem(
        file: file.path, line: element.line, column: 1, message: "this '\(element.name)' has no name")
    }
    return name
  }

  static func named(_ element: MarkupElement, detail: String?) -> CoreDataNamed {
    CoreDataNamed(name: element["name"] ?? "", detail: detail ?? "", line: element.line)
  }

  private static func composite(
    _ element: MarkupElement, _ names: Set<String>, _ file: SourceFile
  ) throws(MarkupProblem) -> CoreDataComposite {
    var fields = MarkupFields(element)
    fields.ignore("name", "syncable")
    var composite = CoreDataComposite(name: try name(element, file), attributes: [], line: element.line)
    composite.attributes = try fields.elements("attribute").map { element throws(MarkupProblem) in
      try attribute(element, names, file)
    }
    composite.unknown = fields.unknown
    return composite
  }
}

extension CoreDataReader {
  static func entity(
    _ element: MarkupElement, _ composites: Set<String>, _ file: SourceFile
  ) throws(MarkupProblem) -> CoreDataEntity {
    var fields = MarkupFields(element)
    fields.ignore("name", "codeGenerationType")
    var entity = CoreDataEntity(name: try name(element, file), line: element.line)
    entity.className = fields.text("representedClassName") ?? ""
    entity.parent = fields.text("parentEntity")
    entity.isAbstract = fields.flag("isAbstract")
    entity.isSyncable = fields.flag("syncable", default: true)
    entity.identity = fields.identity()
    entity.spotlightName = fields.text("coreSpotlightDisplayNameExpression")
    entity.attributes = try fields.elements("attribute").map { element throws(MarkupProblem) in
      try attribute(element, composites, file)
    }
    entity.relationships = try fields.elements("relationship").map { element throws(MarkupProblem) in
      try relationship(element, file)
    }
    entity.fetchedProperties = fields.elements("fetchedProperty").map { element in
      named(element, detail: element.children("fetchRequest").first?["predicateString"])
    }
    entity.indexes = fields.elements("fetchIndex").map(index) + compoundIndexes(&fields)
    entity.uniques = fields.elements("uniquenessConstraints").flatMap { $0.children("uniquenessConstraint") }
      .map { constraint in
        CoreDataUnique(names: constraint.children("constraint").compactMap { $0["value"] }, line: constraint.line)
      }
    entity.userInfo = fields.userInfo()
    entity.unknown = fields.unknown
    return entity
  }

  private static func index(_ element: MarkupElement) -> CoreDataIndex {
    let elements = element.children("fetchIndexElement").map { part in
      CoreDataIndex.Element(
        property: part["property"], expression: part["expression"],
        isRTree: part["type"]?.lowercased() == "rtree", isDescending: part["order"] == "descending")
    }
    return CoreDataIndex(
      name: element["name"] ?? "", elements: elements,
      predicate: element["partialIndexPredicate"] ?? element["predicateString"], line: element.line)
  }

  private static func compoundIndexes(_ fields: inout MarkupFields) -> [CoreDataIndex] {
    fields.elements("compoundIndexes").flatMap { $0.children("compoundIndex") }.map { element in
      CoreDataIndex(
        name: "", elements: element.children("index").map { CoreDataIndex.Element(property: $0["value"]) },
        predicate: nil, line: element.line)
    }
  }

  static func relationship(
    _ element: MarkupElement, _ file: SourceFile
  ) throws(MarkupProblem) -> CoreDataRelationship {
    var fields = MarkupFields(element)
    fields.ignore("name")
    var relationship = CoreDataRelationship(name: try name(element, file), line: element.line)
    relationship.destination = fields.text("destinationEntity") ?? ""
    relationship.isOptional = fields.flag("optional")
    relationship.isToMany = fields.flag("toMany")
    relationship.isOrdered = fields.flag("ordered")
    relationship.isTransient = fields.flag("transient")
    relationship.isSyncable = fields.flag("syncable", default: true)
    relationship.minimum = fields.number("minCount")
    relationship.maximum = fields.number("maxCount")
    relationship.deletionRule = fields.text("deletionRule")
    relationship.inverse = fields.text("inverseName")
    relationship.inverseEntity = fields.text("inverseEntity")
    relationship.isIndexed = fields.flag("indexed")
    relationship.isSpotlight = fields.flag("spotlightIndexingEnabled")
    relationship.isInRecordFile = fields.flag("storedInTruthFile")
    relationship.identity = fields.identity()
    relationship.userInfo = fields.userInfo()
    relationship.unknown = fields.unknown
    return relationship
  }

  static func attribute(
    _ element: MarkupElement, _ composites: Set<String>, _ file: SourceFile
  ) throws(MarkupProblem) -> CoreDataAttribute {
    var fields = MarkupFields(element)
    fields.ignore("name", "derived")
    var attribute = CoreDataAttribute(name: try name(element, file), line: element.line)
    attribute.type = fields.text("attributeType") ?? ""
    attribute.isOptional = fields.flag("optional")
    attribute.isTransient = fields.flag("transient")
    attribute.isScalar = fields.flag("usesScalarValueType")
    attribute.isSyncable = fields.flag("syncable", default: true)
    // An empty string is a valid default value.
    attribute.defaultText =
      attribute.type == "String" ? element["defaultValueString"] : fields.text("defaultValueString")
    attribute.defaultDate = fields.text("defaultDateTimeInterval")
    attribute.minimum = fields.text("minValueString") ?? fields.text("minDateTimeInterval")
    attribute.maximum = fields.text("maxValueString") ?? fields.text("maxDateTimeInterval")
    fields.ignore("defaultValueString", "minDateTimeInterval", "maxDateTimeInterval")
    attribute.pattern = fields.text("regularExpressionString")
    attribute.derivation = fields.text("derivationExpression") ?? (element["derived"] == "YES" ? "" : nil)
    attribute.transformer = fields.text("valueTransformerName")
    attribute.className = fields.text("customClassName")
    attribute.isIndexed = fields.flag("indexed")
    attribute.isExternal = fields.flag("allowsExternalBinaryDataStorage")
    attribute.isPreserved =
      [fields.flag("preserveAfterDeletion"), fields.flag("preservesValueInHistoryOnDeletion")].contains(true)
    attribute.isSpotlight = fields.flag("spotlightIndexingEnabled")
    attribute.isEncrypted = fields.flag("allowsCloudEncryption")
    attribute.isInRecordFile = fields.flag("storedInTruthFile")
    attribute.identity = fields.identity()
    attribute.userInfo = fields.userInfo()
    if attribute.type == "Composite" {
      // Accept any attribute whose value names a composite type.
      let place = element.attributes.first { $0.name != "name" && composites.contains($0.value) }
      attribute.composite = place?.value
      if let place { fields.ignore(place.name) }
    }
    attribute.unknown = fields.unknown
    return attribute
  }
}
