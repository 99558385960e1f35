/// The mapping between a schema's models and a store's tables, used to generate SQL.
///
/// Created once when a store opens, and immutable afterwards.
package struct StoreLayout: Sendable {
  package let entities: [EntityLayout]
  /// Returns a model's current name, given a name from an older version, as defined by a migration plan.
  package var formerNames: (@Sendable (String) -> String?)?
  private let byName: [String: Int]

  package init(entities: [EntityLayout]) {
    self.entities = entities
    self.byName = Dictionary(
      entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package func entity(named name: String) -> EntityLayout? { byName[name].map { entities[$0] } }

  package func entity(for type: any PersistentModel.Type) -> EntityLayout? {
    entity(named: type._$definition.entityName)
  }
}

/// A model and the table that stores it.
///
/// Every table has an integer primary key named `id`, unless a property uses that name. Models in an inheritance chain
/// share the root model's table, which has an additional text column with each row's entity name, preferably named
/// `entity`.
package final class EntityLayout: RowEntity, @unchecked Sendable {  // immutable
  package let table: String
  /// The table's integer primary key.
  package let keyColumn: String
  /// The column that contains each row's entity name. It exists only if `discriminators` is not empty.
  package let entityColumn: String
  package let definition: ModelDefinition
  /// The name of the inheritance chain's root entity; the entity's own name if there is no superentity.
  package let rootName: String
  /// This entity's name and all subentity names if the table is shared; otherwise empty.
  package let discriminators: [String]
  /// The columns by column slot.
  package let columns: [ColumnLayout]
  /// The lists by to-many slot.
  package let lists: [ListLayout]

  package init(
    name: String, table: String, keyColumn: String = "id", entityColumn: String = "entity",
    definition: ModelDefinition, rootName: String,
    discriminators: [String], columns: [ColumnLayout], lists: [ListLayout]
  ) {
    self.table = table
    self.keyColumn = keyColumn
    self.entityColumn = entityColumn
    self.definition = definition
    self.rootName = rootName
    self.discriminators = discriminators
    self.columns = columns
    self.lists = lists
    super.init(
      name: name,
      properties: columns.map {
        Property(
          name: $0.property.name, isOptional: $0.property.isOptional, memberParameters: $0.members.map(\.parameter))
      })
  }
}

/// An attribute or a to-one relationship and the column that stores it.
package struct ColumnLayout: Sendable {
  /// The SQL column name.
  package let name: String
  package let slot: Int
  package let type: ColumnType
  /// A to-one relationship's destination entity; the column contains the destination's row key.
  package let destination: String?
  package let property: ModelProperty
  /// A flattened struct's property columns. The struct's own column is then the first property's column. If the struct
  /// is optional, the struct's own column instead indicates whether there is a value.
  package var members: [MemberLayout] = []

  package init(
    name: String, slot: Int, type: ColumnType, destination: String?, property: ModelProperty,
    members: [MemberLayout] = []
  ) {
    self.name = name
    self.slot = slot
    self.type = type
    self.destination = destination
    self.property = property
    self.members = members
  }

  /// All columns for the property.
  package var names: [String] { [name] + members.map(\.name).filter { $0 != name } }
}

/// A flattened struct's property and the column that stores it.
package struct MemberLayout: Sendable {
  package let name: String
  package let type: ColumnType
  /// The parameter in statements that write a row.
  package let parameter: Int32

  package init(name: String, type: ColumnType, parameter: Int32) {
    self.name = name
    self.type = type
    self.parameter = parameter
  }
}

/// A to-many relationship's member storage.
package struct ListLayout: Sendable {
  package enum Kind: Sendable {
    /// A column in the members' table contains the owner's row key: the inverse to-one relationship.
    case foreignKey(column: String)
    /// A join table. `position` is set for ordered relationships.
    case join(table: String, owner: String, member: String, position: String?)
  }

  package let slot: Int
  package let destination: String
  package let kind: Kind
  package let property: ModelProperty
  /// For ordered `foreignKey` lists, the column with the member positions in the members' table.
  package var orderColumn: String? = nil

  package init(slot: Int, destination: String, kind: Kind, property: ModelProperty, orderColumn: String? = nil) {
    self.slot = slot
    self.destination = destination
    self.kind = kind
    self.property = property
    self.orderColumn = orderColumn
  }
}

extension RowShape {
  package convenience init(
    entity: EntityLayout, token: IdentifierToken, destinations: [IdentifierToken], columns: [Int32],
    members: [Int: [Int32]] = [:], files: ExternalFiles? = nil, layout: StoreLayout? = nil,
    isIncomplete: Bool = false
  ) {
    var rootName: (@Sendable (String) -> String?)?
    if let layout { rootName = { (layout.entity(named: $0) ?? layout.entity(formerly: $0))?.rootName } }
    self.init(
      rowEntity: entity, token: token, destinations: destinations, columns: columns, members: members, files: files,
      rootName: rootName, isIncomplete: isIncomplete)
  }

  /// The rows' entity; a placeholder with an empty name if no statement reads the values.
  package var entity: EntityLayout {
    type(of: rowEntity) == EntityLayout.self ? unsafeDowncast(rowEntity, to: EntityLayout.self) : .nameless
  }
}

extension StatementRow {
  /// The row's model class.
  package var definition: ModelDefinition { shape.entity.definition }
}

extension EntityLayout {
  fileprivate static let nameless = EntityLayout(
    name: "", table: "", definition: UnknownModel._$definition, rootName: "", discriminators: [], columns: [],
    lists: [])
}

extension StoreLayout {
  /// Returns the entity with a previous name.
  package func entity(formerly name: String) -> EntityLayout? {
    entities.first { $0.definition.originalName == name }
      ?? formerNames?(name).flatMap { entity(named: $0) }
  }
}

extension ListLayout {
  /// True if the relationship is its own inverse, for example a list of friends.
  package var isMirrored: Bool {
    guard let relationship = property.relationship else { return false }
    return relationship.inverseKeyPath == property.keyPath
  }
}
