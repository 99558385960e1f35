/// A digest of a schema's storage requirements. Equal schemas have equal digests in every process.
///
/// Covers names, types, options and rules, regardless of order. The version and default values are excluded
/// because they do not affect the file. The place where a type is declared is excluded because freezing a version nests
/// its types, and they may move to another module. A value's text encoding is included if the app customizes it.
package enum SchemaFingerprint {
  package static func text(of schema: Schema) -> String {
    digest(of: schema.entities.sorted { $0.name < $1.name }.flatMap(parts))
  }

  /// Returns a digest of the property declaration order.
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

  /// Returns two FNV-1a hashes with different seeds. The digest is only compared with a stored digest and needs no
  /// protection against attackers.
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
