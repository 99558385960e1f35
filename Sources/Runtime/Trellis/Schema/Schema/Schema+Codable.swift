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
