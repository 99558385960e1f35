public import Foundation

extension Schema: Codable {
  private enum CodingKeys: CodingKey { case encodingVersion, version, entities }

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
      encodingVersion: encodingVersion)
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
  /// The facts that are coded.
  private struct Form: Codable {
    var name, originalName: String
    var superentity: String?
    var subentities: [String]
    var inheritedProperties, storedProperties: [Property]
    var uniquenessConstraints: [[String]]
    var conflictPolicies: [Policy]
    var indices, rtreeIndices: [[String]]
  }

  /// One of the two.
  private struct Property: Codable {
    var attribute: Schema.Attribute.Form?
    var relationship: Schema.Relationship?

    init(_ property: any SchemaProperty) {
      attribute = property.asAttribute?.form
      relationship = property.asRelationship
    }

    var property: (any SchemaProperty)? {
      if let attribute { Schema.Attribute.make(attribute) } else { relationship }
    }
  }

  private struct Policy: Codable {
    var properties: [String]
    var onConflict: Schema.ConflictPolicy
  }

  /// Reads an entity. Those above and below it are known by name until a schema ties them together.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public convenience init(from decoder: any Decoder) throws {
    let form = try Form(from: decoder)
    self.init(form.name)
    originalName = form.originalName
    superentityName = form.superentity
    unlinkedSubentityNames = Set(form.subentities)
    inheritedProperties = form.inheritedProperties.compactMap(\.property)
    storedProperties = form.storedProperties.compactMap(\.property)
    uniquenessConstraints = form.uniquenessConstraints
    for policy in form.conflictPolicies { conflictPolicies[policy.properties] = policy.onConflict }
    indices = form.indices
    rtreeIndices = Set(form.rtreeIndices)
  }

  /// Encodes the value.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try Form(
      name: name, originalName: originalName, superentity: superentityName, subentities: subentityNames.sorted(),
      inheritedProperties: inheritedProperties.map(Property.init),
      storedProperties: storedProperties.map(Property.init), uniquenessConstraints: uniquenessConstraints,
      conflictPolicies: conflictPolicies.map { Policy(properties: $0, onConflict: $1) }
        .sorted { $0.properties.lexicographicallyPrecedes($1.properties) },
      indices: indices, rtreeIndices: rtreeIndices.sorted { $0.lexicographicallyPrecedes($1) }
    ).encode(to: encoder)
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
  package func checkTransformers() throws {
    for entity in entities where entity.definition?.isDescribed != true {
      for attribute in entity.storedProperties.compactMap(\.asAttribute) {
        guard let name = attribute.transformerName else { continue }
        do {
          _ = try TransformerTable.transformer(named: name)
        } catch let error as SwiftDataError {
          throw error.explained("'\(entity.name).\(attribute.name)': \(error)")
        }
      }
    }
  }
}
