import Foundation

/// What the models of one entity in a file are read with.
final class JSONEntityReader {
  let plan: EntityStatements
  let keys: ReferenceTokens
  private let decoder = JSONDocument.decoder
  private let encoder = JSONDocument.encoder
  /// What the models read so far say that their values do not.
  private(set) var kept: [JSONKeptText] = []
  /// The columns and lists of the schema by name.
  private let known: [String: Int]

  var definition: ModelDefinition { plan.entity.definition }
  let layout: ModelLayout

  init(_ plan: EntityStatements, in engine: DefaultStore) throws {
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
    do {
      try definition.codec.read(reader, into: batch)
    } catch let error as DecodingError {
      throw error.inside([], of: "'\(plan.entity.name)' \(number)")
    }
  }

  func decode<T: Decodable>(
    _ part: Slice<UnsafeBufferPointer<UInt8>>, of name: String
  ) throws -> T {
    do {
      return try decoder.decode(T.self, from: Data(part))
    } catch let error as DecodingError {
      throw error.inside([DataStoreSnapshotCodingKey.modeledProperty(name)])
    } catch {
      // Types of the program throw what they like.
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: [DataStoreSnapshotCodingKey.modeledProperty(name)],
          debugDescription: "\(error)", underlyingError: error))
    }
  }

  /// Keeps the text of a value that knows less than it.
  ///
  /// Objects may have members nobody knows, arrays more elements than a type reads, numbers more digits.
  /// What is written for the value is the same text where the file is as a store has written it and the
  /// program knows everything.
  func keep<T: Encodable>(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, of slot: Int, _ row: Int64, unlessWritten value: T
  ) {
    switch text.first {
    case UInt8(ascii: "\""): return
    case UInt8(ascii: "{"): break
    case UInt8(ascii: "["):
      // All of these is read.
      if T.self == [String].self || T.self == [Int].self || T.self == [Double].self { return }
    default: guard text.count > Self.longestNumber else { return }
    }
    if let written = try? JSONForm.text(of: value, encoder), written.elementsEqual(text) { return }
    kept.append(JSONKeptText(row: row, slot: slot, text: [UInt8](text), unknown: nil))
  }

  /// More digits than a `Decimal` has.
  private static let longestNumber = 38

  /// Keeps a value that no case matches, and has the engine keep it.
  ///
  /// - Parameter isJSON: whether the column has the value as JSON text.
  /// - Returns: false for what could not be in such a column: the file is damaged then.
  func keepUnknown(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, of slot: Int, _ row: Int64, isJSON: Bool
  ) -> Bool {
    guard let stored = stored(text, plan.entity.columns[slot].type, isJSON: isJSON) else { return false }
    kept.append(JSONKeptText(row: row, slot: slot, text: [UInt8](text), unknown: stored))
    return true
  }

  private func stored(
    _ text: Slice<UnsafeBufferPointer<UInt8>>, _ type: ColumnType, isJSON: Bool
  ) -> SQLValue? {
    guard !JSONScanner.isNull(text) else { return nil }
    switch (type.affinity, type.comparison) {
    case (.text, let comparison) where isJSON || comparison == .none:
      let isValid = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
      return isValid.map { _ in .text(String(decoding: text, as: UTF8.self)) }
    case (.text, _):
      return (try? decoder.decode(String.self, from: Data(text))).map { .text($0) }
    case (.integer, _): return JSONScanner.integer(text).map { .integer($0) }
    case (_, .real): return JSONScanner.real(text).map { .real($0) }
    default: return nil
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
  func inside(_ path: [any CodingKey], of model: String? = nil) -> DecodingError {
    let context: Context
    switch self {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .keyNotFound(_, let found),
      .dataCorrupted(let found):
      context = found
    @unknown default: return self
    }
    return .dataCorrupted(
      Context(
        codingPath: path + context.codingPath,
        debugDescription: context.debugDescription + (model.map { " (in \($0))" } ?? "")))
  }
}
