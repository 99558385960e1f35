public import Foundation
public import Trellis

/// The saves recorded in a file.
struct JSONHistory: Codable, Sendable {
  struct Transaction: Codable, Sendable {
    var number: Int
    var author: String?
    var timestamp: Date
    var changes: [Change]
  }

  /// A change to a model, with the changed attribute names and the tombstone as JSON.
  struct Change: Codable, Sendable {
    enum Kind: String, Codable { case insert, update, delete }

    var kind: Kind
    var identifier: PersistentIdentifier
    var attributes: [String]?
    var tombstone: Data?
  }

  private(set) var last = 0
  /// Tokens before this transaction are expired.
  private(set) var forgotten = 0
  private(set) var transactions: [Transaction] = []

  mutating func add(_ changes: [Change], _ editingState: EditingState, limit: Int) {
    guard !changes.isEmpty else { return }
    last += 1
    guard editingState.recordsHistory else { return forgotten = last }
    transactions.append(Transaction(number: last, author: editingState.author, timestamp: Date(), changes: changes))
    forget(Set(transactions.dropLast(max(0, limit)).map(\.number)))
  }

  mutating func forget(_ numbers: Set<Int>) {
    transactions.removeAll { numbers.contains($0.number) }
    forgotten = max(forgotten, numbers.max() ?? 0)
  }

  /// Deletes all transactions. All tokens expire.
  mutating func forgetAll() {
    last += 1
    forgotten = last
    transactions = []
  }
}

extension JSONHistory.Change {
  /// Returns nil if all attributes have their former values.
  static func update(_ model: DefaultSnapshot, since former: DefaultSnapshot) -> Self? {
    func names<M: PersistentModel>(_: M.Type) -> [String] {
      model.changedKeyPaths(of: M.self, since: former).compactMap { Schema.propertyNames(along: $0)?.first }
    }
    guard let attributes = model.modelType.map({ names($0) }), !attributes.isEmpty else { return nil }
    return Self(kind: .update, identifier: model.persistentIdentifier, attributes: attributes)
  }

  static func deletion(_ model: DefaultSnapshot) throws -> Self {
    func data<M: PersistentModel>(_: M.Type) throws -> Data { try JSONCoder.encoded(HistoryTombstone<M>(model)) }
    let left = try model.modelType.map { try data($0) }
    return Self(kind: .delete, identifier: model.persistentIdentifier, tombstone: left)
  }

  /// The change, typed by the model's class.
  func change<M: PersistentModel>(_: M.Type, at offset: Int, of transaction: Int) throws -> HistoryChange {
    let change = JSONFileChange<M>(
      changeIdentifier: transaction << 32 + offset, changedPersistentIdentifier: identifier,
      transactionIdentifier: transaction,
      updatedAttributes: (attributes ?? []).compactMap { Schema.keyPath(named: $0, of: M.self) },
      tombstone: try tombstone.map { try JSONCoder.decoded(HistoryTombstone<M>.self, from: $0) } ?? .init([]))
    return switch kind {
    case .insert: .insert(change)
    case .update: .update(change)
    case .delete: .delete(change)
    }
  }
}

/// A transaction that records a save in a ``JSONFileStore``.
public struct JSONFileTransaction: HistoryTransaction {
  public let author: String?
  public let changes: [HistoryChange]
  public let storeIdentifier: String
  public let timestamp: Date
  public let token: JSONFileToken
  public var transactionIdentifier: Int { token.number }
  public var id: JSONFileToken { token }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.token == rhs.token }
  public func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

/// A position in a ``JSONFileStore``'s history.
public struct JSONFileToken: HistoryToken {
  public let storeIdentifier: String
  let number: Int
  public var tokenValue: Int? { number }
  public var id: Int { number }

  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.storeIdentifier, lhs.number) < (rhs.storeIdentifier, rhs.number)
  }
}

/// A change to a model in a ``JSONFileTransaction``.
public struct JSONFileChange<Model: PersistentModel>: HistoryInsert, HistoryUpdate, HistoryDelete {
  public let changeIdentifier: Int
  public let changedPersistentIdentifier: PersistentIdentifier
  public let transactionIdentifier: Int
  public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
  public let tombstone: HistoryTombstone<Model>
}
