import Foundation
import SchemaGraph
import SchemaModel
import StoreCare
import StoreTransfer
import Trellis

/// A store's entities and properties, as the page shows them.
struct StudioSchema: Sendable {
  struct Entity: Sendable {
    let resolved: ResolvedEntity
    let layout: EntityLayout
    let table: RowTable
    /// The entity's name, followed by the superentity names.
    let lineage: [String]
    let columns: [Column]
    let properties: [Property]
    /// The relationships, including inherited ones, by name.
    let relationships: [String: ResolvedRelationship]
    /// The properties, including inherited ones, as declared.
    let declared: [ResolvedProperty]
    /// The column with the link text of a row; nil if no column can name a row.
    let label: Column?

    var name: String { resolved.name }
    /// The class names of the entity's rows; empty if there is no superentity.
    var classes: [String] { layout.name == layout.rootName ? [] : layout.discriminators }
  }

  /// An attribute or a to-one relationship, and the column.
  struct Column: Sendable {
    /// The property name, or `address.street` for a struct with separate columns.
    let property: String
    let sql: String
    let form: CellForm
    /// A to-one relationship's destination.
    let destination: String?
    /// Enum case names by stored value.
    let cases: [String: String]

    /// False if the stored order differs from the order of the values.
    var isSortable: Bool {
      switch form {
      case .json, .data, .external, .presence: false
      default: destination == nil
      }
    }

    /// True if the value can name a row.
    var isLabel: Bool {
      switch form {
      case .text, .integer: destination == nil && cases.isEmpty
      default: false
      }
    }

    /// True if a search looks for a part of the value.
    var isText: Bool {
      switch form {
      case .text, .character, .url, .json: true
      default: false
      }
    }
  }

  struct Property: Encodable, Sendable {
    struct Case: Encodable, Sendable {
      var name: String
      var value: String
    }
    var name: String
    var type: String
    var kind: String
    var form: String
    var isOptional: Bool
    var isSortable = false
    var isIndexed = false
    var documentation: String
    var cases: [Case] = []
    var destination: String?
    var inverse: String?
    var deleteRule: String?
    /// The bounds of a to-many relationship; 0 for none.
    var minimum = 0
    var maximum = 0
    /// False if a wrong value could not be recognized.
    var isEditable = true
    /// A new row's value as text.
    var `default`: String?
    /// `now` or `uuid` if the default value differs for each row.
    var defaultKind: String?
  }

  let entities: [Entity]

  func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }

  init(_ target: TransferTarget) {
    let schema = target.resolved
    entities = schema.entities.compactMap { resolved in
      guard let layout = target.entity(named: resolved.name), let table = target.rowTable(of: layout),
        let row = table.row(class: resolved.name)
      else { return nil }
      return Entity(resolved, layout, table, row, schema)
    }
  }
}

extension StudioSchema.Entity {
  fileprivate init(
    _ resolved: ResolvedEntity, _ layout: EntityLayout, _ table: RowTable, _ row: RowClass, _ schema: ResolvedSchema
  ) {
    self.resolved = resolved
    self.layout = layout
    self.table = table
    let line = schema.lineage(of: resolved)
    lineage = line.map(\.name)
    let declared = line.reversed().flatMap(\.properties)
    self.declared = declared
    let destinations = Dictionary(
      layout.columns.compactMap { column in column.destination.map { (column.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    let columns = row.columns.sorted().map { table.columns[$0] }.filter { $0.form != .presence }
      .map { column in
        let values = declared.first { $0.name == column.name }?.values(in: schema)
        return StudioSchema.Column(
          property: column.name, sql: column.column, form: column.form, destination: destinations[column.column],
          cases: Dictionary(
            (values ?? []).map { ($0.value, $0.name) }, uniquingKeysWith: { first, _ in first }))
      }
    self.columns = columns
    let indexed = Set(
      line.flatMap { $0.indexes.compactMap(\.properties.first) + $0.uniques.compactMap(\.properties.first) })
    let required = Set(row.required.filter { $0.presence == nil }.map { table.columns[$0.column].name })
    label = Self.label(columns, declared, line.flatMap(\.uniques), required)
    properties = declared.flatMap { property in
      Self.properties(property, columns, required, isIndexed: indexed.contains(property.name), schema)
    }
    relationships = Dictionary(
      declared.compactMap { if case .relationship(let found) = $0 { (found.name, found) } else { nil } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the best column for link texts: a name, a required unique value, or a required text without a default.
  private static func label(
    _ columns: [StudioSchema.Column], _ declared: [ResolvedProperty], _ uniques: [ResolvedUnique],
    _ required: Set<String>
  ) -> StudioSchema.Column? {
    let texts = columns.filter { $0.form == .text && $0.cases.isEmpty }
    let names = ["name", "title", "label", "displayName", "fullName", "lastName", "email", "code", "text"]
    let unique = uniques.compactMap { $0.properties.count == 1 ? $0.properties.first : nil }
    let preset = Set(
      declared.compactMap { property in
        if case .attribute(let attribute) = property, attribute.defaultValue != nil { attribute.name } else { nil }
      })
    let named = names.lazy.compactMap { name in texts.first { $0.property == name } }.first
    return named ?? columns.first { unique.contains($0.property) && required.contains($0.property) && $0.isLabel }
      ?? texts.first { required.contains($0.property) && !preset.contains($0.property) }
  }

  /// Returns a property, or a struct's parts with separate columns. Transient properties are omitted.
  private static func properties(
    _ property: ResolvedProperty, _ columns: [StudioSchema.Column], _ required: Set<String>, isIndexed: Bool,
    _ schema: ResolvedSchema
  ) -> [StudioSchema.Property] {
    switch property {
    case .relationship(let relationship):
      return [StudioSchema.Property(relationship)]
    case .attribute(let attribute):
      return columns.filter { $0.property == attribute.name || $0.property.hasPrefix(attribute.name + ".") }
        .map { column in
          let values = column.property == attribute.name ? property.values(in: schema) : []
          return StudioSchema.Property(
            name: column.property, type: column.property == attribute.name ? attribute.type.spelling : column.form.word,
            kind: "attribute", form: values.isEmpty ? column.form.word : "enum",
            isOptional: !required.contains(column.property), isSortable: column.isSortable,
            isIndexed: isIndexed, documentation: attribute.documentation.joined(separator: "\n"), cases: values,
            isEditable: JSONTypes([schema]).isKnown(column, attribute), defaultKind: attribute.defaultKind)
        }
    }
  }
}

extension JSONTypes {
  /// Returns a property's type, or the type of a flattened struct's property such as `address.street`.
  func type(of property: String, _ attribute: ResolvedAttribute) -> ValueType? {
    guard property != attribute.name else { return attribute.type.unwrapped }
    guard case .structure(let name) = attribute.type.unwrapped, property.hasPrefix(attribute.name + ".") else {
      return nil
    }
    let field = property.dropFirst(attribute.name.count + 1)
    return structures[name]?.fields.first { $0.name == field }?.type.unwrapped
  }

  /// Returns false if only the app can code a property's values.
  fileprivate func isKnown(_ column: StudioSchema.Column, _ attribute: ResolvedAttribute) -> Bool {
    guard attribute.transformer == nil, let type = type(of: column.property, attribute) else { return false }
    return column.form != .json || JSONShape(type, self).isKnown
  }
}

extension ResolvedAttribute {
  /// See ``StudioSchema/Property/defaultKind``.
  fileprivate var defaultKind: String? {
    switch defaultValue?.text.trimmingCharacters(in: .whitespaces) {
    case ".now", "Date.now", "Date()": "now"
    case "UUID()": "uuid"
    case ".init()": type.unwrapped == .scalar(.date) ? "now" : type.unwrapped == .scalar(.uuid) ? "uuid" : nil
    default: nil
    }
  }
}

extension StudioSchema.Property {
  fileprivate init(_ relationship: ResolvedRelationship) {
    let isToMany = relationship.isToMany
    self.init(
      name: relationship.name, type: isToMany ? "[\(relationship.destination)]" : relationship.destination,
      kind: isToMany ? "toMany" : "toOne", form: "relationship", isOptional: relationship.isOptional,
      documentation: relationship.documentation.joined(separator: "\n"), destination: relationship.destination,
      deleteRule: relationship.deleteRule.rawValue)
    inverse = relationship.inverseName
    minimum = relationship.minimumCount ?? 0
    maximum = relationship.maximumCount ?? 0
  }
}

extension ResolvedProperty {
  /// The enum cases with raw values; empty for every type except enums.
  fileprivate func values(in schema: ResolvedSchema) -> [StudioSchema.Property.Case] {
    guard case .attribute(let attribute) = self, case .enumeration(let name) = attribute.type.unwrapped,
      let type = schema.enums.first(where: { $0.name == name }), type.rawType != nil
    else { return [] }
    return type.cases.compactMap { item in
      switch item.rawValue {
      case .string(let text): .init(name: item.name, value: text)
      case .integer(let number): .init(name: item.name, value: "\(number)")
      default: nil
      }
    }
  }
}

extension ResolvedSchema {
  /// Returns an entity, followed by the superentities.
  func lineage(of entity: ResolvedEntity) -> [ResolvedEntity] {
    var line = [entity]
    while let name = line.last?.superentity, line.count < Self.maximumDepth,
      let above = entities.first(where: { $0.name == name })
    {
      line.append(above)
    }
    return line
  }
}

extension CellForm {
  /// The form's name in the page's interface.
  var word: String {
    switch self {
    case .boolean, .presence: "boolean"
    case .integer, .unsigned: "integer"
    case .real, .float: "real"
    case .decimal: "decimal"
    case .text, .character, .className: "text"
    case .url: "url"
    case .uuid: "uuid"
    case .date: "date"
    case .duration: "duration"
    case .data, .external: "data"
    case .json: "json"
    }
  }
}
