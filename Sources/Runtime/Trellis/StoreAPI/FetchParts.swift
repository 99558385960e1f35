import Foundation

/// The attributes a descriptor asks for, where it does not want all of them.
///
/// References to one model are always read: they are a number each and everything that follows
/// relationships relies on them. So are values no placeholder can stand for: enums, structs and other
/// types of the program, unless optional.
final class FetchParts {
  private let names: Set<String>
  private var missing: [ObjectIdentifier: PropertySet] = [:]

  /// - Returns: nil when the descriptor asks for everything.
  /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that is no property of the model.
  init?<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws {
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

  /// The columns of a class that are not read, by slot.
  func missing(of definition: ModelDefinition) -> PropertySet {
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
  /// True if a placeholder can stand for the value until it is read.
  fileprivate var canBeMissing: Bool {
    guard case .attribute(let type) = kind, attribute?.isTransformable != true else { return false }
    return type is any OptionalValue.Type
      || StandardValues.contains(type)
  }
}
