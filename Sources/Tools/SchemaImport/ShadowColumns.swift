import SchemaModel

/// Attributes that store the raw value for a computed property, because SwiftData could not store the property's type.
enum ShadowColumns {
  static func find(in schema: ResolvedSchema?) -> [(attribute: ResolvedAttribute, computed: String)] {
    guard let schema else { return [] }
    var found: [(ResolvedAttribute, String)] = []
    for entity in schema.entities {
      for case .attribute(let attribute) in entity.properties {
        guard let base = base(of: attribute.name) else { continue }
        let isComputed = entity.carriedMembers.contains { member in
          member.text.contains("var \(base):") && member.text.contains(attribute.name)
            && member.text.contains("awValue")
        }
        if isComputed { found.append((attribute, base)) }
      }
    }
    return found
  }

  /// Names such as `statusRaw`, `statusRawValue`, `rawStatus` and `_status`.
  private static func base(of name: String) -> String? {
    for suffix in ["RawValue", "Raw", "_raw"] where name.hasSuffix(suffix) && name.count > suffix.count {
      return String(name.dropLast(suffix.count))
    }
    if name.hasPrefix("raw"), name.count > 3 {
      let rest = name.dropFirst(3)
      return rest.prefix(1).lowercased() + rest.dropFirst()
    }
    if name.hasPrefix("_"), name.count > 1 { return String(name.dropFirst()) }
    return nil
  }
}
