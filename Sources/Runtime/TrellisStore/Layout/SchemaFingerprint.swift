/// A number for what a schema asks of its store: equal schemas have equal ones, in every process.
///
/// Taken over names, types, options and rules, whatever their order. The version and default
/// values are not part of it: they change nothing in the file. Nor is where a type is declared: once a
/// version is frozen its types are nested in it, and they may move to another module. How values are coded
/// as text is part of it where Swift does not do that by itself.
package enum SchemaFingerprint {
  package static func text(of schema: Schema) -> String {
    digest(of: schema.entities.sorted { $0.name < $1.name }.flatMap(parts))
  }

  /// A number for the order in which properties are declared.
  static func order(of schema: Schema) -> String {
    digest(
      of: schema.entities.sorted { $0.name < $1.name }.flatMap { entity in
        [entity.name] + entity.storedProperties.map(\.name) + [""]
      })
  }

  private static func parts(of entity: Schema.Entity) -> [String] {
    var parts = ["entity", entity.name, entity.originalName, entity.superentityName ?? ""]
    for property in entity.storedProperties.sorted(by: { $0.name < $1.name }) {
      parts += property.asAttribute.map(Self.parts) ?? property.asRelationship.map(Self.parts) ?? []
    }
    for names in entity.uniquenessConstraints.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      parts += ["unique \(entity.conflictPolicy(for: names).rawValue)"] + names
    }
    for names in entity.indices.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      parts += [entity.rtreeIndices.contains(names) ? "rtree" : "index"] + names
    }
    return parts
  }

  private static func parts(of attribute: Schema.Attribute) -> [String] {
    ["attribute", attribute.name, attribute.originalName, attribute.type.unqualified, attribute.hashModifier ?? ""]
      + attribute.options.map(\.debugDescription) + (attribute.codedForm.map { ["coded", $0] } ?? [])
      + [attribute.isOptional ? "optional" : "required"]
  }

  private static func parts(of relationship: Schema.Relationship) -> [String] {
    [
      "relationship", relationship.name, relationship.originalName, relationship.isToMany ? "many" : "one",
      relationship.destination, relationship.inverseName ?? "", relationship.deleteRule.rawValue,
      "\(relationship.minimumModelCount ?? 0) \(relationship.maximumModelCount ?? 0)", relationship.hashModifier ?? "",
    ] + relationship.options.map(\.debugDescription) + [relationship.isOptional ? "optional" : "required"]
  }

  /// Two runs of FNV-1a from different beginnings: a store compares the digest with one other value, and does not guard
  /// against anyone.
  private static func digest(of parts: [String]) -> String {
    var first: UInt64 = 0xcbf2_9ce4_8422_2325
    var second: UInt64 = 0x9ae1_6a3b_2f90_404f
    func add(_ byte: UInt8) {
      first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
      second = (second ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
      second ^= second >> 29
    }
    for part in parts {
      for byte in part.utf8 { add(byte) }
      add(0xFF)
    }
    return [first, second].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
