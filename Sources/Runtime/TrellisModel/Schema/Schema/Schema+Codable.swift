public import Foundation

extension Schema: Codable {
  private enum CodingKeys: CodingKey { case encodingVersion, version, entities }

  /// Decodes a schema.
  ///
  /// A schema can be part of a larger document:
  ///
  /// ```swift
  /// struct Report: Codable {
  ///   var created: Date
  ///   var schema: Schema
  /// }
  /// let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: url))
  /// print(report.created, report.schema.entities.map(\.name))
  /// ```
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` if the format is newer than this library.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let encodingVersion = try container.decode(Version.self, forKey: .encodingVersion)
    guard encodingVersion.major <= Self.schemaEncodingVersion.major else {
      throw SwiftDataError.unknownSchema.explained(
        "the schema has format \(encodingVersion), but this library reads formats up to "
          + "\(Self.schemaEncodingVersion): update the library")
    }
    self.init(
      entities: try container.decode([Entity].self, forKey: .entities),
      version: try container.decode(Version.self, forKey: .version),
      encodingVersion: encodingVersion)
    link()
  }

  /// Encodes the schema.
  ///
  /// - Throws: Any error from the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(encodingVersion, forKey: .encodingVersion)
    try container.encode(version, forKey: .version)
    try container.encode(entities, forKey: .entities)
  }

  /// Writes the schema to a JSON file.
  ///
  /// Keep the file under version control, so that a test can compare the current models with it. See ``load(from:)``.
  ///
  /// ```swift
  /// try Schema(Trip.self).save(to: URL(filePath: "Trips.schema.json"))
  /// ```
  ///
  /// - Parameter toURL: The file. An existing file is replaced.
  /// - Throws: Any error from writing the file.
  public func save(to toURL: URL) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try encoder.encode(self).write(to: toURL, options: .atomic)
  }

  /// Reads a schema that ``save(to:)`` wrote.
  ///
  /// Types that do not exist in this process are represented only by name.
  ///
  /// ```swift
  /// let recorded = try Schema.load(from: URL(filePath: "Trips.schema.json"))
  /// if recorded != Schema(Trip.self) { print("Trip.self has changed: add a schema version") }
  /// ```
  ///
  /// - Parameter fromURL: The file.
  /// - Throws: `DecodingError` if the file has a different structure, and any error from reading the file.
  public static func load(from fromURL: URL) throws -> Schema {
    try JSONDecoder().decode(Schema.self, from: Data(contentsOf: fromURL))
  }
}

extension Schema.Entity: Codable {
  /// The encoded properties.
  private struct Form: Codable {
    var name, originalName: String
    var superentity: String?
    var subentities: [String]
    var inheritedProperties, storedProperties: [Property]
    var uniquenessConstraints: [[String]]
    var conflictPolicies: [Policy]
    var indices, rtreeIndices: [[String]]
  }

  /// Either an attribute or a relationship.
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

  /// Decodes an entity. Its superentity and subentities are represented by name until a schema links them.
  ///
  /// - Throws: `DecodingError` if the data has a different structure.
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

  /// Encodes the entity.
  ///
  /// - Throws: Any error from the encoder.
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
  /// The schema versions from which the models were generated.
  private var generatedVersions: [any VersionedSchema.Type] {
    var seen: Set<ObjectIdentifier> = []
    return entities.compactMap { $0.definition?.version }
      .filter { seen.insert(ObjectIdentifier($0)).inserted }
  }

  /// The generated versions' schema sources, for people and for tools that inspect a store.
  package var sources: [SchemaSource] {
    let all = describedSource.map { [$0] } ?? generatedVersions.map { $0._$source }
    return all.filter { !$0.text.isEmpty }.sorted { $0.name < $1.name }
  }

  /// The version number recorded in a store: the given number, or the version from which all models were generated.
  package var storedVersion: Version {
    guard version == Version(1, 0, 0) else { return version }
    let versions = generatedVersions
    return versions.count == 1 ? versions[0].versionIdentifier : version
  }

  /// True if the generated code was compiled together with a released version.
  package var hasReleases: Bool { sources.contains(where: \.hasReleases) }

  /// True if the app or the generated code specifies the version number.
  package var isVersionKnown: Bool { version != Version(1, 0, 0) || generatedVersions.count == 1 }
}

// MARK: Transformers

extension Schema {
  /// Looks up every transformer that the schema declares.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` with the unregistered transformer's name.
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
