import Foundation
import Observation

/// A model's stored properties, numbered as in generated code.
package final class ModelLayout: @unchecked Sendable {  // key paths are never written
  /// All properties in declaration order, with inherited properties first.
  package let properties: [ModelProperty]
  /// Attributes and to-one relationships by slot.
  package let columns: [ModelProperty]
  /// The attribute columns that are never stored in files; see ``RowDifference``.
  let comparable: PropertySet
  /// To-many relationships by slot.
  package let lists: [ModelProperty]
  /// The model's own `#Unique` and `#Index` constraints.
  package let constraints: [any SchemaProperty]
  private let byKeyPath: [AnyKeyPath: ModelProperty]
  private let byName: [String: ModelProperty]
  /// The flattened structs' properties, by key path from the model and by name (`address.street`).
  private let membersByKeyPath: [AnyKeyPath: FlattenedPlace]
  private let membersByName: [String: FlattenedPlace]

  package convenience init(of type: any PersistentModel.Type) {
    let above = Schema.superclass(of: type)?._$definition.layout
    let metadata = type.schemaMetadata
    self.init(
      metadata.compactMap { entry in
        entry.keypath.map {
          ModelProperty(entry, $0, accessedKeyPath: above?.property(named: entry.name)?.accessedKeyPath ?? $0)
        }
      },
      constraints: metadata.compactMap { $0.keypath == nil ? $0.metadata : nil })
  }

  /// Numbers the properties. Properties of described models, which are not compiled, are found only by name.
  package init(_ unnumbered: [ModelProperty], constraints: [any SchemaProperty] = []) {
    var properties: [ModelProperty] = []
    var columns: [ModelProperty] = []
    var lists: [ModelProperty] = []
    var comparable = PropertySet()
    var byKeyPath: [AnyKeyPath: ModelProperty] = [:]
    var byName: [String: ModelProperty] = [:]
    var members: [String: FlattenedPlace] = [:]
    for var property in unnumbered {
      if property.kind.isToMany {
        property.slot = lists.count
        lists.append(property)
      } else if property.attribute?.isTransient != true {
        property.slot = columns.count
        columns.append(property)
        if !property.kind.isRelationship, !property.isExternal { comparable.insert(property.slot) }
        for (index, member) in property.flattenedMembers.enumerated() {
          let place = FlattenedPlace(property: property, member: member, index: index)
          members[place.name] = place
        }
      }
      byKeyPath[property.keyPath] = property
      byKeyPath[property.accessedKeyPath] = property
      byName[property.name] = property
      properties.append(property)
    }
    self.properties = properties
    self.columns = columns
    self.lists = lists
    self.constraints = constraints
    self.comparable = comparable
    self.byKeyPath = byKeyPath
    self.byName = byName
    membersByName = members
    membersByKeyPath = Dictionary(
      members.values.compactMap { place in place.property.keyPath(to: place.member).map { ($0, place) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the flattened struct's property at a key path.
  func member(for keyPath: AnyKeyPath) -> FlattenedPlace? { membersByKeyPath[keyPath] }

  /// Returns the key path to a property, or to a flattened struct's property.
  package func keyPath(named name: String) -> AnyKeyPath? {
    property(named: name)?.keyPath
      ?? member(named: name).flatMap { $0.property.keyPath(to: $0.member) }
  }

  /// Returns the flattened struct's property with a name such as `address.street`.
  package func member(named name: String) -> FlattenedPlace? { membersByName[name] }

  package func property(for keyPath: AnyKeyPath) -> ModelProperty? { byKeyPath[keyPath] }
  package func property(named name: String) -> ModelProperty? { byName[name] }
}

/// A property in a model's flattened struct.
package struct FlattenedPlace: Sendable {
  package let property: ModelProperty
  let member: FlattenedMember
  package let index: Int

  var name: String { "\(property.name).\(member.name)" }
}

extension PersistentModel {
  /// Returns a property's schema name. A key path contains the name only in some builds.
  package func propertyName(of keyPath: AnyKeyPath) -> String {
    type(of: self)._$definition.layout.property(for: keyPath)?.name ?? "\(keyPath)"
  }
}

// MARK: Properties

/// A model's stored property.
package struct ModelProperty: @unchecked Sendable {  // key paths and schema objects are never written after this
  package enum Kind {
    case attribute(any Any.Type)
    case toOne(any PersistentModel.Type, isOptional: Bool)
    case toMany(any PersistentModel.Type, isOptional: Bool)

    /// Derives the kind from the Swift property type.
    package init(valueType: any Any.Type) {
      let wrapped = (valueType as? any OptionalValue.Type)?.wrappedType
      if let model = (wrapped ?? valueType) as? any PersistentModel.Type {
        self = .toOne(model, isOptional: wrapped != nil)
      } else if let list = (wrapped ?? valueType) as? any ModelArray.Type {
        self = .toMany(list.elementType, isOptional: wrapped != nil)
      } else {
        self = .attribute(valueType)
      }
    }

    /// Derives the kind from the inverse property's key path, which begins at the related model; nil if the types do
    /// not match.
    ///
    /// Types are compared instead of tested for conformances, because the first conformance test for a type searches
    /// every conformance in the process.
    package init?(valueType: any Any.Type, inverse: AnyKeyPath?) {
      guard let inverse,
        let model = Swift.type(of: inverse).rootType as? any PersistentModel.Type
      else { return nil }
      func kind<M: PersistentModel>(_: M.Type) -> Self? {
        if valueType == M?.self { return .toOne(model, isOptional: true) }
        if valueType == [M].self { return .toMany(model, isOptional: false) }
        if valueType == M.self { return .toOne(model, isOptional: false) }
        if valueType == [M]?.self { return .toMany(model, isOptional: true) }
        return nil
      }
      guard let kind = kind(model) else { return nil }
      self = kind
    }

    package var isToMany: Bool { if case .toMany = self { true } else { false } }
    package var isRelationship: Bool { if case .attribute = self { false } else { true } }

    package var isOptional: Bool {
      switch self {
      case .attribute(let type): type is any OptionalValue.Type
      case .toOne(_, let isOptional), .toMany(_, let isOptional): isOptional
      }
    }

    /// A relationship's destination model.
    package var destination: (any PersistentModel.Type)? {
      switch self {
      case .attribute: nil
      case .toOne(let type, _), .toMany(let type, _): type
      }
    }
  }

  package let name: String
  package let keyPath: AnyKeyPath
  /// The key path used by accessors and observers, with the class that declares the property as its root.
  package let accessedKeyPath: AnyKeyPath
  /// The key path from an optional model. Provided by generated code for models that are reference destinations.
  let chainedKeyPath: AnyKeyPath?
  package let kind: Kind
  /// The column slot, or the list slot for a to-many relationship; -1 for an attribute that is never stored. Set by the
  /// layout.
  package fileprivate(set) var slot = -1
  package let attribute: Schema.Attribute?
  package let relationship: Schema.Relationship?

  /// Creates a property for a described model, which is not compiled.
  ///
  /// - Parameter keyPath: The key path in predicates; a placeholder for a model that is never read by key path.
  package init(
    described property: any SchemaProperty, _ kind: Kind, keyPath: AnyKeyPath = \UnknownModel._$identifier
  ) {
    name = property.name
    self.keyPath = keyPath
    accessedKeyPath = keyPath
    chainedKeyPath = nil
    self.kind = kind
    attribute = property.asAttribute
    relationship = property.asRelationship
  }

  fileprivate init(_ metadata: Schema.PropertyMetadata, _ keyPath: AnyKeyPath, accessedKeyPath: AnyKeyPath) {
    name = metadata.name
    self.keyPath = keyPath
    self.accessedKeyPath = accessedKeyPath
    chainedKeyPath = metadata.chain
    attribute = metadata.metadata?.asAttribute
    relationship = metadata.metadata?.asRelationship
    let valueType = Swift.type(of: keyPath).valueType
    kind = Kind(valueType: valueType, inverse: relationship?.inverseKeyPath) ?? Kind(valueType: valueType)
  }

  package var isOptional: Bool { kind.isOptional }
}

/// An array of models.
package protocol ModelArray {
  static var elementType: any PersistentModel.Type { get }
}

extension Array: ModelArray where Element: PersistentModel {
  package static var elementType: any PersistentModel.Type { Element.self }
}

extension ModelProperty {
  /// A flattened struct's properties; empty for any other property.
  package var flattenedMembers: [FlattenedMember] {
    guard let options = attribute?.options, !options.isEmpty, options.contains(.flattened),
      case .attribute(let type) = kind
    else { return [] }
    if let members = attribute?.describedMembers { return members }
    let wrapped = wrappedType(of: type)
    return (wrapped as? any FlattenedValue.Type)?._$members ?? []
  }

  /// True if the value may be stored in a file.
  package var isExternal: Bool {
    guard let attribute, attribute.options.contains(.externalStorage), !attribute.isTransformable else { return false }
    if case .attribute(let type) = kind { return type == Data.self || type == Data?.self }
    return false
  }

  /// Returns the key path from the model to a property in the model's flattened struct.
  package func keyPath(to member: FlattenedMember) -> AnyKeyPath? {
    keyPath.appending(path: isOptional ? member.optionalKeyPath : member.keyPath)
  }
}

extension ModelProperty {
  /// Returns the key path from the class whose layout contains the property.
  package func path<Model: PersistentModel>(of _: Model.Type) -> (any PartialKeyPath<Model> & Sendable)? {
    guard let path = keyPath as? PartialKeyPath<Model> else { return nil }
    // Sendability cannot be tested at run time. Key paths to stored properties capture no values.
    return unsafeBitCast(path, to: (any PartialKeyPath<Model> & Sendable).self)
  }
}

// MARK: Key paths

/// A model's key path with a value type that is known only at run time.
package protocol ObservableKeyPath {
  func notify(_ registrar: ObservationRegistrar, _ event: ObservedEvent, of model: any PersistentModel)
}

package enum ObservedEvent { case access, willSet, didSet }

extension KeyPath: ObservableKeyPath where Root: PersistentModel {
  package func notify(_ registrar: ObservationRegistrar, _ event: ObservedEvent, of model: any PersistentModel) {
    guard let model = model as? Root else { return }
    switch event {
    case .access: registrar.access(model, keyPath: self)
    case .willSet: registrar.willSet(model, keyPath: self)
    case .didSet: registrar.didSet(model, keyPath: self)
    }
  }
}
