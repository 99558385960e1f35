/// How the models of a schema lie in the tables of a store: what the SQL side reads.
///
/// Made once when a store opens and immutable from then on.
package struct StoreLayout: Sendable {
  package let entities: [EntityLayout]
  /// What the models were called in older versions, where a plan tells.
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

/// One model and its table.
///
/// Every table has an integer primary key, `id` unless a property has taken that name. Models of one
/// inheritance chain share the table of their root, which then has a text column, `entity` by
/// preference, with the name of the row's own entity.
package final class EntityLayout: RowEntity, @unchecked Sendable {  // immutable
  package let table: String
  /// The integer primary key of the table.
  package let keyColumn: String
  /// The column with the name of the row's own entity; there when `discriminators` is not empty.
  package let entityColumn: String
  package let definition: ModelDefinition
  /// The root entity of the chain; the entity's own name without inheritance.
  package let rootName: String
  /// This entity and those below it, when the table is shared; empty otherwise.
  package let discriminators: [String]
  /// By column slot.
  package let columns: [ColumnLayout]
  /// By to-many slot.
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

/// An attribute or a to-one relationship and its column.
package struct ColumnLayout: Sendable {
  /// The name of the column in SQL.
  package let name: String
  package let slot: Int
  package let type: ColumnType
  /// The entity a to-one relationship points to; its column holds that entity's key.
  package let destination: String?
  package let property: ModelProperty
  /// The columns of the properties of a flattened struct. The column itself then is that of the first
  /// one or, where the struct is optional, says whether there is a struct.
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

  /// All columns the property has.
  package var names: [String] { [name] + members.map(\.name).filter { $0 != name } }
}

/// One property of a flattened struct and its column.
package struct MemberLayout: Sendable {
  package let name: String
  package let type: ColumnType
  /// In statements that write a row.
  package let parameter: Int32

  package init(name: String, type: ColumnType, parameter: Int32) {
    self.name = name
    self.type = type
    self.parameter = parameter
  }
}

/// Where the members of a to-many relationship are found.
package struct ListLayout: Sendable {
  package enum Kind: Sendable {
    /// The members' table has a column with the owner's key: the inverse to-one.
    case foreignKey(column: String)
    /// A table of pairs. `position` is there for ordered relationships.
    case join(table: String, owner: String, member: String, position: String?)
  }

  package let slot: Int
  package let destination: String
  package let kind: Kind
  package let property: ModelProperty
  /// The column of the members' table with a member's place, for ordered `foreignKey` lists.
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

  /// The entity of the rows; a nameless one for rows whose values no statement reads.
  package var entity: EntityLayout {
    type(of: rowEntity) == EntityLayout.self ? unsafeDowncast(rowEntity, to: EntityLayout.self) : .nameless
  }
}

extension StatementRow {
  /// The model class of the row.
  package var definition: ModelDefinition { shape.entity.definition }
}

extension EntityLayout {
  fileprivate static let nameless = EntityLayout(
    name: "", table: "", definition: UnknownModel._$definition, rootName: "", discriminators: [], columns: [],
    lists: [])
}

extension StoreLayout {
  /// The model that was called so before.
  package func entity(formerly name: String) -> EntityLayout? {
    entities.first { $0.definition.originalName == name }
      ?? formerNames?(name).flatMap { entity(named: $0) }
  }
}

extension ListLayout {
  /// True if the relationship is its own inverse, as a list of friends is.
  package var isMirrored: Bool {
    guard let relationship = property.relationship else { return false }
    return relationship.inverseKeyPath == property.keyPath
  }
}
