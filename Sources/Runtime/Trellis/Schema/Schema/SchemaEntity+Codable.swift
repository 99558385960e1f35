extension Schema.Entity: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, originalName, superentity, subentities, attributes, relationships, order
    case inherited, unique, conflictPolicies, indices, rtreeIndices
  }

  private struct Policy: Codable {
    var properties: [String]
    var onConflict: Schema.ConflictPolicy
  }

  /// Reads an entity. Those above and below it are known by name until a schema ties them together.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(try container.decode(String.self, forKey: .name))
    originalName = try container.decodeIfPresent(String.self, forKey: .originalName) ?? name
    superentityName = try container.decodeIfPresent(String.self, forKey: .superentity)
    unlinkedSubentityNames = Set(
      try container.decodeIfPresent([String].self, forKey: .subentities) ?? [])
    var byName: [String: any SchemaProperty] = [:]
    for attribute in try container.decode([AnyAttribute].self, forKey: .attributes) {
      byName[attribute.attribute.name] = attribute.attribute
    }
    for relationship in try container.decode([Schema.Relationship].self, forKey: .relationships) {
      byName[relationship.name] = relationship
    }
    let inherited = Set(try container.decodeIfPresent([String].self, forKey: .inherited) ?? [])
    for name in try container.decode([String].self, forKey: .order) {
      guard let property = byName[name] else { continue }
      if inherited.contains(name) {
        inheritedProperties.append(property)
      } else {
        storedProperties.append(property)
      }
    }
    uniquenessConstraints = try container.decodeIfPresent([[String]].self, forKey: .unique) ?? []
    for policy in try container.decodeIfPresent([Policy].self, forKey: .conflictPolicies) ?? [] {
      conflictPolicies[policy.properties] = policy.onConflict
    }
    indices = try container.decodeIfPresent([[String]].self, forKey: .indices) ?? []
    rtreeIndices = Set(
      try container.decodeIfPresent([[String]].self, forKey: .rtreeIndices) ?? [])
  }

  /// Encodes the value.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let properties = properties
    try container.encode(name, forKey: .name)
    if originalName != name { try container.encode(originalName, forKey: .originalName) }
    try container.encodeIfPresent(superentityName, forKey: .superentity)
    if !subentityNames.isEmpty {
      try container.encode(subentityNames.sorted(), forKey: .subentities)
    }
    try container.encode(properties.map(\.name), forKey: .order)
    if !inheritedProperties.isEmpty {
      try container.encode(inheritedProperties.map(\.name), forKey: .inherited)
    }
    try container.encode(
      properties.compactMap { ($0 as? Schema.Attribute).map(AnyAttribute.init) },
      forKey: .attributes)
    try container.encode(
      properties.compactMap { $0 as? Schema.Relationship }, forKey: .relationships)
    if !uniquenessConstraints.isEmpty {
      try container.encode(uniquenessConstraints, forKey: .unique)
    }
    if !conflictPolicies.isEmpty {
      let policies = conflictPolicies.map { Policy(properties: $0, onConflict: $1) }
        .sorted { $0.properties.lexicographicallyPrecedes($1.properties) }
      try container.encode(policies, forKey: .conflictPolicies)
    }
    if !indices.isEmpty { try container.encode(indices, forKey: .indices) }
    if !rtreeIndices.isEmpty {
      try container.encode(
        rtreeIndices.sorted { $0.lexicographicallyPrecedes($1) }, forKey: .rtreeIndices)
    }
  }
}
