import SchemaModel
package import Trellis

/// A store's table as a file: a model with its subclasses, or the pairs in a many-to-many relationship.
package struct RowTable: Sendable {
  /// The table name, also used as the file name (extension removed).
  package var name: String
  package var columns: [RowColumn]
  /// The columns that identify a row, as SQL names.
  package var keys: [String]
  /// The model and all subclasses; empty for a many-to-many relationship.
  package var classes: [RowClass]

  /// The column with a row's class, if several classes share the table.
  package var classColumn: Int? { columns.firstIndex { $0.form == .className } }

  package func column(named name: String) -> Int? {
    columns.firstIndex { $0.name == name } ?? columns.firstIndex { $0.column == name }
  }

  package func row(class name: String) -> RowClass? { classes.first { $0.name == name } }
}

package struct RowColumn: Sendable {
  /// The name in files: the SQL name, or `address.street` for a struct with separate columns.
  package var name: String
  /// The SQL name.
  package var column: String
  package var form: CellForm
  /// The values that the import accepts.
  package var stored: StoredForm
  /// True if the table rejects NULL.
  package var isRequired: Bool

  package init(_ name: String, column: String, _ form: CellForm, stored: StoredForm, isRequired: Bool) {
    self.name = name
    self.column = column
    self.form = form
    self.stored = stored
    self.isRequired = isRequired
  }
}

/// A class's columns in a table.
package struct RowClass: Sendable {
  package var name: String
  /// The indices of the class's columns, including inherited columns.
  package var columns: Set<Int>
  /// The required columns. `presence` is the column that marks whether the enclosing optional struct has a value.
  package var required: [(column: Int, presence: Int?)]
}

extension TransferTarget {
  /// The tables in schema order, followed by the many-to-many relationships.
  package var rowTables: [RowTable] {
    let tables = catalogue.tables.map(rowTable)
    return tables.filter { !$0.classes.isEmpty } + tables.filter(\.classes.isEmpty)
  }

  /// Returns the table that contains a model's rows.
  package func rowTable(of entity: EntityLayout) -> RowTable? {
    catalogue.tables.first { $0.name == entity.table }.map(rowTable)
  }

  private func rowTable(_ definition: TableDefinition) -> RowTable {
    let entities = catalogue.layout.entities.filter { $0.table == definition.name }
    var known: [String: RowColumn] = [:]
    for entity in entities {
      for column in entity.columns { for place in columns(column, of: entity) { known[place.column] = place } }
    }
    let columns = definition.columns.map { column in
      if let found = known[column.name] { return found }
      if let root = entities.first, !root.discriminators.isEmpty, column.name == root.entityColumn {
        return RowColumn(
          column.name, column: column.name, .className, stored: .choice(Set(entities.map(\.name))), isRequired: true)
      }
      let isRequired = column.isRowKey || column.isRequired
      return RowColumn(column.name, column: column.name, .key, stored: .key, isRequired: isRequired)
    }
    let places = Dictionary(
      columns.enumerated().map { ($1.column, $0) }, uniquingKeysWith: { first, _ in first })
    return RowTable(
      name: definition.name, columns: columns,
      keys: definition.key.isEmpty ? definition.columns.filter(\.isRowKey).map(\.name) : definition.key,
      classes: entities.map { rowClass($0, places) })
  }

  private func rowClass(_ entity: EntityLayout, _ places: [String: Int]) -> RowClass {
    var own = RowClass(name: entity.name, columns: [], required: [])
    for column in entity.columns {
      own.columns.formUnion(column.names.compactMap { places[$0] })
      let isOptional = column.property.isOptional
      if !isOptional, !column.type.isOptional, let place = places[column.name] { own.required.append((place, nil)) }
      for member in column.members where !member.type.isOptional && member.name != column.name || isOptional {
        guard let place = places[member.name], !member.type.isOptional else { continue }
        own.required.append((place, isOptional ? places[column.name] : nil))
      }
    }
    return own
  }

  /// Returns a property's columns: several for a struct with separate columns.
  private func columns(_ column: ColumnLayout, of entity: EntityLayout) -> [RowColumn] {
    let property = column.property
    func make(_ name: String, _ place: String, _ form: CellForm, _ stored: StoredForm?) -> RowColumn {
      RowColumn(
        name, column: place, form, stored: stored ?? .text, isRequired: catalogue.isRequired(place, in: entity.table))
    }
    if column.destination != nil { return [make(column.name, column.name, .key, .key)] }
    var result: [RowColumn] = []
    if column.members.isEmpty || property.isOptional {
      let form: CellForm =
        if !column.members.isEmpty { .presence } else if property.isExternal { .external } else {
          ValueForm(property).map { CellForm($0, column.type) } ?? .json
        }
      result.append(make(column.name, column.name, form, self.form(of: property.name, in: entity.name)))
    }
    for (member, place) in zip(property.flattenedMembers, column.members) {
      let path = "\(property.name).\(member.name)"
      let name = place.name == "\(property.name)_\(member.name)" ? path : place.name
      let form = CellForm(ValueForm(member.type), place.type)
      result.append(make(name, place.name, form, self.form(of: path, in: entity.name)))
    }
    return result
  }
}
