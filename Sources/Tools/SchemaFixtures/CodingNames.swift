package import SchemaModel

// Names in encoded values come from `CodingKeys`. The encoding of values with custom `Codable` code is unknown.

extension ResolvedEnum {
  var codesItself: Bool { coding != nil }
}

extension ResolvedStruct {
  /// The encoded fields with the JSON names; nil if the schema does not specify the encoding.
  package var codedFields: [(name: String, field: Field)]? {
    if case .code? = coding { return nil }
    let coded = parameters.compactMap { field in coding.name(of: field.name).map { ($0, field) } }
    // A field that is not encoded requires a default value.
    let isComplete = parameters.allSatisfy {
      coding.name(of: $0.name) != nil || $0.defaultValue != nil || $0.type.unwrapped != $0.type
    }
    return isComplete ? coded : nil
  }
}
