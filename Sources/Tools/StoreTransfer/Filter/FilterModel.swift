import Foundation
import SchemaFacts
package import SchemaModel
package import Trellis

/// The type of an expression in a filter.
indirect enum FilterType: Hashable, Sendable {
  /// A standard type, or the raw type of the named enum or raw-value struct.
  case scalar(ScalarType, named: String? = nil)
  case structure(String)
  /// A type that can only be compared with nil, as spelled in the schema.
  case hidden(String)
  case row(String)
  /// A to-many relationship's rows.
  case rows(String)
  /// An array or set of standard values.
  case list(FilterType, isSet: Bool)
  case optional(FilterType)

  var unwrapped: FilterType { if case .optional(let wrapped) = self { wrapped } else { self } }
  var isOptional: Bool { self != unwrapped }
  /// This type, made optional.
  var optional: FilterType { isOptional ? self : .optional(self) }

  static let bool = FilterType.scalar(.bool)
  static let int = FilterType.scalar(.int)
  static let string = FilterType.scalar(.string)

  /// The corresponding Swift type.
  var swiftType: any FilterValue.Type {
    switch self {
    case .scalar(let scalar, _): scalar.filterType
    case .structure, .hidden: FilterStructure.self
    case .row: FilterRow.self
    case .rows: [FilterRow].self
    case .list(let element, let isSet): Self.list(of: element.scalarType, isSet: isSet)
    case .optional(let wrapped): Self.optional(wrapped.swiftType)
    }
  }

  private var scalarType: any FilterScalar.Type {
    if case .scalar(let scalar, _) = self { scalar.filterType } else { String.self }
  }

  private static func optional<Value: FilterValue>(_: Value.Type) -> any FilterValue.Type { Value?.self }

  private static func list<Value: FilterScalar>(of _: Value.Type, isSet: Bool) -> any FilterValue.Type {
    isSet ? Set<Value>.self : [Value].self
  }
}

extension FilterType: CustomStringConvertible {
  /// The type as spelled in the schema.
  var description: String {
    switch self {
    case .scalar(let scalar, let name): name ?? scalar.rawValue
    case .structure(let name), .hidden(let name), .row(let name): name
    case .rows(let name): "[\(name)]"
    case .list(let element, let isSet): isSet ? "Set<\(element)>" : "[\(element)]"
    case .optional(let wrapped): "\(wrapped)?"
    }
  }
}

extension ScalarType {
  /// The corresponding Swift type.
  var filterType: any FilterScalar.Type { valueType as? any FilterScalar.Type ?? String.self }
}

/// A property as read by filters.
struct FilterProperty {
  /// The stored form.
  enum Form { case plain, json, hidden }

  enum Place {
    /// The column's index in ``FilterEntity/columns``.
    case column(Int)
    /// The column indexes for a flattened struct's properties, and for the column that marks whether there is a value.
    case members([(name: String, index: Int)], indicator: Int?)
    case reference(Int, destination: String)
    case list(ListLayout)
  }

  let name: String
  let type: FilterType
  let form: Form
  let place: Place
}

/// An entity as read by filters.
struct FilterEntity {
  let name: String
  let layout: EntityLayout
  let columns: [String]
  /// The stored properties by name, including inherited properties.
  let properties: [String: FilterProperty]
}

/// A schema's tables, with properties for predicates over ``FilterRow``.
package struct FilterModel {
  let layout: StoreLayout
  let entities: [String: FilterEntity]
  let types: FilterTypes

  /// - Throws: ``SwiftDataError/unknownSchema`` if the schema cannot be mapped to tables.
  package init(_ schema: ResolvedSchema, _ runtime: Schema) throws {
    self.init(schema, try CatalogueBuilder.catalogue(of: runtime).layout)
  }

  /// - Parameter layout: The schema's tables.
  package init(_ schema: ResolvedSchema, _ layout: StoreLayout) {
    types = FilterTypes(schema)
    let attributes = types.properties
    var entities: [FilterEntity] = []
    for entity in layout.entities {
      entities.append(FilterEntity(entity, attributes[entity.name] ?? [:], types))
    }
    self.layout = StoreLayout(entities: entities.map(\.layout))
    self.entities = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

extension FilterEntity {
  init(_ entity: EntityLayout, _ resolved: [String: ResolvedProperty], _ types: FilterTypes) {
    var columns: [String] = []
    for name in entity.columns.flatMap(\.names) where !columns.contains(name) { columns.append(name) }
    func index(_ name: String) -> Int { columns.firstIndex(of: name) ?? 0 }
    var properties: [String: FilterProperty] = [:]
    var described: [ModelProperty] = []
    for property in entity.definition.layout.properties {
      var place = FilterProperty.Place.column(0)
      if property.kind.isToMany {
        guard property.slot < entity.lists.count else { continue }
        place = .list(entity.lists[property.slot])
      } else if property.slot >= 0, property.slot < entity.columns.count {
        let column = entity.columns[property.slot]
        place = .column(index(column.name))
        if let destination = column.destination {
          place = .reference(index(column.name), destination: destination)
        } else if !column.members.isEmpty {
          let names = zip(property.flattenedMembers, column.members).map { ($0.name, index($1.name)) }
          place = .members(names, indicator: property.isOptional ? index(column.name) : nil)
        }
      }
      guard let known = resolved[property.name] else { continue }
      let (type, form) = types.type(of: known)
      properties[property.name] = FilterProperty(name: property.name, type: type, form: form, place: place)
      described.append(Self.describe(property, type, types))
    }
    let byName = Dictionary(described.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let layout = ModelLayout(described)
    let definition = ModelDefinition(
      FilterRow.Snapshot.self, described: entity.name, originalName: entity.definition.originalName,
      superentity: entity.definition.superentityName, layout: layout)
    name = entity.name
    self.columns = columns
    self.properties = properties
    self.layout = EntityLayout(
      name: entity.name, table: entity.table, keyColumn: entity.keyColumn, entityColumn: entity.entityColumn,
      definition: definition, rootName: entity.rootName, discriminators: entity.discriminators,
      columns: entity.columns.map { column in
        ColumnLayout(
          name: column.name, slot: column.slot, type: column.type, destination: column.destination,
          property: byName[column.property.name] ?? column.property, members: column.members)
      },
      lists: entity.lists)
  }

  /// Returns a property with a key path for filters.
  private static func describe(_ property: ModelProperty, _ type: FilterType, _ types: FilterTypes) -> ModelProperty {
    func describe<Value: FilterValue>(_: Value.Type) -> ModelProperty {
      let path: any KeyPath<FilterRow, Value> & Sendable = FilterRow.keyPath(property.name)
      if let relationship = property.relationship {
        let kind: ModelProperty.Kind =
          property.kind.isToMany
          ? .toMany(FilterRow.self, isOptional: property.isOptional)
          : .toOne(FilterRow.self, isOptional: property.isOptional)
        return ModelProperty(described: relationship, kind, keyPath: path)
      }
      let attribute = Schema.Attribute(
        name: property.name, options: property.attribute?.options ?? [], valueType: Value.self)
      if case .structure(let name) = type.unwrapped, !property.flattenedMembers.isEmpty {
        attribute.describedMembers = property.flattenedMembers.map { types.member($0, of: name) }
      }
      return ModelProperty(described: attribute, .attribute(Value.self), keyPath: path)
    }
    return describe(type.swiftType)
  }
}

/// A schema's declared types.
struct FilterTypes {
  let enums: [String: ResolvedEnum]
  let structs: [String: ResolvedStruct]
  private let entities: [String: ResolvedEntity]

  init(_ schema: ResolvedSchema) {
    enums = Dictionary(schema.enums.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    structs = Dictionary(schema.structs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    entities = Dictionary(schema.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The stored and inherited properties by entity and name.
  var properties: [String: [String: ResolvedProperty]] {
    entities.mapValues { entity in
      var found: [String: ResolvedProperty] = [:]
      var next: ResolvedEntity? = entity
      for _ in 0..<ResolvedSchema.maximumDepth {
        guard let entity = next else { break }
        for property in entity.properties where found[property.name] == nil { found[property.name] = property }
        next = entity.superentity.flatMap { entities[$0] }
      }
      return found
    }
  }

  /// Returns a property's type and stored form.
  func type(of property: ResolvedProperty) -> (type: FilterType, form: FilterProperty.Form) {
    switch property {
    case .relationship(let relationship):
      let type: FilterType = relationship.isToMany ? .rows(relationship.destination) : .row(relationship.destination)
      return (relationship.isOptional ? .optional(type) : type, .plain)
    case .attribute(let attribute):
      let type = type(attribute.type)
      let isHidden =
        attribute.transformer != nil || attribute.options.contains(.externalStorage) || attribute.unknown == .default
      guard !isHidden else {
        let hidden = FilterType.hidden("\(type.unwrapped)")
        return (type.isOptional ? .optional(hidden) : hidden, .hidden)
      }
      if case .hidden = type.unwrapped { return (type, .hidden) }
      let isJSON = attribute.storage == .json || attribute.options.contains(.codable)
      return (type, isJSON ? .json : .plain)
    }
  }

  func type(_ type: ValueType, in structure: String? = nil) -> FilterType {
    switch type {
    case .scalar(let scalar): return .scalar(scalar)
    case .optional(let wrapped):
      let type = self.type(wrapped, in: structure)
      return type.isOptional ? .hidden("\(type)?") : .optional(type)
    case .enumeration(let name), .structure(let name): return declared(name) ?? .hidden(name)
    case .opaque(let name):
      return declared(name) ?? structure.flatMap { declared("\($0).\(name)") } ?? .hidden(name)
    case .array(let element): return list(element, isSet: false, in: structure)
    case .set(let element): return list(element, isSet: true, in: structure)
    case .dictionary(let key, let value):
      return .hidden("[\(self.type(key, in: structure)): \(self.type(value, in: structure))]")
    }
  }

  private func list(_ element: ValueType, isSet: Bool, in structure: String?) -> FilterType {
    let element = type(element, in: structure)
    guard case .scalar = element else { return .hidden(isSet ? "Set<\(element)>" : "[\(element)]") }
    return .list(element, isSet: isSet)
  }

  private func declared(_ name: String) -> FilterType? {
    if let type = enums[name] {
      guard let raw = type.rawType, type.coding == nil else { return .hidden(name) }
      return .scalar(raw, named: name)
    }
    guard let type = structs[name] else { return nil }
    if type.hasRawValue {
      guard case .scalar(let raw)? = type.fields.first(where: { $0.name == "rawValue" })?.type else {
        return .hidden(name)
      }
      return .scalar(raw, named: name)
    }
    if case .code? = type.coding { return .hidden(name) }
    return .structure(name)
  }

  /// Returns a stored property's type and JSON key, or `nil` if the struct has no such property.
  func field(_ name: String, of structure: String) -> (type: FilterType, key: String)? {
    guard let type = structs[structure], let field = type.parameters.first(where: { $0.name == name }),
      let key = type.coding.name(of: name)
    else { return nil }
    return (self.type(field.type, in: structure), key)
  }

  /// Returns a flattened struct's property with a key path for filters.
  func member(_ member: FlattenedMember, of structure: String) -> FlattenedMember {
    func described<Value: FilterValue & ColumnValue>(_: Value.Type) -> FlattenedMember {
      let path: any KeyPath<FilterStructure, Value> & Sendable = FilterStructure.keyPath(member.name)
      return FlattenedMember(
        member.name, path, FilterStructure.optionalKeyPath(member.name, Value.self), default: nil)
    }
    guard let field = field(member.name, of: structure),
      let type = field.type.swiftType as? any (FilterValue & ColumnValue).Type
    else { return member }
    return described(type)
  }
}

extension ResolvedProperty {
  var name: String {
    switch self {
    case .attribute(let attribute): attribute.name
    case .relationship(let relationship): relationship.name
    }
  }
}
