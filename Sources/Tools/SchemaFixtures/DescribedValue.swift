package import Trellis

/// A value in stored form. The type may be missing from this process.
package indirect enum DescribedValue: ColumnValue {
  case null
  /// A standard value. A column and JSON store it in different forms.
  case scalar(any ColumnValue)
  /// A scalar that a column stores as JSON.
  case coded(DescribedValue)
  /// A struct, an enum case, or a dictionary with names as keys.
  case object([String: DescribedValue])
  case list([DescribedValue])

  package static var placeholder: DescribedValue { .null }

  package func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    switch self {
    case .null, .coded(.null): try row.bindNull(parameter)
    case .scalar(let value): try value.bind(to: &row, parameter)
    case .coded(let value): try JSONColumn.bind(value, to: &row, parameter)
    case .object, .list: try JSONColumn.bind(self, to: &row, parameter)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .scalar(let value):
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .coded(let value):
      try value.encode(to: encoder)
    case .object(let members):
      var container = encoder.container(keyedBy: Key.self)
      for (name, value) in members { try container.encode(value, forKey: Key(stringValue: name)) }
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    }
  }

  /// Always throws: values are only written, because the types are unknown here.
  package init(from decoder: any Decoder) throws {
    throw SwiftDataError.unknownSchema.explained("a value of an unknown type cannot be decoded")
  }

  /// The JSON text for a column.
  package var text: String { get throws { try JSONColumn.text(of: self) } }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
