import SchemaDiagnostics
import SchemaExport
import SchemaModel
package import StoreTransfer
import Trellis

/// JSON Schema for the objects that `trellis export STORE --to ndjson` writes.
///
/// Each file has a definition with the same name. The document accepts a line from any file.
package struct RowSchema {
  private let target: TransferTarget
  private let values: ValueSchema
  private let entities: [String: ResolvedEntity]

  package init(_ target: TransferTarget) {
    self.target = target
    values = ValueSchema(target.resolved)
    entities = target.resolved.entities.keyed(by: \.name)
  }

  /// The document with a final line break.
  ///
  /// - Throws: Never in practice; `JSONEncoder` declares it.
  package var text: String {
    get throws { try document.text }
  }

  private var document: JSONNode {
    let tables = target.rowTables
    var types: [ValueType] = []
    var definitions: [String: JSONNode] = [:]
    for table in tables { definitions[table.name] = node(of: table, &types) }
    definitions.merge(values.definitions(for: types)) { table, _ in table }
    let schema = target.resolved
    return [
      "$schema": "https://json-schema.org/draft/2020-12/schema", "title": .string("\(schema.name) \(schema.version)"),
      "anyOf": .array(tables.map { ["$ref": .string("#/$defs/\(ValueSchema.pointer($0.name))")] }),
      "$defs": .object(definitions),
    ]
  }

  // MARK: Rows

  /// Every row has all columns. Columns that do not belong to the row's class are null.
  private func node(of table: RowTable, _ types: inout [ValueType]) -> JSONNode {
    let properties = self.properties(in: table)
    let columns = table.columns.map { column -> (key: String, node: JSONNode, isRequired: Bool) in
      let place = properties[column.column]
      let form = self.node(of: column, place, &types)
      let text = description(of: column, place).map { ["description": JSONNode.string($0)] } ?? [:]
      return (column.name, (column.isRequired ? form : form.orNull).adding(text), true)
    }
    var row = ValueSchema.object(columns)
    if let root = table.classes.first.flatMap({ entities[$0.name] }), !root.documentation.isEmpty {
      row = row.adding(["description": .string(root.documentation.joined(separator: "\n"))])
    }
    guard let classColumn = table.classColumn else { return row }
    return row.adding(["oneOf": .array(table.classes.map { variant($0, of: table, classColumn) })])
  }

  /// The additional conditions for a class's rows.
  private func variant(_ one: RowClass, of table: RowTable, _ classColumn: Int) -> JSONNode {
    let shared = table.columns.indices.filter { index in
      index == classColumn || !table.classes.contains { $0.columns.contains(index) }
    }
    let needed = Set(one.required.filter { $0.presence == nil }.map(\.column))
    let isOwn: JSONNode = ["const": .string(one.name)]
    var conditions = [table.columns[classColumn].name: isOwn]
    for (index, column) in table.columns.enumerated() where !shared.contains(index) {
      if !one.columns.contains(index) {
        conditions[column.name] = ["type": "null"]
      } else if needed.contains(index), !column.isRequired {
        conditions[column.name] = ["not": ["type": "null"]]
      }
    }
    return ["properties": .object(conditions)]
  }

  // MARK: Columns

  /// The property that a column stores.
  private struct Place {
    var property: ResolvedProperty
    /// The field, for a struct with separate columns.
    var field: ResolvedStruct.Field?
  }

  private func properties(in table: RowTable) -> [String: Place] {
    var places: [String: Place] = [:]
    for (path, column) in target.catalogue.columnNames {
      let parts = path.split(separator: ".").map(String.init)
      guard parts.count > 1, table.classes.contains(where: { $0.name == parts[0] }),
        let property = entities[parts[0]]?.properties.first(where: { $0.name == parts[1] })
      else { continue }
      var place = Place(property: property)
      if parts.count > 2, case .attribute(let attribute) = property, let type = attribute.type.declaredTypes.first {
        place.field = target.resolved.structs.first { $0.name == type }?.fields.first { $0.name == parts[2] }
      }
      places[column] = place
    }
    return places
  }

  private func node(of column: RowColumn, _ place: Place?, _ types: inout [ValueType]) -> JSONNode {
    switch column.stored {
    case .choice(let texts) where column.form != .json: return ["enum": .array(texts.sorted().map { .string($0) })]
    case .choiceOfIntegers(let numbers) where column.form != .json:
      return ["enum": .array(numbers.sorted().map { .integer($0) })]
    default: break
    }
    switch column.form {
    case .boolean, .presence: return ["type": "boolean"]
    case .integer(let range):
      let node: JSONNode = ["type": "integer"]
      guard range != .min ... .max else { return node }
      return node.adding(["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    case .unsigned: return ["type": "integer", "minimum": 0]
    case .duration: return ["type": "integer"]
    case .real, .float: return ValueSchema.floating
    case .decimal, .text, .character, .url, .className: return ["type": "string"]
    case .uuid: return ["type": "string", "format": "uuid"]
    case .date: return ["anyOf": [["type": "string", "format": "date-time"], ValueSchema.floating]]
    case .data, .external: return ["type": "string", "contentEncoding": "base64"]
    case .json:
      guard let type = type(at: place) else { return true }
      types.append(type)
      return values.node(of: type.unwrapped)
    }
  }

  private func type(at place: Place?) -> ValueType? {
    if let field = place?.field { return field.type }
    if case .attribute(let attribute)? = place?.property { return attribute.type }
    return nil
  }

  private func description(of column: RowColumn, _ place: Place?) -> String? {
    let units: String? =
      switch column.form {
      case .duration: "Nanoseconds."
      case .decimal: "A decimal number."
      default: nil
      }
    var lines: [String] = []
    switch place?.property {
    case .attribute(let attribute)? where place?.field == nil: lines = attribute.documentation
    case .relationship(let relationship)?:
      lines = relationship.documentation + ["The key of a row in '\(relationship.destination)'."]
    case .attribute, nil: break
    }
    if let units { lines.append(units) }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }
}
