import SchemaModel

// Whoever writes what `Codable` would write otherwise knows its form alone; names are told by
// `CodingKeys`.

extension ResolvedEnum {
  var codesItself: Bool { coding != nil }
}

extension ResolvedStruct {
  /// The fields that are written, with their names in JSON; nil where the struct does not say.
  var codedFields: [(name: String, field: Field)]? {
    if case .code? = coding { return nil }
    let coded = parameters.compactMap { field in coding.name(of: field.name).map { ($0, field) } }
    // What is not written is what it begins with.
    let isComplete = parameters.allSatisfy {
      coding.name(of: $0.name) != nil || $0.defaultValue != nil || $0.type.unwrapped != $0.type
    }
    return isComplete ? coded : nil
  }
}
