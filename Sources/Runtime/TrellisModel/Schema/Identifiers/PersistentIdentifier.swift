public import Foundation
import Synchronization

/// A model's identifier, which consists of a store, an entity and a row key.
///
/// Identifiers are sixteen bytes long, and `Sendable`, `Codable` and `Comparable`. An identifier created before the
/// first save is temporary and belongs to no store. In contrast to SwiftData, a decoded identifier equals the encoded
/// identifier.
///
/// Models cannot cross isolations, but identifiers can:
///
/// ```swift
/// let id = trip.persistentModelID
/// Task.detached {
///   let context = ModelContext(container)
///   guard let trip = context.model(for: id) as? Trip else { return }
///   trip.destination = "Ísafjörður"
///   try context.save()
/// }
/// ```
public struct PersistentIdentifier: Sendable {
  /// The row key inside the store.
  @usableFromInline package enum Key: Sendable, Hashable {
    /// A row number in a store with integer keys, or a temporary identifier's serial number.
    case integer(Int64)
    /// A key in a store with custom keys: UUID, String, …
    case boxed(IdentifierKey)
  }

  @usableFromInline package let key: Key
  /// The store and entity, interned for the process lifetime.
  @usableFromInline package let token: IdentifierToken

  @usableFromInline package init(key: Key, token: IdentifierToken) {
    self.key = key
    self.token = token
  }

  /// Creates the identifier for a row in the token's store and entity.
  @inlinable package init(token: IdentifierToken, row: Int64) {
    self.key = .integer(row)
    self.token = token
  }

  /// The model's store identifier; nil for a temporary identifier.
  public var storeIdentifier: String? { token.entry.store }

  /// The model's entity name.
  public var entityName: String { token.entry.entity }

  /// True until a store has assigned a permanent identifier.
  public var isTemporary: Bool { token.isTemporary }

  /// The row number in a store with integer keys; nil for any other key.
  @inlinable package var row: Int64? {
    if case .integer(let row) = key { row } else { nil }
  }
}

extension PersistentIdentifier: Hashable {
  @inlinable public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.token == rhs.token && lhs.key == rhs.key
  }

  /// Multiplies instead of computing a keyed hash: stores create identifiers, not attackers, and every save builds sets
  /// of identifiers.
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
    // Combines a single word in the common case, because hashing accounts for most of an identifier set's cost.
    switch key {
    case .integer(let row): hasher.combine(row &+ Int64(token.number) &<< 40)
    case .boxed(let key): hasher.combine(key)
    }
  }
}

extension PersistentIdentifier: Comparable {
  /// Orders by store, entity and key. Keys sort as in the store.
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
  /// The identifier part that is unique within the store: the entity name and the row key.
  ///
  /// If two stores contain copies of a row with the same key, the copies have equal values:
  ///
  /// ```swift
  /// let id = trip.persistentModelID
  /// let copy = try PersistentIdentifier.identifier(for: "backup", entityName: id.entityName, primaryKey: 1)
  /// copy == id  // false
  /// copy.id == id.id  // true if the trip has the row number 1
  /// ```
  public struct ID: Hashable, Sendable {
    let entity: String
    let key: Key
  }

  /// The identifier part that is unique within the store: the entity name and the row key.
  public var id: ID { ID(entity: entityName, key: key) }
}

extension PersistentIdentifier: CustomStringConvertible {
  /// `Trip/17`, or `Trip/t3` for a temporary identifier.
  public var description: String {
    switch key {
    case .integer(let row): "\(entityName)/\(isTemporary ? "t" : "")\(row)"
    case .boxed(let key): "\(entityName)/\(key.text)"
    }
  }
}

// MARK: Tokens and keys

/// An interned pair of store and entity, in four bytes.
@usableFromInline package struct IdentifierToken: Sendable, Hashable {
  @usableFromInline package let number: UInt32

  @usableFromInline package init(number: UInt32) { self.number = number }

  /// The lowest bit is set if there is no store, so that the test needs no lookup.
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

  /// Returns the token for an entity in a store. If `store` is nil, the token is for temporary identifiers.
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

/// The primary key in a store with noninteger keys.
@usableFromInline package final class IdentifierKey: Sendable, Hashable, Comparable {
  enum Value: Sendable, Hashable {
    case uuid(UUID)
    case string(String)
    /// Any other key, represented and ordered by its description.
    case other(type: String, text: String)
  }

  let value: Value

  init(_ value: Value) { self.value = value }

  /// The key text in an identifier's description and encoded form.
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
  /// Returns a new random identifier.
  ///
  /// Foundation's `UUID()` reads random bytes from a file. When the process has reached the open file limit, `UUID()`
  /// returns the same value repeatedly. This function uses a system call that needs no file.
  @usableFromInline package static func unique() -> UUID {
    // Sets the version to 4, and the variant of RFC 9562. All other bits are random.
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

  /// Decodes an identifier that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if the data has a different structure.
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

  /// Encodes the identifier.
  ///
  /// - Throws: Any error from the encoder.
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

/// The permanent identifiers that a save assigns to temporary identifiers.
///
/// A store may copy inserted snapshots one by one, each with the new identifier, and write them before the references
/// among them are remapped. All snapshots in a save share this table: `copy` fills the table, which resolves
/// identifiers that are encoded during the call to the store.
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
