public import Foundation
import Synchronization

/// The identity of a model: which store, which entity, which row.
///
/// Sixteen bytes, `Sendable`, `Codable` and `Comparable`. An identifier made before the first save
/// is temporary and knows no store. Departing from SwiftData, a decoded identifier equals the one it
/// was encoded from.
public struct PersistentIdentifier: Sendable {
  /// What the row is called inside its store.
  @usableFromInline package enum Key: Sendable, Hashable {
    /// A row number of a store with integer keys, or the serial number of a temporary identifier.
    case integer(Int64)
    /// The key of a store with its own keys: UUID, String, …
    case boxed(IdentifierKey)
  }

  @usableFromInline package let key: Key
  /// Store and entity, interned for the life of the process.
  @usableFromInline package let token: IdentifierToken

  @usableFromInline package init(key: Key, token: IdentifierToken) {
    self.key = key
    self.token = token
  }

  /// Row `key` of the entity and store that `token` names.
  @inlinable package init(token: IdentifierToken, row: Int64) {
    self.key = .integer(row)
    self.token = token
  }

  /// The identifier of the store that holds the model; nil while the identifier is temporary.
  public var storeIdentifier: String? { token.entry.store }

  /// The name of the model's entity.
  public var entityName: String { token.entry.entity }

  /// Whether no store has given the model an identity yet.
  public var isTemporary: Bool { token.isTemporary }

  /// The row number in a store with integer keys, nil for any other key.
  @inlinable package var row: Int64? {
    if case .integer(let row) = key { row } else { nil }
  }
}

extension PersistentIdentifier: Hashable {
  @inlinable public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.token == rhs.token && lhs.key == rhs.key
  }

  /// A multiplication instead of a keyed hash: identifiers are made by stores, not by adversaries,
  /// and sets of them are built by every save.
  @inlinable public func _rawHashValue(seed: Int) -> Int {
    guard case .integer(let row) = key else {
      var hasher = Hasher()
      hasher.combine(seed)
      hash(into: &hasher)
      return hasher.finalize()
    }
    let mixed =
      UInt64(bitPattern: row &+ Int64(token.number) &<< 40 ^ Int64(seed)) &* 0x9E37_79B9_7F4A_7C15
    return Int(bitPattern: UInt(mixed ^ (mixed >> 32)))
  }

  @inlinable public func hash(into hasher: inout Hasher) {
    // One word for the common case: hashing is most of what a set of identifiers costs.
    switch key {
    case .integer(let row): hasher.combine(row &+ Int64(token.number) &<< 40)
    case .boxed(let key): hasher.combine(key)
    }
  }
}

extension PersistentIdentifier: Comparable {
  /// Orders by store, entity and key; keys of one store order as the store's own keys do.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.token != rhs.token { return lhs.token.entry < rhs.token.entry }
    switch (lhs.key, rhs.key) {
    case (.integer(let lhs), .integer(let rhs)): return lhs < rhs
    case (.boxed(let lhs), .boxed(let rhs)): return lhs < rhs
    case (.integer, .boxed): return true
    case (.boxed, .integer): return false
    }
  }
}

extension PersistentIdentifier: Identifiable {
  /// The part of the identifier that is unique within its store.
  public struct ID: Hashable, Sendable {
    let entity: String
    let key: Key
  }

  /// What tells the model from others of its store.
  public var id: ID { ID(entity: entityName, key: key) }
}

extension PersistentIdentifier: CustomStringConvertible {
  /// `Trip/17`, or `Trip/t3` while temporary.
  public var description: String {
    switch key {
    case .integer(let row): "\(entityName)/\(isTemporary ? "t" : "")\(row)"
    case .boxed(let key): "\(entityName)/\(key.text)"
    }
  }
}

// MARK: Tokens and keys

/// An interned pair of store and entity, four bytes.
@usableFromInline package struct IdentifierToken: Sendable, Hashable {
  @usableFromInline package let number: UInt32

  @usableFromInline package init(number: UInt32) { self.number = number }

  /// The lowest bit says that there is no store, so that asking costs no look-up.
  @inlinable package var isTemporary: Bool { number & 1 == 1 }

  package struct Entry: Hashable, Comparable, Sendable {
    package var store: String?
    package var entity: String

    package static func < (lhs: Self, rhs: Self) -> Bool {
      (lhs.store ?? "", lhs.entity) < (rhs.store ?? "", rhs.entity)
    }
  }

  private struct Table {
    var entries: [Entry] = []
    var numbers: [Entry: UInt32] = [:]
  }

  private static let table = Mutex(Table())

  /// The token of an entity in a store; without a store, of its temporary identifiers.
  package static func interned(store: String?, entity: String) -> IdentifierToken {
    let entry = Entry(store: store, entity: entity)
    return table.withLock { table in
      if let number = table.numbers[entry] { return IdentifierToken(number: number) }
      let number = UInt32(table.entries.count) << 1 | (store == nil ? 1 : 0)
      table.entries.append(entry)
      table.numbers[entry] = number
      return IdentifierToken(number: number)
    }
  }

  package var entry: Entry {
    Self.table.withLock { $0.entries[Int(number >> 1)] }
  }
}

/// The primary key of a store whose keys are not integers.
@usableFromInline package final class IdentifierKey: Sendable, Hashable, Comparable {
  enum Value: Sendable, Hashable {
    case uuid(UUID)
    case string(String)
    /// Any other key: its own description, ordered by it.
    case other(type: String, text: String)
  }

  let value: Value

  init(_ value: Value) { self.value = value }

  /// The key as it reads in an identifier's description and in its encoded form.
  var text: String {
    switch value {
    case .uuid(let uuid): uuid.uuidString
    case .string(let string): string
    case .other(_, let text): text
    }
  }

  @usableFromInline package static func == (lhs: IdentifierKey, rhs: IdentifierKey) -> Bool {
    lhs === rhs || lhs.value == rhs.value
  }

  @usableFromInline package func hash(into hasher: inout Hasher) { hasher.combine(value) }

  @usableFromInline package static func < (lhs: IdentifierKey, rhs: IdentifierKey) -> Bool {
    lhs.text < rhs.text
  }
}

extension UUID {
  /// A new random identifier.
  ///
  /// Foundation's `UUID()` reads its bytes from a file. When the process can open no more files, it returns one
  /// value again and again. These bytes come from a call of the system that needs no file.
  @usableFromInline package static func unique() -> UUID {
    // Version 4 of RFC 9562, and its variant: all other bits are random.
    let high = UInt64.random(in: .min ... .max) & ~0xF000 | 0x4000
    let low = UInt64.random(in: .min ... .max) & ~(3 << 62) | 1 << 63
    return withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      UUID(uuid: $0.loadUnaligned(as: uuid_t.self))
    }
  }
}

// MARK: Coding

extension PersistentIdentifier: Codable {
  private enum CodingKeys: String, CodingKey { case store, entity, integer, uuid, string, other, type }

  /// Decodes what ``encode(to:)`` has written.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let entity = try container.decode(String.self, forKey: .entity)
    let store = try container.decodeIfPresent(String.self, forKey: .store)
    let key: Key
    if let row = try container.decodeIfPresent(Int64.self, forKey: .integer) {
      key = .integer(row)
    } else if let uuid = try container.decodeIfPresent(UUID.self, forKey: .uuid) {
      key = .boxed(IdentifierKey(.uuid(uuid)))
    } else if let string = try container.decodeIfPresent(String.self, forKey: .string) {
      key = .boxed(IdentifierKey(.string(string)))
    } else {
      let text = try container.decode(String.self, forKey: .other)
      let type = try container.decode(String.self, forKey: .type)
      key = .boxed(IdentifierKey(.other(type: type, text: text)))
    }
    self.init(key: key, token: .interned(store: store, entity: entity))
  }

  /// Encodes the value.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    let resolved = IdentifierRemapping.current?.resolve(self) ?? self
    var container = encoder.container(keyedBy: CodingKeys.self)
    let entry = resolved.token.entry
    try container.encodeIfPresent(entry.store, forKey: .store)
    try container.encode(entry.entity, forKey: .entity)
    switch resolved.key {
    case .integer(let row): try container.encode(row, forKey: .integer)
    case .boxed(let key):
      switch key.value {
      case .uuid(let uuid): try container.encode(uuid, forKey: .uuid)
      case .string(let string): try container.encode(string, forKey: .string)
      case .other(let type, let text):
        try container.encode(text, forKey: .other)
        try container.encode(type, forKey: .type)
      }
    }
  }
}

/// The temporary identifiers of one save and what became of them.
///
/// A store may copy inserted snapshots one by one, each under its new identifier, and write them
/// before the references among them are remapped. All snapshots of a save share this table: `copy`
/// fills it, and encoding an identifier resolves through it while the store's call runs.
package final class IdentifierRemapping: Sendable {
  package init() {}
  @TaskLocal package static var current: IdentifierRemapping?

  private let table = Mutex<[PersistentIdentifier: PersistentIdentifier]>([:])

  func record(_ temporary: PersistentIdentifier, as permanent: PersistentIdentifier) {
    table.withLock { $0[temporary] = permanent }
  }

  func resolve(_ identifier: PersistentIdentifier) -> PersistentIdentifier {
    guard identifier.isTemporary else { return identifier }
    return table.withLock { $0[identifier] ?? identifier }
  }
}
