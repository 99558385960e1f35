import Foundation
import Trellis

/// A custom transaction type.
struct NotebookLine: HistoryTransaction {
  let author: String?
  let changes: [HistoryChange]
  let storeIdentifier: String
  let timestamp: Date
  let token: NotebookToken
  var transactionIdentifier: Int { token.line }
  var id: Int { token.line }

  static func == (lhs: Self, rhs: Self) -> Bool { lhs.token == rhs.token }
  func hash(into hasher: inout Hasher) { hasher.combine(token) }
}

struct NotebookToken: HistoryToken {
  var line: Int
  var tokenValue: Int? { line }
  var id: Int { line }
  static func < (lhs: Self, rhs: Self) -> Bool { lhs.line < rhs.line }
}

struct NotebookInsert<Model: PersistentModel>: HistoryInsert {
  let changeIdentifier: Int
  let changedPersistentIdentifier: PersistentIdentifier
  let transactionIdentifier: Int
}

struct NotebookUpdate<Model: PersistentModel>: HistoryUpdate {
  let changeIdentifier: Int
  let changedPersistentIdentifier: PersistentIdentifier
  let transactionIdentifier: Int
  let updatedAttributes: [any PartialKeyPath<Model> & Sendable]
}

struct NotebookDelete<Model: PersistentModel>: HistoryDelete {
  let changeIdentifier: Int
  let changedPersistentIdentifier: PersistentIdentifier
  let transactionIdentifier: Int
  let tombstone: HistoryTombstone<Model>
}
