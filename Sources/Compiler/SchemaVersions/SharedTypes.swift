import SchemaDiagnostics
package import SchemaModel

extension SchemaHistory {
  /// Returns the value types that a released version shares with later versions, each with the newest of these
  /// versions. A type is shared if neither the type nor any type inside it has changed. A `fill` can then pass on old
  /// values unchanged.
  package func typeHomes(of version: ResolvedSchema) -> [String: ResolvedSchema] {
    var homes: [String: ResolvedSchema] = [:]
    for later in older + [head] where version.version < later.version {
      let isHead = later.version == head.version
      for name in Self.sharedTypes(of: version, with: later) where isHead || !name.contains(".") {
        homes[name] = later
      }
    }
    return homes
  }

  /// Returns the structs that a property stores in separate columns, in this version or in an earlier version that
  /// shares the type.
  package func flattenedTypes(of version: ResolvedSchema) -> Set<String> {
    older.filter { $0.version < version.version }.reduce(into: version.flattenedTypes) { names, earlier in
      let flattened = earlier.flattenedTypes
      guard !flattened.isSubset(of: names) else { return }
      names.formUnion(
        typeHomes(of: earlier).filter { $0.value.version == version.version && flattened.contains($0.key) }.keys)
    }
  }

  private static func sharedTypes(of version: ResolvedSchema, with other: ResolvedSchema) -> Set<String> {
    let enums = other.enums.keyed(by: \.name)
    let structs = other.structs.keyed(by: \.name)
    var parts: [String: Set<String>] = [:]
    for type in version.enums where enums[type.name].map(type.isSame) ?? false {
      parts[type.name] = Set(type.cases.flatMap(\.payload).flatMap(\.type.declaredTypes))
    }
    for type in version.structs where structs[type.name].map(type.isSame) ?? false {
      parts[type.name] = Set(type.fields.flatMap(\.type.declaredTypes))
    }
    var count = -1
    while count != parts.count {
      count = parts.count
      for (name, inside) in parts where inside.contains(where: { parts[$0] == nil }) {
        parts[name] = nil
      }
    }
    return Set(parts.keys)
  }
}

extension ResolvedEnum {
  fileprivate func isSame(_ other: Self) -> Bool {
    rawType == other.rawType && cases.ordered(by: \.name) == other.cases.ordered(by: \.name)
      && conformances == other.conformances
      && coding == other.coding
  }
}

extension ResolvedStruct {
  fileprivate func isSame(_ other: Self) -> Bool {
    conformances == other.conformances
      && fields.map(\.name) == other.fields.map(\.name)
      && fields.map(\.type) == other.fields.map(\.type)
      && fields.map(\.isLet) == other.fields.map(\.isLet)
      // If a row is older than a field, reading the row uses the field's default.
      && fields.map(\.defaultValue?.text) == other.fields.map(\.defaultValue?.text)
      && coding == other.coding
  }
}
