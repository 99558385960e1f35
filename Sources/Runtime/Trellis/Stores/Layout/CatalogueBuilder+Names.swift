import Foundation

extension CatalogueBuilder {
  /// The shared table of one inheritance chain.
  final class Hierarchy {
    let root: String
    let table: String
    // Read and written by the builder alone.
    /// Parents first.
    @exclusivity(unchecked) var members: [NamedEntity] = []
    @exclusivity(unchecked) var columnNames = NameScope()
    @exclusivity(unchecked) var names: [NamedColumn] = []
    @exclusivity(unchecked) var columns: [ColumnDefinition] = []
    @exclusivity(unchecked) var keyColumn = "id"
    @exclusivity(unchecked) var entityColumn = "entity"

    init(root: String, table: String) {
      self.root = root
      self.table = table
    }
  }

  /// An entity and the names of its columns.
  final class NamedEntity {
    let entity: Schema.Entity
    let definition: ModelDefinition
    /// Holds the entity.
    unowned let hierarchy: Hierarchy
    let above: NamedEntity?
    /// Inherited ones included.
    let relationships: [String: Schema.Relationship]
    /// By slot, as the model numbers its properties.
    @exclusivity(unchecked) var columns: [String] = []
    /// By slot: the columns of a flattened struct.
    @exclusivity(unchecked) var members: [[String]] = []
    @exclusivity(unchecked) var layout: EntityLayout?
    /// Inherited ones included.
    @exclusivity(unchecked) var constraints: [UniqueConstraint] = []

    init(
      _ entity: Schema.Entity, _ definition: ModelDefinition, in hierarchy: Hierarchy,
      above: NamedEntity?, relationships: [String: Schema.Relationship]
    ) {
      self.entity = entity
      self.definition = definition
      self.hierarchy = hierarchy
      self.above = above
      self.relationships = relationships
    }

    /// The properties the entity declares, where these are not simply those the model has beyond the
    /// one above it.
    var declaredProperties: Set<String>? {
      let inherited = above?.definition.layout.properties.count ?? 0
      let own = definition.layout.properties.count - inherited
      return entity.storedProperties.count == own ? nil : Set(entity.storedProperties.map(\.name))
    }

    func inheritedColumn(of property: ModelProperty) -> (name: String, members: [String])? {
      guard let above else { return nil }
      let layout = above.definition.layout
      guard layout.columns.indices ~= property.slot,
        layout.columns[property.slot].name == property.name
      else { return nil }
      return (above.columns[property.slot], above.members[property.slot])
    }

    /// The column of a property, by its name.
    func column(of property: String) -> String {
      guard let slot = definition.layout.property(named: property)?.slot, columns.indices ~= slot
      else { return property }
      return columns[slot]
    }
  }

  /// What is asked about the type of a value. Models have many properties of few types, and what Swift
  /// is asked about a type takes its time.
  struct ValueType {
    let isOptional: Bool
    /// How values are kept unless an option says otherwise.
    let column: ColumnType

    /// Without asking Swift: the first question about a type goes through every conformance of the
    /// program.
    private static func standard(_ type: any Any.Type) -> ValueType? {
      func isOne<V: ColumnValue>(_: V.Type) -> ValueType? {
        if type == V.self { return ValueType(isOptional: false, column: V.columnType) }
        return type == V?.self ? ValueType(isOptional: true, column: V?.columnType) : nil
      }
      return isOne(String.self) ?? isOne(Date.self) ?? isOne(Int.self) ?? isOne(Double.self)
        ?? isOne(Bool.self) ?? isOne(Data.self) ?? isOne(UUID.self)
    }

    private init(isOptional: Bool, column: ColumnType) {
      self.isOptional = isOptional
      self.column = column
    }

    init(_ type: any Any.Type) {
      if let standard = Self.standard(type) {
        self = standard
        return
      }
      isOptional = type is any OptionalValue.Type
      var column =
        (type as? any ColumnValue.Type ?? RawValueType.of(type))?.columnType ?? ColumnType(.text, comparison: .none)
      column.isOptional = isOptional
      self.column = column
    }
  }

  mutating func valueType(_ type: any Any.Type) -> ValueType {
    let key = ObjectIdentifier(type)
    if let known = valueTypes[key] { return known }
    let found = ValueType(type)
    valueTypes[key] = found
    return found
  }

  /// The entity that declares a property: the given one or one above it.
  func declarer(of property: String, in entity: Schema.Entity) -> Schema.Entity {
    guard let above = entity.superentity, above.properties.contains(where: { $0.name == property })
    else { return entity }
    return declarer(of: property, in: above)
  }
}

/// The column of a property of a class. Two classes of one hierarchy may have properties of one name,
/// and which of them has the column of that name depends on what classes there are.
struct NamedColumn: Sendable {
  let owner: String
  let property: String
  /// What stands behind the property where it has several columns.
  var part = ""
  var table: String
  let column: String

  var key: String { "\(owner).\(property)\(part)" }
}
