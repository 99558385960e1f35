import Foundation
import Observation

/// The stored properties of a model, numbered as generated code numbers them.
package final class ModelLayout: @unchecked Sendable {  // key paths are never written
  /// In declaration order, inherited properties first.
  package let properties: [ModelProperty]
  /// Attributes and to-one relationships by slot.
  package let columns: [ModelProperty]
  /// The columns of attributes that have no files: see ``RowDifference``.
  let comparable: PropertySet
  /// To-many relationships by slot.
  package let lists: [ModelProperty]
  /// `#Unique` and `#Index` of the model itself.
  package let constraints: [any SchemaProperty]
  private let byKeyPath: [AnyKeyPath: ModelProperty]
  private let byName: [String: ModelProperty]
  /// The properties of flattened structs, by key path from the model and by name (`address.street`).
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

  /// Numbers the properties. Those that are described and not compiled are found by name alone.
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

  /// The property of a flattened struct that a key path leads to.
  func member(for keyPath: AnyKeyPath) -> FlattenedPlace? { membersByKeyPath[keyPath] }

  /// The key path of a property, or of one of a flattened struct.
  package func keyPath(named name: String) -> AnyKeyPath? {
    property(named: name)?.keyPath
      ?? member(named: name).flatMap { $0.property.keyPath(to: $0.member) }
  }

  /// The same by name, `address.street`.
  package func member(named name: String) -> FlattenedPlace? { membersByName[name] }

  package func property(for keyPath: AnyKeyPath) -> ModelProperty? { byKeyPath[keyPath] }
  package func property(named name: String) -> ModelProperty? { byName[name] }
}

/// A property of a flattened struct of a model.
package struct FlattenedPlace: Sendable {
  package let property: ModelProperty
  let member: FlattenedMember
  package let index: Int

  var name: String { "\(property.name).\(member.name)" }
}

extension PersistentModel {
  /// The name of a property in the schema: a key path does not tell it in every program.
  package func propertyName(of keyPath: AnyKeyPath) -> String {
    type(of: self)._$definition.layout.property(for: keyPath)?.name ?? "\(keyPath)"
  }
}

// MARK: Properties

/// One stored property of a model.
package struct ModelProperty: @unchecked Sendable {  // key paths and schema objects are never written after this
  package enum Kind {
    case attribute(any Any.Type)
    case toOne(any PersistentModel.Type, isOptional: Bool)
    case toMany(any PersistentModel.Type, isOptional: Bool)

    /// Reads the kind off the type of the Swift property.
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

    /// Reads the kind off the key path of the property at the other end, which begins at the related
    /// model; nil where that does not tell.
    ///
    /// Types are compared instead of asked for their conformances: the first such question about a
    /// type goes through every conformance of the program.
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

    /// The model at the other end of a relationship.
    package var destination: (any PersistentModel.Type)? {
      switch self {
      case .attribute: nil
      case .toOne(let type, _), .toMany(let type, _): type
      }
    }
  }

  package let name: String
  package let keyPath: AnyKeyPath
  /// The key path as accessors and observers spell it: of the class that declares the property.
  package let accessedKeyPath: AnyKeyPath
  /// The key path from an optional of the model, if generated code provides it: for models that references lead to.
  let chainedKeyPath: AnyKeyPath?
  package let kind: Kind
  /// Column slot, list slot for a to-many relationship, -1 for an attribute that is never stored. The layout sets it.
  package fileprivate(set) var slot = -1
  package let attribute: Schema.Attribute?
  package let relationship: Schema.Relationship?

  /// A property of a model that is described and not compiled.
  package init(described property: any SchemaProperty, _ kind: Kind) {
    name = property.name
    // An entity without a class is never read by key path.
    keyPath = \UnknownModel._$identifier
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
  /// The properties of a flattened struct; empty for anything else.
  package var flattenedMembers: [FlattenedMember] {
    guard let options = attribute?.options, !options.isEmpty, options.contains(.flattened),
      case .attribute(let type) = kind
    else { return [] }
    if let members = attribute?.describedMembers { return members }
    let wrapped = wrappedType(of: type)
    return (wrapped as? any FlattenedValue.Type)?._$members ?? []
  }

  /// Whether the value may be in a file.
  package var isExternal: Bool {
    guard let attribute, attribute.options.contains(.externalStorage), !attribute.isTransformable else { return false }
    if case .attribute(let type) = kind { return type == Data.self || type == Data?.self }
    return false
  }

  /// The key path from the model to a property of its flattened struct.
  package func keyPath(to member: FlattenedMember) -> AnyKeyPath? {
    keyPath.appending(path: isOptional ? member.optionalKeyPath : member.keyPath)
  }
}

extension ModelProperty {
  /// Its key path from the class whose layout has the property.
  package func path<Model: PersistentModel>(of _: Model.Type) -> (any PartialKeyPath<Model> & Sendable)? {
    guard let path = keyPath as? PartialKeyPath<Model> else { return nil }
    // Being sendable has no part at run time, so nothing can ask for it; key paths of stored properties
    // capture nothing.
    return unsafeBitCast(path, to: (any PartialKeyPath<Model> & Sendable).self)
  }
}

// MARK: Key paths

/// A key path of a model whose value type is known only at run time.
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
