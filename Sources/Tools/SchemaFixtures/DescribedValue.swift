package import Trellis

/// A value of a type this program may not have, in the form it is kept in.
package indirect enum DescribedValue: ColumnValue {
  case null
  /// Of one of the standard types: a column has its own form, JSON another.
  case scalar(any ColumnValue)
  /// A scalar, where a column has its JSON.
  case coded(DescribedValue)
  /// A struct, a case of an enum, a dictionary with names.
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

  /// Values are written and never read back: nothing here knows the types they are of.
  package init(from decoder: any Decoder) throws {
    throw SwiftDataError.unknownSchema.explained("the type of the value is not of this program")
  }

  /// The JSON a column has.
  package var text: String { get throws { try JSONColumn.text(of: self) } }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
