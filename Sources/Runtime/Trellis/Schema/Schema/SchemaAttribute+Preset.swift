import Foundation

extension Schema.Attribute {
  /// The default value as the column keeps it; nil without one.
  var preset: (any ColumnValue)? {
    guard let value = (defaultValue as? any OptionalValue).map(\.wrappedValue) ?? defaultValue else { return nil }
    if let option = options.first(where: { $0.keyword == "transformable" }), let name = option.argument {
      return try? TransformerTable.data(of: value, by: TransformerTable.transformer(named: name))
    }
    if !options.contains(.codable), !options.contains(.json) {
      if let value = value as? any ColumnValue { return value }
      if RawValueType.of(Swift.type(of: value)) != nil {
        return (value as? any RawRepresentable)?.rawValue as? any ColumnValue
      }
    }
    guard let value = value as? any Encodable else { return nil }
    return try? CodedPreset(text: JSONColumn.text(of: value))
  }
}

/// A value that a column keeps as JSON.
private struct CodedPreset: ColumnValue {
  let text: String

  static var placeholder: Self { Self(text: "null") }

  func bind(to row: inout StatementBinder, _ parameter: Int32) throws { try row.bind(text, parameter) }
}
