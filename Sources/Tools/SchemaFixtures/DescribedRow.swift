package import Foundation
package import Trellis

/// A row for a model that has no class.
package struct DescribedRow: Sendable {
  package enum Cell: Sendable {
    case value(DescribedValue)
    /// Data that is stored in a separate file if it is large. The number has 32 hexadecimal digits.
    case external(Data, number: String)
    /// A struct with separate columns, by property; nil for a nil value.
    case flattened([String: DescribedValue]?)
    case reference(DescribedReference)
  }

  /// The cells by property. A missing property is stored as NULL.
  package var cells: [String: Cell]
  /// The members of each to-many relationship, in list order.
  package var lists: [String: [DescribedReference]]

  package init(cells: [String: Cell] = [:], lists: [String: [DescribedReference]] = [:]) {
    self.cells = cells
    self.lists = lists
  }
}

/// Identifies a row by model and index within the model's rows.
package struct DescribedReference: Sendable, Hashable {
  package var model: String
  package var row: Int

  package init(_ model: String, _ row: Int) {
    self.model = model
    self.row = row
  }
}

/// A model's rows, ready to be saved.
struct DescribedModelRows: DescribedRows {
  let definition: ModelDefinition
  let rows: [DescribedRow]
  /// The serial number of each model's first row.
  let serials: [String: Int64]

  var count: Int { rows.count }

  func identifier(_ index: Int) -> PersistentIdentifier {
    identifier(of: DescribedReference(definition.entityName, index))
  }

  private func identifier(of reference: DescribedReference) -> PersistentIdentifier {
    PersistentIdentifier(
      token: .interned(store: nil, entity: reference.model),
      row: (serials[reference.model] ?? 0) + Int64(reference.row))
  }

  func references(_ index: Int, _ slot: Int) -> [PersistentIdentifier]? {
    rows[index].lists[definition.layout.lists[slot].name]?.map(identifier)
  }

  func bind(_ index: Int, to row: inout StatementBinder) throws {
    for property in definition.layout.columns {
      let cell = rows[index].cells[property.name]
      if case .reference(let reference)? = cell {
        try row.reference(property.slot, identifier(of: reference))
      } else {
        try row.cell(property, cell)
      }
    }
  }
}

extension StatementBinder {
  /// Binds an attribute; nil for NULL.
  package mutating func cell(_ property: ModelProperty, _ cell: DescribedRow.Cell?) throws {
    switch cell {
    case .value(let value): try self.value(property.slot, value)
    case .external(let data, let number): try external(property.slot, data, number: number)
    case .flattened(let members): try flattened(property, members)
    case nil, .reference:
      if property.flattenedMembers.isEmpty {
        try value(property.slot, DescribedValue.null)
      } else {
        try flattened(property, nil)
      }
    }
  }

  /// Stores large data as a file and binds the file name, otherwise binds the data.
  fileprivate mutating func external(_ slot: Int, _ data: Data, number: String) throws {
    // A query for conflicts binds only some values.
    guard parameter(slot) != nil else { return }
    if let name = try shape?.files?.store(data, number: number) {
      files.append(name)
      return try value(slot, name)
    }
    try value(slot, data)
  }

  /// Binds each struct property to the corresponding column.
  fileprivate mutating func flattened(
    _ property: ModelProperty, _ values: [String: DescribedValue]?
  ) throws {
    guard let shape, parameter(property.slot) != nil else { return }
    if property.isOptional {
      try value(property.slot, values == nil ? DescribedValue.null : .scalar(1 as Int64))
    }
    for (member, place) in zip(property.flattenedMembers, shape.entity.columns[property.slot].members) {
      try (values?[member.name] ?? .null).bind(to: &self, place.parameter)
    }
  }
}
