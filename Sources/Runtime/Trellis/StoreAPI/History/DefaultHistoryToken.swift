/// A position in the histories of default stores.
///
/// Encode and save a token to fetch the changes after it later:
///
///     let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: kept)
///     let news = try context.fetchHistory(
///       HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
///
/// A token contains one position for each known store. All transactions of a store that the token does not contain are
/// after the token.
public struct DefaultHistoryToken: HistoryToken {
  /// The number of the last transaction before the position, by store identifier.
  public typealias TokenType = [String: Int64]

  /// The stores of a token, shared by all tokens of one store. A token is therefore small enough for the inline buffer
  /// of an existential.
  private final class Stores: Sendable {
    let first: String
    let others: [String: Int64]

    init(_ first: String, others: [String: Int64] = [:]) {
      self.first = first
      self.others = others
    }
  }

  private let stores: Stores
  private let position: Int64
  /// True if the token is compared as the position of a transaction in a predicate, see ``<(_:_:)``.
  private let isJudged: Bool

  init(store: String, position: Int64) {
    self.init(Stores(store), position)
  }

  private init(_ stores: Stores, _ position: Int64, isJudged: Bool = false) {
    self.stores = stores
    self.position = position
    self.isJudged = isJudged
  }

  /// Another position in the store. The token must contain one store only.
  func at(_ position: Int64) -> Self { Self(stores, position) }

  /// A token with positions in several stores; nil if `positions` is empty.
  init?(_ positions: [String: Int64]) {
    guard let first = positions.min(by: { $0.key < $1.key }) else { return nil }
    var others = positions
    others[first.key] = nil
    self.init(Stores(first.key, others: others), first.value)
  }

  /// The store of the position. For a token with several stores, the least identifier.
  public var storeIdentifier: String { stores.first }

  var store: String { stores.first }
  private var others: [String: Int64] { stores.others }

  /// The number of the last transaction before the position, by store identifier.
  public var tokenValue: [String: Int64]? { positions }

  /// A number that increases with each transaction of a store.
  public var id: Int { others.values.reduce(Int(truncatingIfNeeded: position)) { $0 &+ Int(truncatingIfNeeded: $1) } }

  /// The position in a store; nil for a store that the token does not contain.
  subscript(store: String) -> Int64? { store == self.store ? position : others[store] }

  private var positions: [String: Int64] {
    var positions = others
    positions[store] = position
    return positions
  }

  /// The token as the evaluation of a predicate for a transaction uses it.
  var judged: Self { Self(stores, position, isJudged: true) }

  /// Returns true if the left position is before the right one in the stores that both tokens contain.
  ///
  /// Tokens without a common store compare by their store identifiers.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.others.isEmpty, rhs.others.isEmpty, lhs.store == rhs.store { return lhs.position < rhs.position }
    var isShared = false
    for (store, position) in lhs.positions.sorted(by: { $0.key < $1.key }) {
      guard let other = rhs[store] else { continue }
      isShared = true
      if position != other { return position < other }
    }
    if isShared { return false }
    // Transactions of a store that a token does not contain are after the token.
    if lhs.isJudged != rhs.isJudged { return rhs.isJudged }
    return lhs.store < rhs.store
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.position == rhs.position
      && (lhs.stores === rhs.stores || (lhs.store == rhs.store && lhs.others == rhs.others))
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(store)
    hasher.combine(position)
    hasher.combine(others)
  }
}

extension DefaultHistoryToken {
  /// Decodes a token that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if the data has another structure.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let token = Self(try container.decode([String: Int64].self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a history token holds the position of one store at least")
    }
    self = token
  }

  /// Encodes the positions.
  ///
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(positions)
  }
}
