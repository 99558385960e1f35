package import Foundation
import Trellis

/// A row of a model no class has.
package struct DescribedRow: Sendable {
  package enum Cell: Sendable {
    case value(DescribedValue)
    /// Data that gets a separate file where it is large; the number is of 32 hexadecimal digits.
    case external(Data, number: String)
    /// A struct with separate columns, by property; nil for nil.
    case flattened([String: DescribedValue]?)
    case reference(DescribedReference)
  }

  /// By property; what is not there is NULL.
  package var cells: [String: Cell]
  /// By to-many relationship, in the order of their places.
  package var lists: [String: [DescribedReference]]

  package init(cells: [String: Cell] = [:], lists: [String: [DescribedReference]] = [:]) {
    self.cells = cells
    self.lists = lists
  }
}

/// A row by its model and its place among the rows of that model.
package struct DescribedReference: Sendable, Hashable {
  package var model: String
  package var row: Int

  package init(_ model: String, _ row: Int) {
    self.model = model
    self.row = row
  }
}

/// Rows of one model on their way into a store.
struct DescribedModelRows: DescribedRows {
  let definition: ModelDefinition
  let rows: [DescribedRow]
  /// The serial number of the first row of each model.
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
      switch rows[index].cells[property.name] {
      case .reference(let reference): try row.reference(property.slot, identifier(of: reference))
      case .value(let value): try row.value(property.slot, value)
      case .external(let data, let number): try row.external(property.slot, data, number: number)
      case .flattened(let members): try row.flattened(property, members)
      case nil:
        if property.flattenedMembers.isEmpty {
          try row.value(property.slot, DescribedValue.null)
        } else {
          try row.flattened(property, nil)
        }
      }
    }
  }
}

extension StatementBinder {
  /// Binds the name of a file, or data that does not need one.
  fileprivate mutating func external(_ slot: Int, _ data: Data, number: String) throws {
    // Who looks for conflicts asks for some of the values only.
    guard parameter(slot) != nil else { return }
    if let name = try shape?.files?.store(data, number: number) {
      files.append(name)
      return try value(slot, name)
    }
    try value(slot, data)
  }

  /// Binds each property of a struct to its column.
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
