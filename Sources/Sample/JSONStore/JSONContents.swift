public import Foundation
import Trellis

/// The contents of a JSON file: models with their values by name, and the history.
struct JSONContents<Model: Codable & Sendable>: Codable, Sendable {
  var identifier = UUID().uuidString
  var version: Schema.Version
  var properties: [String: [String]]
  var lastKey = 0
  var models: [Model] = []
  var history = JSONHistory()
}

/// Reads and writes contents for a schema.
struct JSONCoder {
  let file: JSONFile
  let schema: Schema
  let version: Schema.Version

  /// The property names by entity.
  var properties: [String: [String]] {
    schema.entitiesByName.mapValues { $0.properties.filter { !$0.isTransient }.map(\.name).sorted() }
  }

  static func encoded(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try encoder.encode(value)
  }

  /// - Parameter schema: The schema that contains the snapshots' classes.
  static func decoded<T: Decodable>(_ type: T.Type, from data: Data, _ schema: Schema? = nil) throws -> T {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    decoder.userInfo[.schema] = schema
    return try decoder.decode(type, from: data)
  }

  /// Decodes contents, and migrates them if their version is older.
  ///
  /// - Throws: ``JSONFileError``, and errors from `migrate`.
  func contents(
    _ data: Data, _ migrate: JSONFileConfiguration.Migration?
  ) throws -> (contents: JSONContents<DefaultSnapshot>, isMigrated: Bool) {
    struct Ignored: Codable, Sendable {}
    do {
      let head = try Self.decoded(JSONContents<Ignored>.self, from: data)
      guard head.version <= version else { throw JSONFileError.newerVersion(path: file.path, version: head.version) }
      let isMigrated = head.version < version
      let data = isMigrated ? try migrated(data, migrate) : data
      if !isMigrated { try check(head.properties) }
      var contents = try Self.decoded(JSONContents<DefaultSnapshot>.self, from: data, schema)
      guard Set(contents.models.map(\.persistentIdentifier)).count == contents.models.count else {
        throw file.failure("two models have the same identifier")
      }
      (contents.version, contents.properties) = (version, properties)
      return (contents, isMigrated)
    } catch let error as DecodingError {
      throw file.failure("\(error)")
    }
  }

  private func migrated(_ data: Data, _ migrate: JSONFileConfiguration.Migration?) throws -> Data {
    var old = try Self.decoded(JSONContents<[String: JSONValue]>.self, from: data)
    guard let migrate else { throw JSONFileError.needsMigration(path: file.path, version: old.version) }
    old.models = try old.models.compactMap { model in
      guard let identifier = model["persistentIdentifier"] else { throw file.failure("a model has no identifier") }
      let entity = try Self.decoded(PersistentIdentifier.self, from: Self.encoded(identifier)).entityName
      var values: [String: JSONValue]? = model
      try migrate(old.version, entity, &values)
      if let values { try check([entity: values.keys.filter { $0 != "persistentIdentifier" }]) }
      return values
    }
    // Earlier transactions refer to the older version's properties, so their tokens expire.
    old.history.forgetAll()
    return try Self.encoded(old)
  }

  /// Throws if the schema lacks a property that the file contains, because the next save would lose the values.
  private func check(_ stored: [String: [String]]) throws {
    let unknown = stored.flatMap { entity, names in
      properties[entity].map { known in Set(names).subtracting(known).map { "\(entity).\($0)" } } ?? [entity]
    }
    guard unknown.isEmpty else { throw JSONFileError.unknownProperties(path: file.path, names: unknown.sorted()) }
  }
}

/// A JSON value that is encoded exactly as decoded.
public enum JSONValue: Codable, Hashable, Sendable {
  case null
  case bool(Bool)
  case string(String)
  case number(Decimal)
  /// Zero, and numbers that are too large or too small for a `Decimal`.
  case real(Double)
  case array([JSONValue])
  case object([String: JSONValue])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode(Double.self) {
      let exact = value == 0 ? nil : try? container.decode(Decimal.self)
      self = exact.flatMap { Double("\($0)") == value ? .number($0) : nil } ?? .real(value)
    } else if let values = try? container.decode([JSONValue].self) {
      self = .array(values)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .real(let value): try container.encode(value)
    case .array(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }
}
