import Foundation

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
final class DescribedBuffer: SnapshotBuffer, @unchecked Sendable {  // as its superclass
  private let model: ModelDefinition
  private let rows: [DescribedRow]
  /// The serial number of the first row of each model.
  private let serials: [String: Int64]

  init(_ model: ModelDefinition, _ rows: [DescribedRow], serials: [String: Int64]) {
    self.model = model
    self.rows = rows
    self.serials = serials
  }

  override var count: Int { rows.count }
  override var definition: ModelDefinition? { model }

  override func identifier(_ index: Int) -> PersistentIdentifier {
    identifier(of: DescribedReference(model.entityName, index))
  }

  private func identifier(of reference: DescribedReference) -> PersistentIdentifier {
    PersistentIdentifier(
      token: .interned(store: nil, entity: reference.model),
      row: (serials[reference.model] ?? 0) + Int64(reference.row))
  }

  override func references(_ index: Int, _ slot: Int) -> [PersistentIdentifier]? {
    rows[index].lists[model.layout.lists[slot].name]?.map(identifier)
  }

  override func bind(_ index: Int, to row: inout StatementBinder) throws {
    for property in model.layout.columns {
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
