/// A position in the histories of default stores.
///
/// Encode it, keep it, and ask later for what came after it:
///
///     let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: kept)
///     let news = try context.fetchHistory(
///       HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
///
/// A token holds a position for each store it knows of and counts for those alone: of a store that is new
/// to it, everything comes after it.
public struct DefaultHistoryToken: HistoryToken {
  /// By identifier of the store, the number of the last transaction before the position.
  public typealias TokenType = [String: Int64]

  /// Shared by the positions in one store: so a token is small enough to lie in an existential itself.
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
  /// Whether it is compared as the position of a transaction of its store, see ``<(_:_:)``.
  private let isJudged: Bool

  init(store: String, position: Int64) {
    self.init(Stores(store), position)
  }

  private init(_ stores: Stores, _ position: Int64, isJudged: Bool = false) {
    self.stores = stores
    self.position = position
    self.isJudged = isJudged
  }

  /// Another position in the same store; of a token of that store alone.
  func at(_ position: Int64) -> Self { Self(stores, position) }

  /// A token with positions of several stores; nil without any.
  init?(_ positions: [String: Int64]) {
    guard let first = positions.min(by: { $0.key < $1.key }) else { return nil }
    var others = positions
    others[first.key] = nil
    self.init(Stores(first.key, others: others), first.value)
  }

  /// The store of the position; of a token of several stores the first one in the order of their identifiers.
  public var storeIdentifier: String { stores.first }

  var store: String { stores.first }
  private var others: [String: Int64] { stores.others }

  /// By identifier of the store, the number of the last transaction before the position.
  public var tokenValue: [String: Int64]? { positions }

  /// A number that grows from transaction to transaction of a store.
  public var id: Int { others.values.reduce(Int(truncatingIfNeeded: position)) { $0 &+ Int(truncatingIfNeeded: $1) } }

  /// The position in a store; nil for a store the token does not know.
  subscript(store: String) -> Int64? { store == self.store ? position : others[store] }

  private var positions: [String: Int64] {
    var positions = others
    positions[store] = position
    return positions
  }

  /// The same as predicates see it that are evaluated for transactions.
  var judged: Self { Self(stores, position, isJudged: true) }

  /// Whether a position comes before another one in the stores both know of.
  ///
  /// Tokens that have no store in common are put in the order of the stores' identifiers.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.others.isEmpty, rhs.others.isEmpty, lhs.store == rhs.store { return lhs.position < rhs.position }
    var isShared = false
    for (store, position) in lhs.positions.sorted(by: { $0.key < $1.key }) {
      guard let other = rhs[store] else { continue }
      isShared = true
      if position != other { return position < other }
    }
    if isShared { return false }
    // What a token does not know of comes after it.
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
  /// Decodes what ``encode(to:)`` has written.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let token = Self(try container.decode([String: Int64].self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a history token holds the position of one store at least")
    }
    self = token
  }

  /// Encodes the value.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(positions)
  }
}
