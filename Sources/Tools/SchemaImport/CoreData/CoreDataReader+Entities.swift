import SchemaDiagnostics

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
    // An empty text is a valid default value.
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
