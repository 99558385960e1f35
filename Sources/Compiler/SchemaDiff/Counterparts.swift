package import SchemaModel

/// Which declarations of two versions are the same ones, whatever they are called.
package struct Counterparts: Sendable {
  /// By the name of a model of the newer version, that of the older one.
  package let entities: [String: String]
  /// By the names of a model and a property of the newer version, the name it had.
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

  /// What a property was called in the older version; nil for a new one.
  package func oldName(of property: String, in entity: String) -> String? {
    properties[entity]?[property]
  }
}
