public import Foundation

extension Schema: Codable {
  private enum CodingKeys: String, CodingKey { case encodingVersion, version, entities }

  /// Reads a schema back.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` for a form newer than this library.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let encodingVersion = try container.decode(Version.self, forKey: .encodingVersion)
    guard encodingVersion.major <= Self.schemaEncodingVersion.major else {
      throw SwiftDataError.unknownSchema.explained(
        "the schema was written in form \(encodingVersion), this library reads up to "
          + "\(Self.schemaEncodingVersion): update the library")
    }
    self.init(
      entities: try container.decode([Entity].self, forKey: .entities),
      version: try container.decode(Version.self, forKey: .version),
      encodingVersion: encodingVersion, conflicting: [])
    link()
  }

  /// Encodes the value.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(encodingVersion, forKey: .encodingVersion)
    try container.encode(version, forKey: .version)
    try container.encode(entities, forKey: .entities)
  }

  /// Writes the schema to a file, as JSON.
  ///
  /// - Throws: what writing the file throws.
  public func save(to toURL: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: toURL, options: .atomic)
  }

  /// Reads what ``save(to:)`` wrote.
  ///
  /// Types of the program that wrote the file are known by name only.
  ///
  /// - Throws: `DecodingError` for a file of another form, and what reading it throws.
  public static func load(from fromURL: URL) throws -> Schema {
    try JSONDecoder().decode(Schema.self, from: Data(contentsOf: fromURL))
  }
}

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

// MARK: Source

extension Schema {
  /// The versions of schemas the models were generated from, by name.
  private var generatedVersions: [any VersionedSchema.Type] {
    var seen: Set<ObjectIdentifier> = []
    return entities.compactMap { $0.definition?.version }
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The texts of those versions, for people and for tools that look into a store.
  package var sources: [SchemaSource] {
    let all = describedSource.map { [$0] } ?? generatedVersions.map { $0._$source }
    return all.filter { !$0.text.isEmpty }.sorted { $0.name < $1.name }
  }

  /// The number a store is marked with: the one that was given, or else that of the version all models
  /// were generated from.
  package var storedVersion: Version {
    guard version == Version(1, 0, 0) else { return version }
    let versions = generatedVersions
    return versions.count == 1 ? versions[0].versionIdentifier : version
  }

  /// True if the generated code was compiled with a released version beside the schema.
  package var hasReleases: Bool { sources.contains(where: \.hasReleases) }

  /// True if the program or the generated code states the number.
  package var isVersionKnown: Bool { version != Version(1, 0, 0) || generatedVersions.count == 1 }
}

// MARK: Transformers

extension Schema {
  /// Finds every transformer that the schema names.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` with the name that is not registered.
  func checkTransformers() throws {
    for entity in entities where entity.definition?.isDescribed != true {
      for property in entity.storedProperties {
        guard let attribute = property.asAttribute, !attribute.options.isEmpty else { continue }
        for option in attribute.options where option.keyword == "transformable" {
          guard let name = option.argument else { continue }
          do {
            _ = try TransformerTable.transformer(named: name)
          } catch let error as SwiftDataError {
            throw error.explained("'\(entity.name).\(attribute.name)': \(error)")
          }
        }
      }
    }
  }
}
