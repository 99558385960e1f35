import Observation

/// The stored properties of a model, numbered as generated code numbers them.
package final class ModelLayout: @unchecked Sendable {  // key paths are never written
  /// In declaration order, inherited properties first.
  package let properties: [ModelProperty]
  /// Attributes and to-one relationships by slot.
  package let columns: [ModelProperty]
  /// The columns of values that are kept in one column each, and in no file: see ``RowDifference``.
  let comparable: PropertySet
  private let cachedPaths = LazyReference<ColumnPaths>()
  /// To-many relationships by slot.
  package let lists: [ModelProperty]
  /// `#Unique` and `#Index` of the model itself.
  package let constraints: [any SchemaProperty]
  private let byKeyPath: [AnyKeyPath: Int]
  private let byName: [String: Int]
  /// The properties of flattened structs, by key path from the model and by name (`address.street`).
  private let membersByKeyPath: [AnyKeyPath: FlattenedPlace]
  private let membersByName: [String: FlattenedPlace]

  package init(of type: any PersistentModel.Type) {
    var properties: [ModelProperty] = []
    var columns: [ModelProperty] = []
    var lists: [ModelProperty] = []
    var constraints: [any SchemaProperty] = []
    var byKeyPath: [AnyKeyPath: Int] = [:]
    var byName: [String: Int] = [:]
    let above = Schema.superclass(of: type)?._$definition.layout
    for metadata in type.schemaMetadata {
      guard let keyPath = metadata.keypath else {
        if let constraint = metadata.metadata { constraints.append(constraint) }
        continue
      }
      let relationship = metadata.metadata as? Schema.Relationship
      let valueType = Swift.type(of: keyPath).valueType
      let kind =
        ModelProperty.Kind(valueType: valueType, inverse: relationship?.inverseKeyPath)
        ?? ModelProperty.Kind(valueType: valueType)
      let attribute = metadata.metadata as? Schema.Attribute
      let slot: Int
      if kind.isToMany {
        slot = lists.count
      } else if attribute?.options.contains(.ephemeral) == true {
        slot = -1
      } else {
        slot = columns.count
      }
      let accessed = above?.property(named: metadata.name)?.accessedKeyPath ?? keyPath
      let property = ModelProperty(
        name: metadata.name, keyPath: keyPath, accessedKeyPath: accessed, chainedKeyPath: metadata.chain,
        kind: kind, slot: slot,
        attribute: attribute, relationship: relationship)
      byKeyPath[keyPath] = properties.count
      byKeyPath[accessed] = properties.count
      byName[metadata.name] = properties.count
      properties.append(property)
      if kind.isToMany { lists.append(property) } else if slot >= 0 { columns.append(property) }
    }
    self.properties = properties
    self.columns = columns
    self.lists = lists
    self.constraints = constraints
    self.byKeyPath = byKeyPath
    self.byName = byName
    var comparable = PropertySet()
    for property in columns where property.isOneValue && property.flattenedMembers.isEmpty {
      comparable.insert(property.slot)
    }
    self.comparable = comparable
    membersByName = Self.members(of: columns)
    let members = membersByName.values.compactMap { place in
      place.property.keyPath(to: place.member).map { ($0, place) }
    }
    membersByKeyPath = Dictionary(members, uniquingKeysWith: { first, _ in first })
  }

  private static func members(of columns: [ModelProperty]) -> [String: FlattenedPlace] {
    var members: [String: FlattenedPlace] = [:]
    for property in columns {
      for (index, member) in property.flattenedMembers.enumerated() {
        let place = FlattenedPlace(property: property, member: member, index: index)
        members[place.name] = place
      }
    }
    return members
  }

  /// Of properties that are described and not compiled: they are found by name alone.
  package init(described properties: [ModelProperty]) {
    self.properties = properties
    columns = properties.filter { !$0.kind.isToMany && $0.slot >= 0 }
    lists = properties.filter(\.kind.isToMany)
    constraints = []
    byKeyPath = [:]
    byName = Dictionary(
      properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    membersByKeyPath = [:]
    comparable = PropertySet()
    membersByName = Self.members(of: columns)
  }

  /// The key paths of the columns, by slot. Made for the first observer or change, because it takes longer than the
  /// rest of the layout.
  var columnPaths: [ColumnPath] {
    (cachedPaths.load() ?? cachedPaths.storeIfNil(ColumnPaths(columns))).bySlot
  }

  /// The property of a flattened struct that a key path leads to.
  func member(for keyPath: AnyKeyPath) -> FlattenedPlace? { membersByKeyPath[keyPath] }

  /// The key path of a property, or of one of a flattened struct.
  package func keyPath(named name: String) -> AnyKeyPath? {
    property(named: name)?.keyPath
      ?? member(named: name).flatMap { $0.property.keyPath(to: $0.member) }
  }

  /// The same by name, `address.street`.
  func member(named name: String) -> FlattenedPlace? { membersByName[name] }

  package func property(for keyPath: AnyKeyPath) -> ModelProperty? {
    byKeyPath[keyPath].map { properties[$0] }
  }

  package func property(named name: String) -> ModelProperty? {
    byName[name].map { properties[$0] }
  }
}

/// A property of a flattened struct of a model.
struct FlattenedPlace: Sendable {
  let property: ModelProperty
  let member: FlattenedMember
  let index: Int

  var name: String { "\(property.name).\(member.name)" }
}

extension PersistentModel {
  /// The name of a property in the schema: a key path does not tell it in every program.
  func propertyName(of keyPath: AnyKeyPath) -> String {
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
      if let model = valueType as? any PersistentModel.Type {
        self = .toOne(model, isOptional: false)
      } else if let list = valueType as? any ModelArray.Type {
        self = .toMany(list.elementType, isOptional: false)
      } else if let wrapped = (valueType as? any OptionalValue.Type)?.wrappedType,
        let model = wrapped as? any PersistentModel.Type
      {
        self = .toOne(model, isOptional: true)
      } else if let wrapped = (valueType as? any OptionalValue.Type)?.wrappedType,
        let list = wrapped as? any ModelArray.Type
      {
        self = .toMany(list.elementType, isOptional: true)
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
  let accessedKeyPath: AnyKeyPath
  /// The key path from an optional of the model, if generated code provides it: for models that references lead to.
  let chainedKeyPath: AnyKeyPath?
  package let kind: Kind
  /// Column slot, list slot for a to-many relationship, -1 for an attribute that is never stored.
  package let slot: Int
  package let attribute: Schema.Attribute?
  package let relationship: Schema.Relationship?

  package var isOptional: Bool {
    switch kind {
    case .attribute(let type): type is any OptionalValue.Type
    case .toOne(_, let isOptional), .toMany(_, let isOptional): isOptional
    }
  }
}

/// An array of models.
protocol ModelArray {
  static var elementType: any PersistentModel.Type { get }
}

extension Array: ModelArray where Element: PersistentModel {
  static var elementType: any PersistentModel.Type { Element.self }
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

  /// The key path from the model to a property of its flattened struct.
  package func keyPath(to member: FlattenedMember) -> AnyKeyPath? {
    keyPath.appending(path: isOptional ? member.optionalKeyPath : member.keyPath)
  }

  /// Whether the property is an attribute, and not one that may have a file.
  var isOneValue: Bool {
    !kind.isRelationship && attribute?.options.contains(.externalStorage) != true
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

/// The key path of a column as accessors and observers spell it.
struct ColumnPath {
  let path: AnyKeyPath
  /// The same, able to tell observers.
  let observable: (any ObservableKeyPath)?

  init(_ path: AnyKeyPath) {
    self.path = path
    observable = path as? any ObservableKeyPath
  }
}

final class ColumnPaths: @unchecked Sendable {  // key paths are never written
  let bySlot: [ColumnPath]

  init(_ columns: [ModelProperty]) { bySlot = columns.map { ColumnPath($0.accessedKeyPath) } }
}

/// A key path of a model whose value type is known only at run time.
protocol ObservableKeyPath {
  func access(_ model: any PersistentModel, _ registrar: ObservationRegistrar)
  func willSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar)
  func didSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar)
}

extension KeyPath: ObservableKeyPath where Root: PersistentModel {
  func access(_ model: any PersistentModel, _ registrar: ObservationRegistrar) {
    guard let model = model as? Root else { return }
    registrar.access(model, keyPath: self)
  }

  func willSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar) {
    guard let model = model as? Root else { return }
    registrar.willSet(model, keyPath: self)
  }

  func didSet(_ model: any PersistentModel, _ registrar: ObservationRegistrar) {
    guard let model = model as? Root else { return }
    registrar.didSet(model, keyPath: self)
  }
}
