package import SchemaModel

/// Matches the declarations of two versions across renames.
package struct Counterparts: Sendable {
  /// The older model names, by newer model name.
  package let entities: [String: String]
  /// The older property names, by newer model and property name.
  private let properties: [String: [String: String]]

  package init(from old: ResolvedSchema, to new: ResolvedSchema) {
    let names = NameHistory(from: old, to: new)
    var entities: [String: String] = [:]
    var properties: [String: [String: String]] = [:]
    for case (let before?, let after) in names.entities.pairs {
      entities[after.name] = before.name
      for case (let property?, let successor) in names.properties(of: after).pairs {
        properties[after.name, default: [:]][successor.name] = property.name
      }
    }
    self.entities = entities
    self.properties = properties
  }

  /// Returns a property's name in the older version; `nil` for a new property.
  package func oldName(of property: String, in entity: String) -> String? {
    properties[entity]?[property]
  }
}
