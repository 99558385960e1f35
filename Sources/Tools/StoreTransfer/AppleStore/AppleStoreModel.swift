import AppleStore
package import SchemaImport
import SchemaModel

/// A store's model, prepared for conversion to a schema.
package struct AppleStoreModel: Sendable {
  /// The model as stored.
  package let stored: CoreDataModel
  /// The model to import. Archived objects become data, and a struct that contains only a raw value becomes that value.
  package private(set) var imported: CoreDataModel
  package private(set) var notes: [ImportNote] = []

  /// - Parameter path: The path to show in notes.
  package init(_ model: CoreDataModel, path: String) {
    stored = model
    imported = model
    for (place, entity) in model.entities.enumerated() {
      imported.entities[place].attributes = entity.attributes.map { prepared($0, entity.name, path) }
      imported.entities[place].relationships = entity.relationships.map { prepared($0, entity.name, path) }
    }
    for (place, composite) in model.composites.enumerated() {
      imported.composites[place].attributes = composite.attributes.map { prepared($0, composite.name, path) }
    }
    let attributes = imported.entities.flatMap(\.attributes) + imported.composites.flatMap(\.attributes)
    let used = Set(attributes.compactMap(\.composite))
    imported.composites.removeAll { !used.contains($0.name) }
  }

  private mutating func prepared(_ original: CoreDataAttribute, _ owner: String, _ path: String) -> CoreDataAttribute {
    var attribute = original
    let title = "\(owner).\(attribute.name)"
    switch attribute.type {
    case "Transformable":
      let name = (attribute.className ?? "").replacing("Swift.", with: "").replacing("Foundation.", with: "")
      if Self.isStandard(name) {
        attribute.className = name
        attribute.transformer = nil
        return attribute
      }
      notes.append(
        ImportNote(
          .check, path, 1,
          "'\(title)' contains archived or encoded values of '\(name.isEmpty ? "an unknown type" : name)', which are "
            + "kept as data; '--models' imports types that Swift files declare",
          topic: CoreDataTopic.archivedValue.rawValue))
      attribute.type = "Binary"
      attribute.className = nil
      attribute.transformer = nil
      attribute.defaultText = nil
    case "Decimal":
      notes.append(
        ImportNote(
          .check, path, 1,
          "'\(title)' is a decimal that the store keeps as a double: only about 15 digits are exact",
          topic: "decimal"))
    case "Composite":
      guard let raw = Self.rawValue(of: attribute, in: stored) else { return attribute }
      notes.append(
        ImportNote(
          .check, path, 1,
          "'\(title)' contains raw values of '\(attribute.composite ?? "")', which are imported as they are; "
            + "'--models' imports enums that Swift files declare", topic: "raw-value"))
      attribute.type = raw.type
      attribute.composite = nil
      attribute.className = nil
      attribute.defaultText = nil
    default: break
    }
    return attribute
  }

  /// Makes a required list optional. Core Data rejects empty required lists, but existing rows may predate the rule.
  private mutating func prepared(
    _ original: CoreDataRelationship, _ owner: String, _ path: String
  ) -> CoreDataRelationship {
    guard original.isToMany, !original.isOptional, original.minimum == nil else { return original }
    var relationship = original
    notes.append(
      ImportNote(
        .check, path, 1,
        "'\(owner).\(relationship.name)' is not optional in the store's model; add 'minimumModelCount: 1' if the list "
          + "must not be empty", topic: CoreDataTopic.minimumCount.rawValue))
    relationship.isOptional = true
    return relationship
  }

  /// The raw value, if it is the composite attribute's only element.
  package static func rawValue(of attribute: CoreDataAttribute, in model: CoreDataModel) -> CoreDataAttribute? {
    guard let type = model.composites.first(where: { $0.name == attribute.composite }),
      let element = type.attributes.first, type.attributes.count == 1, element.name == "rawValue",
      element.type != "Composite"
    else { return nil }
    return element
  }

  private static let standard = Set(ScalarType.allCases.map(\.rawValue) + ["Array", "Set", "Dictionary", "Optional"])

  /// True for types such as `Array<String>` and `[String: Int]`, which are stored as JSON.
  private static func isStandard(_ name: String) -> Bool {
    let words = name.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }.map(String.init)
    let isCollection = name.hasPrefix("[") || ["Array<", "Set<", "Dictionary<"].contains { name.hasPrefix($0) }
    return isCollection && words.allSatisfy { standard.contains($0) }
  }
}
