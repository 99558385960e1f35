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

  /// What the tokens of a store share, so that a token is small enough for the inline buffer of an existential.
  private final class Stores: Sendable {
    let first: String
    let mark: HistoryMark?
    let others: [String: HistoryPosition]

    init(_ first: String, _ mark: HistoryMark? = nil, others: [String: HistoryPosition] = [:]) {
      self.first = first
      self.mark = mark
      self.others = others
    }
  }

  private let stores: Stores
  private let number: Int64
  /// True if the token is compared as the position of a transaction in a predicate, see ``<(_:_:)``.
  private let isJudged: Bool

  package init(store: String, position: HistoryPosition) {
    self.init(Stores(store, position.mark), position.number)
  }

  private init(_ stores: Stores, _ number: Int64, isJudged: Bool = false) {
    self.stores = stores
    self.number = number
    self.isJudged = isJudged
  }

  /// The position of another number in the store. The token must contain one store only.
  package func at(_ number: Int64) -> Self { Self(stores, number) }

  /// A token with positions in several stores; nil if `positions` is empty.
  package init?(_ positions: [String: HistoryPosition]) {
    guard let first = positions.min(by: { $0.key < $1.key }) else { return nil }
    var others = positions
    others[first.key] = nil
    self.init(Stores(first.key, first.value.mark, others: others), first.value.number)
  }

  /// The store of the position. For a token with several stores, the least identifier.
  public var storeIdentifier: String { stores.first }

  var store: String { stores.first }
  private var others: [String: HistoryPosition] { stores.others }
  private var position: HistoryPosition { HistoryPosition(number, stores.mark) }

  /// The number of the last transaction before the position, by store identifier.
  ///
  /// A position on a server is more than this number. Encode the token to keep it.
  public var tokenValue: [String: Int64]? { positions.mapValues(\.number) }

  /// A number that increases with each transaction of a store.
  public var id: Int {
    others.values.reduce(Int(truncatingIfNeeded: number)) { $0 &+ Int(truncatingIfNeeded: $1.number) }
  }

  /// The position in a store; nil for a store that the token does not contain.
  package subscript(store: String) -> HistoryPosition? { store == self.store ? position : others[store] }

  /// The positions by store.
  var positions: [String: HistoryPosition] {
    var positions = others
    positions[store] = position
    return positions
  }

  /// The token as the evaluation of a predicate for a transaction uses it.
  package var judged: Self { Self(stores, number, isJudged: true) }

  /// The token as the evaluation of a predicate for a transaction on a server uses it.
  package func judged(_ mark: HistoryMark) -> Self { Self(Stores(store, mark), number, isJudged: true) }

  /// Returns true if the left position is before the right one in the stores that both tokens contain.
  ///
  /// Tokens without a common store compare by their store identifiers.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.others.isEmpty, rhs.others.isEmpty, lhs.store == rhs.store {
      if lhs.stores === rhs.stores { return lhs.number < rhs.number }
      return lhs.position < rhs.position
    }
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
    guard lhs.number == rhs.number, lhs.stores !== rhs.stores else { return lhs.number == rhs.number }
    guard lhs.store == rhs.store, lhs.others == rhs.others else { return false }
    // A predicate compares the position of a transaction with that of a reader, which has another mark.
    return lhs.isJudged != rhs.isJudged || lhs.stores.mark == rhs.stores.mark
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(store)
    hasher.combine(number)
    hasher.combine(others)
  }
}

extension DefaultHistoryToken {
  /// Decodes a token that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if the data has another structure.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let token = Self(try container.decode([String: HistoryPosition].self)) else {
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
