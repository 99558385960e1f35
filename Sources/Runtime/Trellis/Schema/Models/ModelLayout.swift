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
