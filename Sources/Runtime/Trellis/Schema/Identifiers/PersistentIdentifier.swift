/// The identity of a model: which store, which entity, which row.
///
/// Sixteen bytes, `Sendable`, `Codable` and `Comparable`. An identifier made before the first save
/// is temporary and knows no store. Departing from SwiftData, a decoded identifier equals the one it
/// was encoded from.
public struct PersistentIdentifier: Sendable {
  /// What the row is called inside its store.
  @usableFromInline enum Key: Sendable, Hashable {
    /// A row number of a store with integer keys, or the serial number of a temporary identifier.
    case integer(Int64)
    /// The key of a store with its own keys: UUID, String, …
    case boxed(IdentifierKey)
  }

  @usableFromInline let key: Key
  /// Store and entity, interned for the life of the process.
  @usableFromInline package let token: IdentifierToken

  @usableFromInline init(key: Key, token: IdentifierToken) {
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
