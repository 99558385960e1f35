package import SchemaImport

/// Writes a managed object model as Core Data archives it: entities and properties in dictionaries, and inherited
/// properties in each subentity.
package struct ModelArchive {
  /// How a subentity lists the properties that it inherits.
  package enum Inherited: CaseIterable { case proxies, copies }

  private var objects: [TestList] = [.text("$null")]
  private var classes: [String: Int] = [:]
  private let model: CoreDataModel
  private let inherited: Inherited
  private var entities: [String: Int] = [:]

  /// The archive, not compressed.
  package static func bytes(_ model: CoreDataModel, inherited: Inherited = .proxies) -> [UInt8] {
    PropertyListWriter.bytes(list(model, inherited: inherited))
  }

  package static func list(_ model: CoreDataModel, inherited: Inherited = .proxies) -> TestList {
    var archive = ModelArchive(model, inherited)
    return archive.list()
  }

  private init(_ model: CoreDataModel, _ inherited: Inherited) {
    self.model = model
    self.inherited = inherited
  }

  private mutating func list() -> TestList {
    let root = reserve()
    for entity in model.entities { entities[entity.name] = reserve() }
    for entity in model.entities {
      guard let place = entities[entity.name] else { continue }
      objects[place] = description(of: entity, root)
    }
    objects[root] = object(
      "NSManagedObjectModel",
      [
        ("NSEntities", dictionary(model.entities.map { ($0.name, .uid(entities[$0.name] ?? 0)) })),
        ("NSVersionIdentifiers", array([text("1.0")], of: "NSSet")),
      ])
    return .dictionary([
      ("$version", .integer(100_000)), ("$archiver", .text("NSKeyedArchiver")),
      ("$top", .dictionary([("root", .uid(root))])), ("$objects", .list(objects)),
    ])
  }

  // MARK: - Objects

  private mutating func reserve() -> Int {
    objects.append(.null)
    return objects.count - 1
  }

  private mutating func add(_ value: TestList) -> TestList {
    objects.append(value)
    return .uid(objects.count - 1)
  }

  private mutating func text(_ text: String) -> TestList { add(.text(text)) }
  private mutating func text(_ text: String?) -> TestList { text.map { add(.text($0)) } ?? .uid(0) }

  private mutating func object(_ name: String, _ fields: [(String, TestList)]) -> TestList {
    if classes[name] == nil {
      objects.append(
        .dictionary([("$classname", .text(name)), ("$classes", .list([.text(name), .text("NSObject")]))]))
      classes[name] = objects.count - 1
    }
    return .dictionary(fields + [("$class", .uid(classes[name] ?? 0))])
  }

  private mutating func array(_ elements: [TestList], of name: String = "NSArray") -> TestList {
    add(object(name, [("NS.objects", .list(elements))]))
  }

  private mutating func dictionary(_ entries: [(String, TestList)]) -> TestList {
    let keys = entries.map { text($0.0) as TestList }
    return add(object("NSDictionary", [("NS.keys", .list(keys)), ("NS.objects", .list(entries.map(\.1)))]))
  }

  // MARK: - Descriptions

  private mutating func description(of entity: CoreDataEntity, _ root: Int) -> TestList {
    var properties: [(String, TestList)] = []
    var own: [String: TestList] = [:]
    for attribute in entity.attributes {
      let value = add(description(of: attribute, entity))
      properties.append((attribute.name, value))
      own[attribute.name] = value
    }
    for relationship in entity.relationships {
      properties.append((relationship.name, add(description(of: relationship, entity))))
    }
    var parent = entity.parent
    while let name = parent, let ancestor = model.entities.first(where: { $0.name == name }) {
      for attribute in ancestor.attributes {
        let copy = add(description(of: attribute, ancestor))
        let value =
          inherited == .copies ? copy : add(object("_NSPropertyDescriptionProxy", [("NSUnderlyingProperty", copy)]))
        properties.append((attribute.name, value))
      }
      for relationship in ancestor.relationships {
        properties.append((relationship.name, add(description(of: relationship, ancestor))))
      }
      parent = ancestor.parent
    }
    var fields: [(String, TestList)] = [
      ("NSEntityName", text(entity.name)), ("NSClassNameForEntity", text(entity.className)),
      ("NSManagedObjectModel", .uid(root)), ("NSProperties", dictionary(properties)),
      ("NSSuperentity", entity.parent.flatMap { entities[$0] }.map { .uid($0) } ?? .uid(0)),
      (
        "NSSubentities",
        dictionary(model.entities.filter { $0.parent == entity.name }.map { ($0.name, .uid(entities[$0.name] ?? 0)) })
      ),
      ("NSRenamingIdentifier", text(entity.identity.renaming ?? entity.name)),
      ("NSUserInfo", dictionary(entity.userInfo.map { ($0.name, text($0.detail)) })),
      (
        "NSUniquenessConstraints",
        array(entity.uniques.map { unique in array(unique.names.map { text($0) as TestList }) })
      ),
      ("NSFetchIndexDescriptions", array(entity.indexes.map { add(description(of: $0)) })),
    ]
    if entity.isAbstract { fields.append(("NSIsAbstract", .bool(true))) }
    return object("NSEntityDescription", fields)
  }

  private mutating func description(of index: CoreDataIndex) -> TestList {
    let elements = index.elements.map { element in
      add(
        object(
          "NSFetchIndexElementDescription",
          [
            ("NSPropertyName", text(element.property)),
            ("NSFetchIndexElementType", .integer(element.isRTree ? 1 : 0)),
            ("NSAscending", .bool(!element.isDescending)),
          ]))
    }
    return object(
      "NSFetchIndexDescription", [("NSIndexName", text(index.name)), ("NSIndexElements", array(elements))])
  }

  private static let types = [
    "Integer 16": 100, "Integer 32": 200, "Integer 64": 300, "Decimal": 400, "Double": 500, "Float": 600,
    "String": 700, "Boolean": 800, "Date": 900, "Binary": 1000, "UUID": 1100, "URI": 1200, "Transformable": 1800,
    "Composite": 2100,
  ]

  private mutating func description(of attribute: CoreDataAttribute, _ entity: CoreDataEntity?) -> TestList {
    var fields: [(String, TestList)] = [
      ("NSPropertyName", text(attribute.name)),
      ("NSEntity", entity.flatMap { entities[$0.name] }.map { .uid($0) } ?? .uid(0)),
      ("NSAttributeType", .integer(Int64(Self.types[attribute.type] ?? 0))),
      ("NSAttributeValueClassName", text(attribute.className)),
      ("NSValueTransformerName", text(attribute.transformer)), ("NSDefaultValue", defaultValue(of: attribute)),
      ("NSFlagsKey", .integer((attribute.isExternal ? 4 : 0) | (attribute.isPreserved ? 16 : 0))),
      ("NSRenamingIdentifier", text(attribute.identity.renaming ?? attribute.name)),
      ("NSVersionHashModifier", text(attribute.identity.hashModifier)),
    ]
    if attribute.isOptional { fields.append(("NSIsOptional", .bool(true))) }
    if attribute.isTransient { fields.append(("NSIsTransient", .bool(true))) }
    guard attribute.type == "Composite" else { return object("NSAttributeDescription", fields) }
    let type = model.composites.first { $0.name == attribute.composite }
    let elements = (type?.attributes ?? []).map { add(description(of: $0, nil)) }
    return object("NSCompositeAttributeDescription", fields + [("NSElements", array(elements))])
  }

  private mutating func defaultValue(of attribute: CoreDataAttribute) -> TestList {
    if let seconds = attribute.defaultDate.flatMap(Double.init) {
      return add(object("NSDate", [("NS.time", .real(seconds))]))
    }
    guard let text = attribute.defaultText else { return .uid(0) }
    switch attribute.type {
    case "Boolean": return add(.bool(text == "YES"))
    case "Integer 16", "Integer 32", "Integer 64": return add(.integer(Int64(text) ?? 0))
    case "Double", "Float": return add(.real(Double(text) ?? 0))
    case "Decimal":
      let digits = text.filter(\.isNumber)
      let places = text.split(separator: ".").count > 1 ? text.split(separator: ".")[1].count : 0
      let mantissa = UInt64(digits) ?? 0
      return add(
        object(
          "NSDecimalNumber",
          [
            ("NS.mantissa", .data((0..<16).map { $0 < 8 ? UInt8(truncatingIfNeeded: mantissa >> UInt64($0 * 8)) : 0 })),
            ("NS.exponent", .integer(Int64(-places))), ("NS.negative", .bool(text.hasPrefix("-"))),
            ("NS.mantissa.bo", .integer(1)), ("NS.length", .integer(8)), ("NS.compact", .bool(true)),
          ]))
    default: return self.text(text)
    }
  }

  private mutating func description(of relationship: CoreDataRelationship, _ entity: CoreDataEntity) -> TestList {
    let rules = ["No Action": 0, "Nullify": 1, "Cascade": 2, "Deny": 3]
    var fields: [(String, TestList)] = [
      ("NSPropertyName", text(relationship.name)), ("NSEntity", .uid(entities[entity.name] ?? 0)),
      ("NSDestinationEntity", entities[relationship.destination].map { .uid($0) } ?? .uid(0)),
      ("_NSDestinationEntityName", text(relationship.destination)),
      ("_NSInverseRelationshipName", text(relationship.inverse)),
      ("NSMinCount", .integer(Int64(relationship.minimum ?? 0))),
      ("NSMaxCount", .integer(relationship.isToMany ? Int64(relationship.maximum ?? 0) : 1)),
      ("NSDeleteRule", .integer(Int64(rules[relationship.deletionRule ?? "Nullify"] ?? 1))),
      ("NSRenamingIdentifier", text(relationship.identity.renaming ?? relationship.name)),
    ]
    if relationship.isOptional { fields.append(("NSIsOptional", .bool(true))) }
    if relationship.isOrdered { fields.append(("NSIsOrdered", .bool(true))) }
    return object("NSRelationshipDescription", fields)
  }
}
