import Foundation

/// The attributes to fetch, for a descriptor that does not request all attributes.
///
/// To-one references are always read: each is one number, and relationship maintenance needs them. Enums, structs and
/// other types of the program are always read unless they are optional, because no placeholder value exists for them.
package final class FetchParts {
  private let names: Set<String>
  private var missing: [ObjectIdentifier: PropertySet] = [:]

  /// - Returns: Nil if the descriptor requests all attributes.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` if a key path is not a property of the model.
  package init?<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws {
    guard !descriptor.propertiesToFetch.isEmpty else { return nil }
    let layout = T._$definition.layout
    var names = Set<String>()
    for keyPath in descriptor.propertiesToFetch {
      if let property = layout.property(for: keyPath) {
        names.insert(property.name)
      } else if !ModelPaths.of(T.self).isIdentifier(keyPath) {
        throw SwiftDataError.unsupportedKeyPath.explained(
          "\(keyPath) in 'propertiesToFetch' is no stored property of "
            + "'\(T._$definition.entityName)'")
      }
    }
    self.names = names
  }

  /// The column slots of a class that are not read.
  package func missing(of definition: ModelDefinition) -> PropertySet {
    let key = ObjectIdentifier(definition)
    if let known = missing[key] { return known }
    var slots = PropertySet()
    for property in definition.layout.columns
    where !names.contains(property.name) && property.canBeMissing { slots.insert(property.slot) }
    missing[key] = slots
    return slots
  }
}

extension ModelProperty {
  /// True if a placeholder can be used for the value until it is read.
  fileprivate var canBeMissing: Bool {
    guard case .attribute(let type) = kind, attribute?.isTransformable != true else { return false }
    return type is any OptionalValue.Type
      || StandardValues.contains(type)
  }
}
