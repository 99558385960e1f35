import SchemaFacts
package import SchemaModel

/// The types of SQLite columns. A test compares them with the runtime's tables.
package enum ColumnType {
  /// Returns the type of an attribute's column; nil if it depends on a type that the schema does not declare, or if the
  /// attribute has several columns or none.
  package static func text(of attribute: ResolvedAttribute, in schema: ResolvedSchema) -> String? {
    guard attribute.storage == nil, attribute.options.isDisjoint(with: [.externalStorage, .codable, .ephemeral]),
      attribute.transformer == nil
    else { return nil }
    switch attribute.type.unwrapped {
    case .scalar(let scalar): return text(of: scalar)
    case .enumeration(let name):
      let type = schema.enums.first { $0.name == name }
      return type.flatMap { $0.cases.contains { !$0.payload.isEmpty } ? nil : $0.rawType }.map(text)
    case .array, .set, .dictionary: return "TEXT"
    case .structure, .opaque, .optional: return nil
    }
  }

  private static func text(of scalar: ScalarType) -> String {
    switch scalar {
    case .string, .character, .url, .decimal, .uuid: "TEXT"
    case .data: "BLOB"
    // A column that accepts any value also keeps infinities and NaN.
    case .float, .double, .date: "ANY"
    default: "INTEGER"
    }
  }
}
