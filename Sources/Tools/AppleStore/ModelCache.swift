package import SchemaImport

/// The managed object model in a Core Data or SwiftData store, kept as a compressed keyed archive.
package struct ModelCache: Sendable {
  /// The maximum archive size. Large apps' models take about 1 MB.
  static let sizeLimit = 32 << 20

  package let model: CoreDataModel
  /// Model details that ``CoreDataModel`` does not describe.
  package let remarks: [String]

  /// Reads the `Z_CONTENT` column of the table `Z_MODELCACHE`.
  package init(compressed bytes: [UInt8]) throws(AppleStoreProblem) {
    try self.init(archive: Inflate.run(bytes, limit: Self.sizeLimit))
  }

  package init(archive bytes: [UInt8]) throws(AppleStoreProblem) {
    var reader = ModelReader(archive: try KeyedArchive(bytes))
    model = try reader.read()
    remarks = reader.remarks
  }
}

/// Converts an archived `NSManagedObjectModel`. Entities and properties are sorted by name, because archived
/// dictionaries have no order.
private struct ModelReader {
  private let archive: KeyedArchive
  private(set) var remarks: [String] = []
  private var composites: [CoreDataComposite] = []
  private var names: Set<String> = []
  /// The remaining steps, limited because shared objects are read again for each reference.
  private var steps = 200_000

  private static let entityLimit = 5_000
  private static let depthLimit = 64

  init(archive: KeyedArchive) { self.archive = archive }

  mutating func read() throws(AppleStoreProblem) -> CoreDataModel {
    guard let root = archive.root.object, root.className == "NSManagedObjectModel" else {
      throw AppleStoreProblem("the keyed archive does not contain a managed object model")
    }
    let entries = try entries("NSEntities", of: root)
    let objects = entries.compactMap { $0.value.object }.filter { $0.className == "NSEntityDescription" }
    var owners: [String: ArchivedObject] = [:]
    for object in objects {
      let name = try name("NSEntityName", of: object, "entity")
      guard owners.updateValue(object, forKey: name) == nil else {
        throw AppleStoreProblem("the model has two entities named '\(name)'")
      }
    }
    guard owners.count <= Self.entityLimit else {
      throw AppleStoreProblem("the model has more than \(Self.entityLimit) entities")
    }
    guard !owners.isEmpty else { throw AppleStoreProblem("the model has no entities") }
    names = Set(owners.keys)
    var model = CoreDataModel()
    if let identifiers = archive.elements(of: archive.value("NSVersionIdentifiers", of: root)),
      case .text(let identifier)? = identifiers.first
    {
      model.identifier = identifier
    }
    var properties: [String: [String: ArchivedObject]] = [:]
    for (name, object) in owners { properties[name] = try self.properties(of: object) }
    for name in names.sorted() {
      guard let object = owners[name] else { continue }
      let parent = archive.child("NSSuperentity", of: object).flatMap { archive.text("NSEntityName", of: $0) }
      // Subentities also list inherited properties.
      let inherited = parent.flatMap { properties[$0] } ?? [:]
      let own = (properties[name] ?? [:]).filter { inherited[$0.key] == nil }
      model.entities.append(try entity(object, name, parent, own))
    }
    try checkParents(model)
    for template in try self.entries("NSFetchRequestTemplates", of: root) {
      model.fetchRequests.append(CoreDataNamed(name: template.key, detail: "", line: 1))
    }
    model.composites = composites
    return model
  }

  private func checkParents(_ model: CoreDataModel) throws(AppleStoreProblem) {
    let parents = Dictionary(model.entities.map { ($0.name, $0.parent) }, uniquingKeysWith: { first, _ in first })
    for entity in model.entities {
      var current = entity.parent
      for _ in 0..<Self.depthLimit {
        guard let name = current else { break }
        current = parents[name] ?? nil
      }
      guard current == nil else { throw AppleStoreProblem("the superentities of '\(entity.name)' have no end") }
    }
  }

  // MARK: - Entities

  private mutating func entity(
    _ object: ArchivedObject, _ name: String, _ parent: String?, _ own: [String: ArchivedObject]
  ) throws(AppleStoreProblem) -> CoreDataEntity {
    var entity = CoreDataEntity(name: name, line: 1)
    entity.className = archive.text("NSClassNameForEntity", of: object) ?? ""
    entity.parent = parent
    entity.isAbstract = archive.flag("NSIsAbstract", of: object)
    entity.identity = identity(of: object, name)
    entity.userInfo = try userInfo(of: object)
    for (property, description) in own.sorted(by: { $0.key < $1.key }) {
      switch description.className {
      case "NSRelationshipDescription":
        entity.relationships.append(try relationship(description, property, of: name))
      case "NSFetchedPropertyDescription", "NSExpressionDescription":
        entity.fetchedProperties.append(CoreDataNamed(name: property, detail: "", line: 1))
      case let kind where kind.hasSuffix("AttributeDescription"):
        entity.attributes.append(try attribute(description, property, of: name, depth: 0))
      case let kind:
        entity.unknown.append(CoreDataUnknown(what: "property '\(property)' with the class '\(kind)'", line: 1))
      }
    }
    entity.uniques = try uniques(of: object)
    entity.indexes = try indexes(of: object, entity)
    return entity
  }

  private mutating func properties(of entity: ArchivedObject) throws(AppleStoreProblem) -> [String: ArchivedObject] {
    let value = archive.value("NSProperties", of: entity)
    var result: [String: ArchivedObject] = [:]
    if let elements = archive.elements(of: value) {
      try spend(elements.count)
      for element in elements {
        guard let object = element.object else { continue }
        result[try name("NSPropertyName", of: object, "property")] = underlying(object)
      }
    } else {
      for entry in try entries("NSProperties", of: entity) {
        guard let object = entry.value.object else { continue }
        result[entry.key] = underlying(object)
      }
    }
    return result
  }

  /// Resolves the proxy for an inherited property.
  private func underlying(_ object: ArchivedObject) -> ArchivedObject {
    guard object.className == "_NSPropertyDescriptionProxy" else { return object }
    return archive.child("NSUnderlyingProperty", of: object) ?? object
  }

  private mutating func uniques(of entity: ArchivedObject) throws(AppleStoreProblem) -> [CoreDataUnique] {
    var result: [CoreDataUnique] = []
    let constraints = archive.elements(of: archive.value("NSUniquenessConstraints", of: entity)) ?? []
    try spend(constraints.count)
    for constraint in constraints {
      let elements = archive.elements(of: constraint) ?? [constraint]
      try spend(elements.count)
      let names = elements.compactMap { propertyName($0) }
      if !names.isEmpty { result.append(CoreDataUnique(names: names, line: 1)) }
    }
    return result
  }

  /// Returns a property's name, which is archived as text or as a description.
  private func propertyName(_ value: ArchivedValue) -> String? {
    switch value {
    case .text(let name): name
    case .object(let object): archive.text("NSPropertyName", of: object)
    default: nil
    }
  }

  private mutating func indexes(
    of object: ArchivedObject, _ entity: CoreDataEntity
  ) throws(AppleStoreProblem) -> [CoreDataIndex] {
    var result: [CoreDataIndex] = []
    let known = Set(entity.attributes.map(\.name) + entity.relationships.map(\.name))
    let indexes = archive.elements(of: archive.value("NSFetchIndexDescriptions", of: object)) ?? []
    try spend(indexes.count)
    for case .object(let index) in indexes {
      let parts = archive.elements(of: archive.value("NSIndexElements", of: index)) ?? []
      try spend(parts.count)
      let elements = parts.compactMap(\.object).map { part in
        let name = archive.text("NSPropertyName", of: part) ?? ""
        let isDescending =
          archive.value("NSAscending", of: part) != .none && !archive.flag("NSAscending", of: part)
        return CoreDataIndex.Element(
          property: known.contains(name) ? name : nil, expression: known.contains(name) ? nil : name,
          isRTree: archive.integer("NSFetchIndexElementType", of: part) == 1, isDescending: isDescending)
      }
      guard !elements.isEmpty else { continue }
      let predicate = archive.value("NSPartialIndexPredicate", of: index)
      result.append(
        CoreDataIndex(
          name: archive.text("NSIndexName", of: index) ?? "", elements: elements,
          predicate: predicate == .none ? nil : "a predicate", line: 1))
    }
    return result
  }

  // MARK: - Properties

  private mutating func attribute(
    _ object: ArchivedObject, _ name: String, of owner: String, depth: Int
  ) throws(AppleStoreProblem) -> CoreDataAttribute {
    try spend(1)
    let title = "\(owner).\(name)"
    var attribute = CoreDataAttribute(name: name, line: 1)
    let number = archive.integer("NSAttributeType", of: object) ?? 0
    attribute.type = Self.types[number] ?? "Type \(number)"
    attribute.isOptional = archive.flag("NSIsOptional", of: object)
    attribute.isTransient = archive.flag("NSIsTransient", of: object)
    attribute.isIndexed = archive.flag("NSIsIndexed", of: object)
    attribute.isSpotlight = archive.flag("NSIndexedBySpotlight", of: object)
    attribute.isInRecordFile = archive.flag("NSIsStoredInTruth", of: object)
    let flags = archive.integer("NSFlagsKey", of: object) ?? 0
    attribute.isExternal = flags & 0x4 != 0
    attribute.isPreserved = flags & 0x10 != 0
    attribute.transformer = archive.text("NSValueTransformerName", of: object)
    attribute.className = archive.text("NSAttributeValueClassName", of: object)
    attribute.identity = identity(of: object, name)
    attribute.userInfo = try userInfo(of: object)
    if object.className == "NSDerivedAttributeDescription" { attribute.derivation = "an expression" }
    if !(archive.elements(of: archive.value("NSValidationPredicates", of: object)) ?? []).isEmpty {
      remarks.append("'\(title)' has validation rules that the app must now check")
    }
    setDefault(&attribute, archive.value("NSDefaultValue", of: object), title)
    if number == 2100 {
      guard depth < 8 else { throw AppleStoreProblem("composite attributes are nested too deeply in '\(title)'") }
      attribute.composite = try composite(object, attribute, of: owner, depth: depth)
    }
    return attribute
  }

  /// Reads a composite attribute's elements and returns the type name. Composites with equal names and elements share a
  /// type.
  private mutating func composite(
    _ object: ArchivedObject, _ attribute: CoreDataAttribute, of owner: String, depth: Int
  ) throws(AppleStoreProblem) -> String {
    var elements: [CoreDataAttribute] = []
    // The elements are the only array of attribute descriptions, regardless of the key.
    for key in archive.keys(of: object) {
      let values = archive.elements(of: archive.value(key, of: object)) ?? []
      try spend(values.count)
      let descriptions = values.compactMap(\.object).filter { $0.className.hasSuffix("AttributeDescription") }
      guard !descriptions.isEmpty, descriptions.count == values.count else { continue }
      for description in descriptions {
        let name = try name("NSPropertyName", of: description, "element of '\(owner).\(attribute.name)'")
        elements.append(try self.attribute(description, name, of: "\(owner).\(attribute.name)", depth: depth + 1))
      }
      break
    }
    guard !elements.isEmpty else {
      throw AppleStoreProblem("the composite attribute '\(owner).\(attribute.name)' has no elements")
    }
    let written = attribute.className.flatMap { $0.split(separator: ".").last }.map(String.init) ?? ""
    let base =
      written.isEmpty || written.hasPrefix("NS") || !written.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      ? attribute.name.prefix(1).uppercased() + attribute.name.dropFirst() : written
    var title = base
    var number = 2
    while true {
      if let known = composites.first(where: { $0.name == title }) {
        if known.attributes == elements { return title }
      } else if !names.contains(title) {
        composites.append(CoreDataComposite(name: title, attributes: elements, line: 1))
        return title
      }
      title = "\(base)\(number)"
      number += 1
    }
  }

  private mutating func relationship(
    _ object: ArchivedObject, _ name: String, of owner: String
  ) throws(AppleStoreProblem) -> CoreDataRelationship {
    try spend(1)
    var relationship = CoreDataRelationship(name: name, line: 1)
    relationship.destination =
      archive.text("_NSDestinationEntityName", of: object)
      ?? archive.child("NSDestinationEntity", of: object).flatMap { archive.text("NSEntityName", of: $0) } ?? ""
    relationship.inverse =
      archive.text("_NSInverseRelationshipName", of: object)
      ?? archive.child("NSInverseRelationship", of: object).flatMap { archive.text("NSPropertyName", of: $0) }
    relationship.inverseEntity = relationship.inverse == nil ? nil : relationship.destination
    relationship.isOptional = archive.flag("NSIsOptional", of: object)
    relationship.isTransient = archive.flag("NSIsTransient", of: object)
    relationship.isIndexed = archive.flag("NSIsIndexed", of: object)
    let maximum = archive.integer("NSMaxCount", of: object) ?? 0
    let minimum = archive.integer("NSMinCount", of: object) ?? 0
    guard (0...0xFFFF_FFFF).contains(maximum), (0...0xFFFF_FFFF).contains(minimum) else {
      throw AppleStoreProblem("'\(owner).\(name)' has invalid counts")
    }
    relationship.isToMany = maximum != 1
    relationship.isOrdered = archive.flag("NSIsOrdered", of: object)
    if relationship.isToMany {
      relationship.maximum = maximum > 0 ? maximum : nil
      relationship.minimum = minimum > 0 ? minimum : nil
    }
    relationship.deletionRule = Self.deleteRules[archive.integer("NSDeleteRule", of: object) ?? 1]
    relationship.identity = identity(of: object, name)
    relationship.userInfo = try userInfo(of: object)
    return relationship
  }

  private func identity(of object: ArchivedObject, _ name: String) -> CoreDataIdentity {
    let renaming = archive.text("NSRenamingIdentifier", of: object)
    return CoreDataIdentity(
      renaming: renaming == name ? nil : renaming, isHandwritten: false,
      hashModifier: archive.text("NSVersionHashModifier", of: object))
  }

  private mutating func setDefault(_ attribute: inout CoreDataAttribute, _ value: ArchivedValue, _ title: String) {
    switch value {
    case .none: return
    case .bool(let flag): attribute.defaultText = attribute.type == "Boolean" ? flag ? "YES" : "NO" : flag ? "1" : "0"
    case .integer(let number):
      attribute.defaultText = attribute.type == "Boolean" ? number != 0 ? "YES" : "NO" : "\(number)"
    case .real(let number): attribute.defaultText = "\(number)"
    case .date(let seconds): attribute.defaultDate = "\(seconds)"
    case .text(let text): attribute.defaultText = text
    case .data: remarks.append("the default value of '\(title)' is binary data and was not imported")
    case .object(let object):
      guard let text = number(object) else {
        remarks.append("the default value of '\(title)' is an object and was not imported")
        return
      }
      attribute.defaultText = text
    }
  }

  /// An archived `NSDecimalNumber` as text, if it has at most 18 digits.
  private func number(_ object: ArchivedObject) -> String? {
    guard object.className == "NSDecimalNumber",
      case .data(let bytes) = archive.value("NS.mantissa", of: object), bytes.count <= 16, bytes.count % 2 == 0,
      let exponent = archive.integer("NS.exponent", of: object), (-18...18).contains(exponent)
    else { return nil }
    // The mantissa consists of 16-bit words, lowest first, in the byte order of the machine that wrote it.
    let isBig = archive.integer("NS.mantissa.bo", of: object) == 2
    var mantissa: UInt64 = 0
    for start in stride(from: 0, to: bytes.count, by: 2) {
      let (low, high) = isBig ? (bytes[start + 1], bytes[start]) : (bytes[start], bytes[start + 1])
      let word = UInt64(low) | UInt64(high) << 8
      guard word == 0 || start < 8 else { return nil }
      if start < 8 { mantissa |= word << UInt64(start * 8) }
    }
    var digits = "\(mantissa)"
    guard digits.count <= 18 else { return nil }
    if exponent > 0, mantissa > 0 { digits += String(repeating: "0", count: exponent) }
    if exponent < 0 {
      digits = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
      digits.insert(".", at: digits.index(digits.endIndex, offsetBy: exponent))
    }
    return (archive.flag("NS.negative", of: object) ? "-" : "") + digits
  }

  private mutating func userInfo(of object: ArchivedObject) throws(AppleStoreProblem) -> [CoreDataNamed] {
    var result: [CoreDataNamed] = []
    for entry in try entries("NSUserInfo", of: object) {
      guard case .text(let text) = entry.value else {
        result.append(CoreDataNamed(name: entry.key, detail: "", line: 1))
        continue
      }
      result.append(CoreDataNamed(name: entry.key, detail: text, line: 1))
    }
    return result.sorted { $0.name < $1.name }
  }

  // MARK: - Limits

  private mutating func spend(_ count: Int) throws(AppleStoreProblem) {
    steps -= count
    guard steps >= 0 else { throw AppleStoreProblem("the model is too large or refers to itself repeatedly") }
  }

  private mutating func entries(
    _ key: String, of object: ArchivedObject
  ) throws(AppleStoreProblem) -> [(key: String, value: ArchivedValue)] {
    let entries = archive.entries(of: archive.value(key, of: object)) ?? []
    try spend(entries.count + 1)
    return entries.sorted { $0.key < $1.key }
  }

  private func name(_ key: String, of object: ArchivedObject, _ kind: String) throws(AppleStoreProblem) -> String {
    guard let name = archive.text(key, of: object), !name.isEmpty, name.utf8.count <= 256 else {
      throw AppleStoreProblem("an \(kind) of the model has no valid name")
    }
    return name
  }

  private static let types: [Int: String] = [
    0: "Undefined", 100: "Integer 16", 200: "Integer 32", 300: "Integer 64", 400: "Decimal", 500: "Double",
    600: "Float", 700: "String", 800: "Boolean", 900: "Date", 1000: "Binary", 1100: "UUID", 1200: "URI",
    1800: "Transformable", 2000: "Object ID", 2100: "Composite",
  ]

  private static let deleteRules = [0: "No Action", 1: "Nullify", 2: "Cascade", 3: "Deny"]
}
