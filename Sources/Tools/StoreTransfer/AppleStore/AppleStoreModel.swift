import AppleStore
package import SchemaImport
import SchemaModel

/// A store's model, prepared for conversion to a schema.
package struct AppleStoreModel: Sendable {
  /// The model as the store has it.
  package let stored: CoreDataModel
  /// The model to import: archived objects become data, and raw values replace structs that contain only these.
  package private(set) var imported: CoreDataModel
  package private(set) var notes: [ImportNote] = []

  /// - Parameter path: The path to show in notes.
  package init(_ model: CoreDataModel, path: String) {
    stored = model
    imported = model
    for entity in imported.entities.indices {
      for index in imported.entities[entity].attributes.indices {
        prepare(&imported.entities[entity].attributes[index], imported.entities[entity].name, path)
      }
    }
    for composite in imported.composites.indices {
      for index in imported.composites[composite].attributes.indices {
        prepare(&imported.composites[composite].attributes[index], imported.composites[composite].name, path)
      }
    }
    let used = Set((imported.entities.flatMap(\.attributes) + imported.composites.flatMap(\.attributes)).compactMap(\.composite))
    imported.composites.removeAll { !used.contains($0.name) }
  }

  private mutating func prepare(_ attribute: inout CoreDataAttribute, _ owner: String, _ path: String) {
    let title = "\(owner).\(attribute.name)"
    switch attribute.type {
    case "Transformable":
      let name = (attribute.className ?? "").replacing("Swift.", with: "").replacing("Foundation.", with: "")
      if Self.isStandard(name) {
        attribute.className = name
        attribute.transformer = nil
        return
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
      guard let raw = Self.rawValue(of: attribute, in: stored) else { return }
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
  }

  /// The element of a composite attribute that consists of a raw value.
  package static func rawValue(of attribute: CoreDataAttribute, in model: CoreDataModel) -> CoreDataAttribute? {
    guard let type = model.composites.first(where: { $0.name == attribute.composite }),
      let element = type.attributes.first, type.attributes.count == 1, element.name == "rawValue",
      element.type != "Composite"
    else { return nil }
    return element
  }

  private static let standard = Set(ScalarType.allCases.map(\.rawValue) + ["Array", "Set", "Dictionary", "Optional"])

  /// True for types such as `Array<String>` and `[String: Int]`, whose values are JSON.
  private static func isStandard(_ name: String) -> Bool {
    let words = name.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == ".") }.map(String.init)
    let isCollection = name.hasPrefix("[") || ["Array<", "Set<", "Dictionary<"].contains { name.hasPrefix($0) }
    return isCollection && words.allSatisfy { standard.contains($0) }
  }
}
