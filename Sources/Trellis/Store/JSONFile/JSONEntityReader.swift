import Foundation

/// What the models of one entity in a file are read with.
final class JSONEntityReader {
  let plan: EntityPlan
  let keys: ReferenceTokens
  private let decoder = JSONDocument.decoder
  /// The columns and lists of the schema by name.
  private let known: [String: Int]

  var definition: ModelDefinition { plan.entity.definition }
  let layout: ModelLayout

  init(_ plan: EntityPlan, in engine: DefaultStore) throws {
    self.plan = plan
    layout = plan.entity.definition.layout
    keys = ReferenceTokens(
      columns: plan.shape.destinations,
      lists: try plan.entity.lists.map { try engine.plans.plan(named: $0.destination).token })
    let names = layout.columns.map(\.name) + layout.lists.map(\.name)
    let kept = Set(layout.properties.filter { $0.slot >= 0 }.map(\.name))
    known = Dictionary(
      zip(names, names.indices).filter { kept.contains($0.0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Reads one model, in front of which the scanner stands.
  func read(_ scanner: inout JSONScanner, into batch: SnapshotBatch) throws {
    var places = [Range<Int>?](repeating: nil, count: layout.columns.count + layout.lists.count)
    var number: Int64?
    var unknown: String?
    let bytes = scanner.bytes
    try scanner.object { name, scanner in
      let name = try JSONScanner.name(bytes[name])
      let value = try scanner.value()
      if let twice = JSONNames.repeated(in: bytes[value]) {
        throw scanner.failure("'\(twice)' stands twice in '\(name)'")
      }
      if name == JSONDocument.idKey.stringValue {
        guard number == nil else { throw scanner.failure("'\(name)' stands twice") }
        number = try JSONScanner.integer(bytes[value]) ?? decode(bytes[value], of: name)
      } else if let place = known[name] {
        guard places[place] == nil else { throw scanner.failure("'\(name)' stands twice") }
        places[place] = value
      } else {
        unknown = unknown ?? name
      }
    }
    guard let number else { throw scanner.failure("there is no '$id'") }
    if let unknown {
      throw JSONContents.Unknown(
        problem: .differentSchema,
        description: "'\(plan.entity.name)' \(number) has a '\(unknown)', which the schema "
          + "does not have: it would be lost")
    }
    let reader = JSONLineReader(
      self, PersistentIdentifier(token: plan.token, row: number), bytes, places)
    try definition.codec.read(reader, into: batch)
  }

  func decode<T: Decodable>(
    _ part: Slice<UnsafeBufferPointer<UInt8>>, of name: String
  ) throws -> T {
    do {
      return try decoder.decode(T.self, from: Data(part))
    } catch let error as DecodingError {
      throw error.inside([DataStoreSnapshotCodingKey.modeledProperty(name)])
    }
  }
}

/// What the relationships of one model lead to, by slot.
struct ReferenceTokens {
  /// Of columns that are no relationships, any.
  let columns: [IdentifierToken]
  let lists: [IdentifierToken]
}

extension DecodingError {
  /// The same error of a value that is part of another one.
  func inside(_ path: [any CodingKey]) -> DecodingError {
    let context: Context
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return self
    }
    return .dataCorrupted(
      Context(codingPath: path + context.codingPath, debugDescription: context.debugDescription))
  }
}
