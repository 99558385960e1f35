/// A number for what a schema asks of its store: equal schemas have equal ones, in every process.
///
/// Taken over names, types, options and rules, whatever their order. The version and default
/// values are not part of it: they change nothing in the file. Nor is where a type is declared: once a
/// version is frozen its types are nested in it, and they may move to another module. How values are coded
/// as text is part of it where Swift does not do that by itself.
package struct SchemaFingerprint {
  // Two runs of FNV-1a from different beginnings: a store compares it with one other value, it does
  // not guard against anyone.
  private var first: UInt64 = 0xcbf2_9ce4_8422_2325
  private var second: UInt64 = 0x9ae1_6a3b_2f90_404f

  package static func text(of schema: Schema) -> String {
    var fingerprint = SchemaFingerprint()
    for entity in schema.entities.sorted(by: { $0.name < $1.name }) { fingerprint.add(entity) }
    return fingerprint.text
  }

  /// A number for the order in which properties are declared.
  static func order(of schema: Schema) -> String {
    var fingerprint = SchemaFingerprint()
    for entity in schema.entities.sorted(by: { $0.name < $1.name }) {
      fingerprint.add(entity.name)
      for property in entity.storedProperties { fingerprint.add(property.name) }
      fingerprint.add("")
    }
    return fingerprint.text
  }

  private init() {}

  private mutating func add(_ text: String) {
    var copy = self
    var text = text
    text.withUTF8 { (bytes: UnsafeBufferPointer<UInt8>) -> Void in
      for byte in bytes { copy.add(byte) }
    }
    copy.add(0xFF)
    self = copy
  }

  private mutating func add(_ byte: UInt8) {
    first = (first ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    second = (second ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
    second ^= second >> 29
  }

  private mutating func add(_ entity: Schema.Entity) {
    add("entity")
    add(entity.name)
    add(entity.originalName)
    add(entity.superentityName ?? "")
    for property in entity.storedProperties.sorted(by: { $0.name < $1.name }) {
      if let attribute = property.asAttribute {
        add(attribute)
      } else if let relationship = property.asRelationship {
        add(relationship)
      }
    }
    for names in entity.uniquenessConstraints.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      add("unique \(entity.conflictPolicy(for: names).rawValue)")
      for name in names { add(name) }
    }
    for names in entity.indices.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      add(entity.rtreeIndices.contains(names) ? "rtree" : "index")
      for name in names { add(name) }
    }
  }

  private mutating func add(_ attribute: Schema.Attribute) {
    add("attribute")
    add(attribute.name)
    add(attribute.originalName)
    add(attribute.type.unqualified)
    add(attribute.hashModifier ?? "")
    for option in attribute.options { add(option.debugDescription) }
    if let form = attribute.codedForm {
      add("coded")
      add(form)
    }
    add(attribute.isOptional ? 1 : 0)
  }

  private mutating func add(_ relationship: Schema.Relationship) {
    add("relationship")
    add(relationship.name)
    add(relationship.originalName)
    add(relationship.isToMany ? "many" : "one")
    add(relationship.destination)
    add(relationship.inverseName ?? "")
    add(relationship.deleteRule.rawValue)
    if relationship.minimumModelCount == nil, relationship.maximumModelCount == nil {
      add("0 0")
    } else {
      add("\(relationship.minimumModelCount ?? 0) \(relationship.maximumModelCount ?? 0)")
    }
    add(relationship.hashModifier ?? "")
    for option in relationship.options { add(option.debugDescription) }
    add(relationship.isOptional ? 1 : 0)
  }

  private var text: String {
    [first, second].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
