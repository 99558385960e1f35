import Foundation

/// What a JSON file of models consists of.
///
///     {
///     "format": "trellis models",
///     "version": 1,
///     "identifier": "…",
///     "nextKeys": {"Trip": 3},
///     "models": {
///     "Trip": [
///     {"$id": 1, "name": "Oslo", "stops": [2, 1]},
///     {"$id": 2, "name": "Rome"}
///     ]
///     }
///     }
///
/// Models are known by numbers, to-one relationships hold the number of the other model. Lists are
/// written where they are ordered or have no other end that says as much.
enum JSONDocument {
  static let format = "trellis models"
  static let version = 1

  enum Key: String, CodingKey {
    case format, version, identifier, nextKeys, models
  }

  /// The number of a model: no property can have this name.
  static let idKey = DataStoreSnapshotCodingKey.modeledProperty("$id")

  // Names of entities.
  struct EntityKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }
}

/// One model as a line of the file.
struct JSONRow: Encodable {
  let snapshot: DefaultSnapshot
  /// The members of lists, by slot.
  let lists: [Int: [Int64]]

  func encode(to encoder: any Encoder) throws {
    guard let definition = snapshot.batch.definition else { throw SwiftDataError.unknownSchema }
    let writer = SnapshotFieldWriter(
      container: encoder.container(keyedBy: DataStoreSnapshotCodingKey.self),
      layout: definition.layout, remapping: nil, usesKeys: true)
    try writer.container.encode(snapshot.persistentIdentifier.row ?? 0, forKey: JSONDocument.idKey)
    try snapshot.batch.write(snapshot.index, to: writer)
    for (slot, members) in lists where !members.isEmpty {
      try writer.container.encode(
        members, forKey: .modeledProperty(definition.layout.lists[slot].name))
    }
  }
}

/// The models of a file, read into snapshots.
final class JSONContents: Decodable {
  let engine: DefaultStore
  private(set) var snapshots: [DefaultSnapshot] = []
  let nextKeys: [String: Int64]

  /// Makes the engine that the models are for, by the identifier the file has.
  struct EngineMaker: Sendable {
    let make: @Sendable (String) throws -> DefaultStore
  }

  static let engineKey = CodingUserInfoKey(rawValue: "trellis.engine")

  struct Unknown: Error, CustomStringConvertible {
    var problem: StoreProblem
    var description: String
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONDocument.Key.self)
    guard try container.decodeIfPresent(String.self, forKey: .format) == JSONDocument.format else {
      throw Unknown(problem: .foreign, description: "the file is not one of a 'JSONFileStore'")
    }
    let version = try container.decode(Int.self, forKey: .version)
    guard version <= JSONDocument.version else {
      throw Unknown(
        problem: .newerFormat,
        description: "the file has format \(version), and this program knows \(JSONDocument.version)")
    }
    let identifier = try container.decode(String.self, forKey: .identifier)
    guard let key = Self.engineKey, let maker = decoder.userInfo[key] as? EngineMaker else {
      throw SwiftDataError.unknownSchema
    }
    engine = try maker.make(identifier)
    nextKeys = try container.decodeIfPresent([String: Int64].self, forKey: .nextKeys) ?? [:]
    let models = try container.nestedContainer(keyedBy: JSONDocument.EntityKey.self, forKey: .models)
    for entity in models.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
      guard let plan = try? engine.plans.plan(named: entity.stringValue) else {
        throw Unknown(
          problem: .differentSchema,
          description: "the file has models '\(entity.stringValue)', which the schema does not have")
      }
      try read(models.nestedUnkeyedContainer(forKey: entity), plan)
    }
  }

  private func read(_ rows: any UnkeyedDecodingContainer, _ plan: EntityPlan) throws {
    var rows = rows
    let definition = plan.entity.definition
    let layout = definition.layout
    let known = Set(layout.properties.filter { $0.slot >= 0 }.map(\.name))
    let keys = ReferenceTokens(
      columns: plan.shape.destinations,
      lists: try plan.entity.lists.map { try engine.plans.plan(named: $0.destination).token })
    let batch = definition.codec.makeBatch(capacity: rows.count ?? 16)
    while !rows.isAtEnd {
      let row = try rows.nestedContainer(keyedBy: DataStoreSnapshotCodingKey.self)
      let number = try row.decode(Int64.self, forKey: JSONDocument.idKey)
      for key in row.allKeys
      where key.stringValue != JSONDocument.idKey.stringValue && !known.contains(key.stringValue) {
        throw Unknown(
          problem: .differentSchema,
          description: "'\(plan.entity.name)' \(number) has a '\(key.stringValue)', which the schema "
            + "does not have: it would be lost")
      }
      let reader = SnapshotFieldReader(
        container: row, definition: definition,
        identifier: PersistentIdentifier(token: plan.token, row: number), keys: keys)
      try definition.codec.read(reader, into: batch)
      snapshots.append(DefaultSnapshot(batch: batch, index: batch.count - 1))
    }
  }
}
