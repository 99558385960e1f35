import Foundation

/// The models of a file, read into snapshots.
final class JSONContents {
  let engine: DefaultStore
  private(set) var snapshots: [DefaultSnapshot] = []
  let nextKeys: [String: Int64]
  /// The version of the schema, where the file says it.
  let schemaVersion: String?
  /// The values of which the file says more than the snapshots.
  let kept: [(plan: EntityStatements, text: JSONKeptText)]

  struct Unknown: Error, CustomStringConvertible {
    var problem: StoreProblem
    var description: String
  }

  /// The place of a model in the list of its entity.
  private struct Position: CodingKey {
    let number: Int
    var stringValue: String { "\(number)" }
    var intValue: Int? { number }

    init(_ number: Int) { self.number = number }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
  }

  /// - Parameters:
  ///   - check: looks at what the file says of its schema, before a model is read.
  ///   - makeEngine: makes the engine that the models are for, by the identifier the file has.
  /// - Throws: `DecodingError` for text that is damaged, ``Unknown`` for a file that means something else.
  init(
    _ text: Data, check: (Header) throws -> Void, makeEngine: (String) throws -> DefaultStore
  ) throws {
    (engine, snapshots, nextKeys, schemaVersion, kept) = try text.withUnsafeBytes { raw in
      let bytes = raw.bindMemory(to: UInt8.self)
      let parts = try Self.parts(bytes)
      func part<T: Decodable>(_ key: JSONDocument.Key) throws -> T? {
        guard let part = parts[key.stringValue], !JSONScanner.isNull(bytes[part]) else { return nil }
        do {
          return try JSONDocument.decoder.decode(T.self, from: Data(bytes[part]))
        } catch let error as DecodingError {
          throw error.inside([key])
        }
      }
      func needed<T: Decodable>(_ key: JSONDocument.Key) throws -> T {
        if let value: T = try part(key) { return value }
        throw DecodingError.dataCorrupted(
          .init(codingPath: [], debugDescription: "there is no '\(key.stringValue)'"))
      }
      guard try part(.format) == JSONDocument.format else {
        throw Unknown(problem: .foreign, description: "the file is not one of a 'JSONFileStore'")
      }
      let version: Int = try needed(.version)
      guard version <= JSONDocument.version else {
        throw Unknown(
          problem: .newerFormat,
          description: "the file has format \(version), and this program knows \(JSONDocument.version)")
      }
      if let unknown = parts.keys.sorted().first(where: { JSONDocument.Key(rawValue: $0) == nil }) {
        throw Unknown(
          problem: .differentSchema,
          description: "the file has a '\(unknown)', which is none of its parts: it would be lost")
      }
      try check(Header(version: part(.schemaVersion), codedForms: part(.codedForms) ?? [:]))
      let engine = try makeEngine(needed(.identifier))
      guard let models = parts[JSONDocument.Key.models.stringValue] else {
        throw DecodingError.dataCorrupted(
          .init(codingPath: [], debugDescription: "there are no 'models'"))
      }
      let (snapshots, kept) = try Self.models(JSONScanner(bytes, at: models.lowerBound), for: engine)
      return (engine, snapshots, try part(.nextKeys) ?? [:], try part(.schemaVersion), kept)
    }
  }

  /// What a file says of its schema.
  struct Header {
    var version: Schema.Version?
    /// By `Model.property`.
    var codedForms: [String: String]

    init(version: String?, codedForms: [String: String]) {
      self.version = version.map { Schema.Version(text: $0) }
      self.codedForms = codedForms
    }
  }

  /// The header alone.
  static func header(_ text: Data) throws -> Header {
    try text.withUnsafeBytes { raw in
      let bytes = raw.bindMemory(to: UInt8.self)
      let parts = try parts(bytes)
      func part<T: Decodable>(_ key: JSONDocument.Key) throws -> T? {
        guard let part = parts[key.stringValue] else { return nil }
        return try JSONDocument.decoder.decode(T?.self, from: Data(bytes[part]))
      }
      return Header(version: try part(.schemaVersion), codedForms: try part(.codedForms) ?? [:])
    }
  }

  /// Where the parts of the document are, by name.
  private static func parts(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [String: Range<Int>] {
    var parts: [String: Range<Int>] = [:]
    // Some editors begin with a mark of the encoding.
    var scanner = JSONScanner(bytes, at: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    try scanner.object { name, scanner in
      let name = try JSONScanner.name(bytes[name])
      guard parts[name] == nil else { throw scanner.failure("'\(name)' stands twice") }
      parts[name] = try scanner.value()
    }
    try scanner.end()
    return parts
  }

  private static func models(
    _ scanner: JSONScanner, for engine: DefaultStore
  ) throws -> ([DefaultSnapshot], [(plan: EntityStatements, text: JSONKeptText)]) {
    var scanner = scanner
    let bytes = scanner.bytes
    var snapshots: [DefaultSnapshot] = []
    var kept: [(plan: EntityStatements, text: JSONKeptText)] = []
    var names: Set<String> = []
    try scanner.object { name, scanner in
      let name = try JSONScanner.name(bytes[name])
      guard names.insert(name).inserted else { throw scanner.failure("'\(name)' stands twice") }
      guard let plan = try? engine.plans.plan(named: name) else {
        throw Unknown(
          problem: .differentSchema,
          description: "the file has models '\(name)', which the schema does not have")
      }
      let reader = try JSONEntityReader(plan, in: engine)
      let batch = plan.entity.definition.codec.makeBatch(capacity: 16)
      var number = 0
      do {
        try scanner.array { scanner in
          try reader.read(&scanner, into: batch)
          snapshots.append(DefaultSnapshot(batch: batch, index: batch.count - 1))
          number += 1
        }
      } catch let error as DecodingError {
        throw error.inside([
          JSONDocument.Key.models, JSONDocument.EntityKey(name), Position(number),
        ])
      }
      kept += reader.kept.map { (plan, $0) }
    }
    return (snapshots, kept)
  }
}
