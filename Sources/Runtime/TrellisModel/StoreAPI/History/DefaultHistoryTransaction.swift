public import Foundation

/// The changes that a save made in a default store.
///
/// ```swift
/// for transaction in try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()) {
///   print(transaction.timestamp, transaction.author ?? "", transaction.changes.count)
/// }
/// ```
public struct DefaultHistoryTransaction: HistoryTransaction {
  /// A position in the histories of default stores.
  public typealias TokenType = DefaultHistoryToken
  /// A number that increases with each transaction in a store.
  public typealias TransactionIdentifier = Int64

  /// The saving context's ``ModelContext/author``; nil if there is no author.
  public let author: String?
  /// The saving app's bundle identifier or executable name.
  public let bundleIdentifier: String
  /// The ID of the process that saved.
  public let processIdentifier: String
  /// The store that contains the history.
  public let storeIdentifier: String
  /// The save time.
  public let timestamp: Date
  /// The insertions, updates and deletions, with one change per model.
  ///
  /// Changes to models that the current schema does not contain are omitted.
  public package(set) var changes: [HistoryChange] = []
  /// True if ``changes`` is complete. Not in SwiftData.
  ///
  /// False if a context saved while ``ModelContext/recordsHistory`` was off, and after a migration that ran steps.
  /// Readers of the history must then fetch the models again.
  public package(set) var isComplete = true
  /// The position immediately after the transaction.
  public package(set) var token: DefaultHistoryToken
  /// The transaction identifier, unique in the store.
  public let transactionIdentifier: Int64

  package init(
    author: String?, bundleIdentifier: String, processIdentifier: String, storeIdentifier: String, timestamp: Date,
    changes: [HistoryChange] = [], isComplete: Bool = true, token: DefaultHistoryToken, transactionIdentifier: Int64
  ) {
    self.author = author
    self.bundleIdentifier = bundleIdentifier
    self.processIdentifier = processIdentifier
    self.storeIdentifier = storeIdentifier
    self.timestamp = timestamp
    self.changes = changes
    self.isComplete = isComplete
    self.token = token
    self.transactionIdentifier = transactionIdentifier
  }

  /// Equal to ``transactionIdentifier``.
  public var id: Int64 { transactionIdentifier }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.transactionIdentifier == rhs.transactionIdentifier && lhs.storeIdentifier == rhs.storeIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(transactionIdentifier)
    hasher.combine(storeIdentifier)
  }
}

// MARK: Changes

/// The insertion of a model into a default store.
///
/// ```swift
/// let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
/// for case .insert(let insert as DefaultHistoryInsert<Trip>) in changes {
///   print(try context.existingModel(for: insert.changedPersistentIdentifier, as: Trip.self)?.name ?? "deleted since")
/// }
/// ```
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
  /// A number that increases with each change in a store.
  public typealias ChangeIdentifier = Int64
  /// A number that increases with each transaction in a store.
  public typealias TransactionIdentifier = Int64

  /// The change identifier, unique in the store.
  public let changeIdentifier: Int64
  /// The new model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The transaction that contains the change.
  public let transactionIdentifier: Int64

  package init(changeIdentifier: Int64, changedPersistentIdentifier: PersistentIdentifier, transactionIdentifier: Int64)
  {
    self.changeIdentifier = changeIdentifier
    self.changedPersistentIdentifier = changedPersistentIdentifier
    self.transactionIdentifier = transactionIdentifier
  }
}

/// A change to a model's values in a default store.
///
/// ```swift
/// let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
/// for case .update(let update as DefaultHistoryUpdate<Trip>) in changes
/// where update.containsAttribute(\.startDate) {
///   print("Check the bookings for", update.changedPersistentIdentifier)
/// }
/// ```
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
  /// A number that increases with each change in a store.
  public typealias ChangeIdentifier = Int64
  /// A number that increases with each transaction in a store.
  public typealias TransactionIdentifier = Int64
  /// A changed property.
  public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

  /// The change identifier, unique in the store.
  public let changeIdentifier: Int64
  /// The changed model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The transaction that contains the change.
  public let transactionIdentifier: Int64
  /// Exactly the changed properties: attributes, to-one relationships, and to-many relationships that have no to-one
  /// inverse. Other to-many changes appear as changes to the inverse.
  public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]

  package init(
    changeIdentifier: Int64, changedPersistentIdentifier: PersistentIdentifier, transactionIdentifier: Int64,
    updatedAttributes: [any PartialKeyPath<Model> & Sendable]
  ) {
    self.changeIdentifier = changeIdentifier
    self.changedPersistentIdentifier = changedPersistentIdentifier
    self.transactionIdentifier = transactionIdentifier
    self.updatedAttributes = updatedAttributes
  }

  /// Returns true if a property's value changed.
  ///
  /// - Parameter keyPath: An attribute or relationship of the model.
  public func containsAttribute(_ keyPath: any PartialKeyPath<Model> & Sendable) -> Bool {
    let layout = Model._$definition.layout
    guard let property = layout.property(for: keyPath) else { return false }
    return updatedAttributes.contains { layout.property(for: $0)?.name == property.name }
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.changeIdentifier == rhs.changeIdentifier
      && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeIdentifier)
    hasher.combine(changedPersistentIdentifier)
  }
}

/// The deletion of a model from a default store.
///
/// ```swift
/// let changes = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).flatMap(\.changes)
/// for case .delete(let deletion as DefaultHistoryDelete<Trip>) in changes {
///   print(deletion.tombstone[\.name] as? String ?? "a trip", "was deleted")
/// }
/// ```
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
  /// A number that increases with each change in a store.
  public typealias ChangeIdentifier = Int64
  /// A number that increases with each transaction in a store.
  public typealias TransactionIdentifier = Int64

  /// The change identifier, unique in the store.
  public let changeIdentifier: Int64
  /// The deleted model.
  public let changedPersistentIdentifier: PersistentIdentifier
  /// The transaction that contains the change.
  public let transactionIdentifier: Int64
  /// The model's preserved values: its `preserveValueOnDeletion` attributes.
  public let tombstone: HistoryTombstone<Model>

  package init(
    changeIdentifier: Int64, changedPersistentIdentifier: PersistentIdentifier, transactionIdentifier: Int64,
    tombstone: HistoryTombstone<Model>
  ) {
    self.changeIdentifier = changeIdentifier
    self.changedPersistentIdentifier = changedPersistentIdentifier
    self.transactionIdentifier = transactionIdentifier
    self.tombstone = tombstone
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.changeIdentifier == rhs.changeIdentifier
      && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(changeIdentifier)
    hasher.combine(changedPersistentIdentifier)
  }
}

// MARK: Tokens

/// A position in the histories of default stores.
///
/// To fetch later changes, encode and save a token:
///
/// ```swift
/// let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(contentsOf: url))
/// let news = try context.fetchHistory(
///   HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
/// if let last = news.last { try JSONEncoder().encode(last.token).write(to: url) }
/// ```
///
/// A token contains a position for each known store. If a token does not contain a store, all transactions in that
/// store are after the token.
public struct DefaultHistoryToken: HistoryToken {
  /// The number of the last transaction before the position, by store identifier.
  public typealias TokenType = [String: Int64]

  /// The positions by store. Never empty.
  package let positions: [String: HistoryPosition]

  package init(store: String, position: HistoryPosition) { positions = [store: position] }

  /// Creates a token with positions in several stores; nil if `positions` is empty.
  package init?(_ positions: [String: HistoryPosition]) {
    if positions.isEmpty { return nil }
    self.positions = positions
  }

  /// The identifier of the store to which the position belongs. For a token with several stores, the lowest identifier.
  public var storeIdentifier: String { positions.keys.min() ?? "" }

  /// The number of the last transaction before the position, by store identifier.
  ///
  /// A server position contains additional information. To keep a position, encode the token.
  public var tokenValue: [String: Int64]? { positions.mapValues(\.number) }

  /// A number that increases with each transaction in a store.
  public var id: Int { positions.values.reduce(0) { $0 &+ Int(truncatingIfNeeded: $1.number) } }

  /// The position in a store; nil for a store that the token does not contain.
  package subscript(store: String) -> HistoryPosition? { positions[store] }

  /// True for a transaction's position during predicate evaluation.
  private var isOfTransaction: Bool { positions.values.contains(where: \.isOfTransaction) }

  /// Returns true if the left position is before the right position in the stores that both tokens contain.
  ///
  /// Tokens that share no store are ordered by store identifier.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    if lhs.positions.count == 1, let (store, position) = lhs.positions.first, let other = rhs[store] {
      return position < other
    }
    var isShared = false
    for (store, position) in lhs.positions.sorted(by: { $0.key < $1.key }) {
      guard let other = rhs[store] else { continue }
      isShared = true
      if position != other { return position < other }
    }
    if isShared { return false }
    // If a token does not contain a store, the store's transactions are after the token.
    if lhs.isOfTransaction != rhs.isOfTransaction { return rhs.isOfTransaction }
    return lhs.storeIdentifier < rhs.storeIdentifier
  }

  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.positions.count == rhs.positions.count
      && lhs.positions.allSatisfy { store, position in rhs[store].map(position.isSame) ?? false }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(tokenValue) }
}

extension DefaultHistoryToken {
  /// Decodes a token that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if the data has a different structure.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let token = Self(try container.decode([String: HistoryPosition].self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a history token contains at least one store's position")
    }
    self = token
  }

  /// Encodes the positions.
  ///
  /// - Throws: Any error from the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(positions)
  }
}

/// A position in a store's history.
///
/// In a file, transactions become visible in numerical order, so a number is sufficient. On a server, a transaction
/// with a lower number can be committed after a transaction with a higher number. There, ``mark`` determines which
/// transactions are before the position.
package struct HistoryPosition: Hashable, Sendable {
  /// The number of the last transaction before the position; 0 before the first transaction.
  package var number: Int64
  /// Nil if the numbers alone determine the order.
  package var mark: HistoryMark?

  package init(_ number: Int64, _ mark: HistoryMark? = nil) {
    self.number = number
    self.mark = mark
  }

  /// The position before all transactions.
  package static let beginning = HistoryPosition(0)

  /// True for a single transaction's position.
  var isOfTransaction: Bool { if case .transaction? = mark { true } else { false } }

  /// Returns true if two positions are the same. A predicate compares a transaction with a reader, which has a
  /// different mark.
  func isSame(_ other: Self) -> Bool {
    number == other.number && (isOfTransaction != other.isOfTransaction || mark == other.mark)
  }

  /// The position before transaction `number`.
  package var before: Self { Self(number &- 1, mark) }

  /// Returns true if a transaction is before the position.
  ///
  /// - Parameter xid: The server's transaction ID; 0 for a transaction from an earlier epoch.
  private func contains(_ number: Int64, epoch: Int64, xid: UInt64) -> Bool {
    guard case .reader(let own, let seen, let current)? = mark else { return number <= self.number }
    guard own == epoch else { return xid == 0 && number <= self.number }
    return seen?.contains(xid) == true || (number <= self.number && current.contains(xid))
  }
}

/// The part of a server position that the number does not contain.
package enum HistoryMark: Hashable, Sendable {
  /// A transaction's position, with the transaction ID. The ID is 0 in a file, and for a transaction from an earlier
  /// epoch, which all snapshots contain.
  case transaction(epoch: Int64, xid: UInt64)
  /// A reader's position. The reader has read all transactions in `seen`, and the transactions in `current` up to the
  /// number.
  ///
  /// The epoch counts how often the server was replaced by a copy of itself. `seen` is nil if the reader began with the
  /// first transaction.
  case reader(epoch: Int64, seen: TransactionSnapshot?, current: TransactionSnapshot)
}

extension HistoryPosition: Comparable {
  /// Returns true if the left position is before the right position.
  ///
  /// Reader positions are compared in the order in which a reader reaches them: a later snapshot ends later, or has
  /// fewer running transactions.
  package static func < (lhs: Self, rhs: Self) -> Bool {
    switch (lhs.mark, rhs.mark) {
    case (.transaction(let epoch, let xid)?, .reader?):
      lhs.number != rhs.number && rhs.contains(lhs.number, epoch: epoch, xid: xid)
    case (.reader?, .transaction(let epoch, let xid)?): !lhs.contains(rhs.number, epoch: epoch, xid: xid)
    case (.reader(let left, _, let mine)?, .reader(let right, _, let other)?):
      (left, mine.end, other.running.count, lhs.number) < (right, other.end, mine.running.count, rhs.number)
    default: lhs.number < rhs.number
    }
  }
}

/// The server transactions visible to a statement: PostgreSQL's `pg_snapshot`.
///
/// A server crash can lose a transaction, especially an aborted one, and reuse the ID. A stored snapshot therefore ends
/// with a transaction in the history; see ``through(_:_:)``.
package struct TransactionSnapshot: Hashable, Sendable, CustomStringConvertible {
  /// All transactions with a lower ID are visible.
  package let first: UInt64
  /// No transaction with this or a higher ID is visible.
  package let end: UInt64
  /// The invisible transactions between `first` and `end`, in ascending order.
  fileprivate let running: [UInt64]
  /// The save of the transaction before ``end``; nil if unknown. A server that does not contain the save has lost the
  /// transaction.
  package let save: String?

  /// Parses the `pg_snapshot` text form, such as `100:104:100,102`, optionally followed by the save; nil if the text is
  /// not valid.
  package init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard 3...4 ~= parts.count, let first = UInt64(parts[0]), let end = UInt64(parts[1]), first <= end else {
      return nil
    }
    let texts = parts[2].split(separator: ",", omittingEmptySubsequences: false)
    let running = parts[2].isEmpty ? [] : texts.compactMap { UInt64($0) }
    guard parts[2].isEmpty || running.count == texts.count else { return nil }
    self.first = first
    self.end = end
    self.running = running.sorted()
    save = parts.count == 4 ? String(parts[3]) : nil
  }

  /// Creates a snapshot that contains all transactions before an ID.
  package init(before end: UInt64) {
    self.init(first: end, end: end, running: [])
  }

  /// Returns the transactions that either snapshot contains. A standby can lack transactions that were visible on the
  /// primary.
  package func union(_ other: Self) -> Self {
    let (earlier, later) = end <= other.end ? (self, other) : (other, self)
    let running = later.running.filter { !earlier.contains($0) }
    return Self(first: running.first ?? later.end, end: later.end, running: running, save: later.save)
  }

  private init(first: UInt64, end: UInt64, running: [UInt64], save: String? = nil) {
    self.first = first
    self.end = end
    self.running = running
    self.save = save
  }

  /// Returns the snapshot up to a transaction that it contains, with the transaction's save.
  ///
  /// PostgreSQL writes the end of a transaction to disk before concurrent transactions see it. All lower IDs are then
  /// in use, even after a crash. IDs above the visible transactions may be reused.
  package func through(_ last: UInt64, _ save: String?) -> Self {
    let end = last < end ? last + 1 : end
    return Self(first: min(first, end), end: end, running: running.filter { $0 < end }, save: save)
  }

  /// Returns the snapshot with an additional transaction. Later transactions with lower IDs count as running.
  ///
  /// - Returns: Nil if the snapshot would contain many running transactions.
  package func including(_ xid: UInt64) -> Self? {
    guard xid < end || xid - end <= Self.mostAdded else { return nil }
    let later = xid < end ? [] : Array(end..<xid)
    let running = self.running.filter { $0 != xid } + later
    let end = max(end, xid + 1)
    return Self(first: running.first ?? end, end: end, running: running)
  }

  private static let mostAdded: UInt64 = 64

  /// Returns true if another snapshot of the same server is later: it ends later, or has fewer running transactions.
  package func isBefore(_ other: Self) -> Bool { (end, other.running.count) < (other.end, running.count) }

  package func contains(_ xid: UInt64) -> Bool {
    guard xid >= first, xid < end else { return xid < first }
    var (low, high) = (0, running.count)
    while low < high {
      let middle = (low + high) / 2
      if running[middle] < xid { low = middle + 1 } else { high = middle }
    }
    return low == running.count || running[low] != xid
  }

  /// PostgreSQL's text form, which excludes the save.
  package var description: String { "\(first):\(end):\(running.map(String.init).joined(separator: ","))" }

  fileprivate var text: String { save.map { "\(description):\($0)" } ?? description }
}

extension HistoryPosition: Codable {
  /// Decodes a number, or a string such as `17/2/100:105:/100:110:103:SAVE`, which contains a number, an epoch and a
  /// reader's snapshots.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self.init(number)
      return
    }
    let parts = try container.decode(String.self).split(separator: "/", omittingEmptySubsequences: false)
    let seen = parts.count == 4 ? TransactionSnapshot(parts[2]) : nil
    guard parts.count == 4, let number = Int64(parts[0]), let epoch = Int64(parts[1]),
      seen != nil || parts[2].isEmpty, let current = TransactionSnapshot(parts[3])
    else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a history position")
    }
    self.init(number, .reader(epoch: epoch, seen: seen, current: current))
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    guard case .reader(let epoch, let seen, let current)? = mark else { return try container.encode(number) }
    try container.encode("\(number)/\(epoch)/\(seen?.text ?? "")/\(current.text)")
  }
}
