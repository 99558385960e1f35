import Foundation
import Trellis

/// The parts of a file. Values are not decoded yet.
struct JSONContents {
  private let bytes: [UInt8]
  /// By name.
  private let parts: [String: Range<Int>]
  /// The models by entity.
  private let models: [(entity: String, rows: [Range<Int>])]

  /// A file that means something else than the models of the schema.
  struct Unknown: Error {
    var problem: StoreProblem
    var explanation: String
  }

  init(_ text: Data) throws {
    bytes = [UInt8](text)
    // Some editors begin with a mark of the encoding.
    var scanner = JSONScanner(bytes, at: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    var parts: [String: Range<Int>] = [:]
    var models: [(String, [Range<Int>])] = []
    try scanner.object { name, scanner in
      guard name == JSONDocument.Key.models.rawValue else { return parts[name] = try scanner.value() }
      let start = scanner.position
      try scanner.object { entity, scanner in
        var rows: [Range<Int>] = []
        try Self.naming(entity, { rows.count }) { try scanner.array { rows.append(try $0.value()) } }
        models.append((entity, rows))
      }
      parts[name] = start..<scanner.position
    }
    try scanner.end()
    self.parts = parts
    self.models = models
  }

  /// Names the model in errors of a body.
  private static func naming(_ entity: String, _ number: () -> Int, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as DecodingError {
      throw error.inside([
        JSONDocument.Key.models, JSONDocument.PathKey(stringValue: entity), JSONDocument.PathKey(intValue: number()),
      ])
    }
  }

  private func part<T: Decodable>(_ key: JSONDocument.Key) throws -> T? {
    guard let part = parts[key.stringValue] else { return nil }
    do {
      return try JSONDocument.decoder.decode(T?.self, from: Data(bytes[part]))
    } catch let error as DecodingError {
      throw error.inside([key])
    }
  }

  private func needed<T: Decodable>(_ key: JSONDocument.Key) throws -> T {
    if let value: T = try part(key) { return value }
    throw DecodingError.dataCorrupted(
      .init(codingPath: [], debugDescription: "there is no '\(key.stringValue)'"))
  }

  /// Checks that the text is a file of a store.
  ///
  /// - Throws: ``Unknown``, `DecodingError`.
  func check() throws {
    guard try part(.format) == JSONDocument.format else {
      throw Unknown(problem: .foreign, explanation: "the file is not one of a 'JSONFileStore'")
    }
    let version: Int = try needed(.version)
    guard version <= JSONDocument.version else {
      throw Unknown(
        problem: .newerFormat,
        explanation: "the file has format \(version), and this program knows \(JSONDocument.version)")
    }
    if let unknown = parts.keys.sorted().first(where: { JSONDocument.Key(rawValue: $0) == nil }) {
      throw Unknown(
        problem: .differentSchema,
        explanation: "the file has a '\(unknown)', which is none of its parts: it would be lost")
    }
  }

  var schema: FileSchema {
    get throws {
      let version: String? = try part(.schemaVersion)
      return FileSchema(version: version.map { Schema.Version(text: $0) }, codedForms: try part(.codedForms) ?? [:])
    }
  }
  var identifier: String { get throws { try needed(.identifier) } }
  var nextKeys: [String: Int64] { get throws { try part(.nextKeys) ?? [:] } }

  /// Reads the models, and the texts of values that say more than the models have.
  ///
  /// - Throws: ``Unknown``, `DecodingError`.
  func models(for engine: DefaultStore) throws -> (snapshots: [DefaultSnapshot], kept: [JSONKeptText]) {
    guard parts[JSONDocument.Key.models.rawValue] != nil else {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "there are no 'models'"))
    }
    var snapshots: [DefaultSnapshot] = []
    var kept: [JSONKeptText] = []
    for (name, rows) in models {
      guard let entity = try engine.storedClass(name) else {
        throw Unknown(
          problem: .differentSchema,
          explanation: "the file has models '\(name)', which the schema does not have")
      }
      let reader = JSONEntityReader(entity)
      for (number, row) in rows.enumerated() {
        try Self.naming(name, { number }) { snapshots.append(try reader.read(JSONScanner(bytes, at: row.lowerBound))) }
      }
      kept += reader.kept
    }
    return (snapshots, kept)
  }
}

extension DecodingError {
  private var context: Context {
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      found
    @unknown default: Context(codingPath: [], debugDescription: "\(self)")
    }
  }

  /// The same error of a value that is part of another one.
  func inside(_ path: [any CodingKey], of model: String? = nil) -> DecodingError {
    .dataCorrupted(
      Context(
        codingPath: path + context.codingPath,
        debugDescription: context.debugDescription + (model.map { " (in \($0))" } ?? "")))
  }

  /// The problem and its place: `models.Trip[3].name: …`.
  var place: String {
    var path = ""
    for key in context.codingPath {
      path += key.intValue.map { "[\($0)]" } ?? (path.isEmpty ? "" : ".") + key.stringValue
    }
    return (path.isEmpty ? "" : path + ": ") + context.debugDescription
  }
}
