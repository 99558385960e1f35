/// Changes that the page sends, to be saved all at once.
struct Draft: Decodable, Sendable {
  struct Change: Decodable, Sendable {
    /// The value as the page has read it; nil for nil.
    var from: String?
    var to: String?
  }

  struct ListChange: Decodable, Sendable {
    var add: [String] = []
    var remove: [String] = []
  }

  struct Update: Decodable, Sendable {
    var entity: String
    var key: String
    var values: [String: Change]?
    var lists: [String: ListChange]?
  }

  struct Insert: Decodable, Sendable {
    var entity: String
    /// The name of the row in this draft, such as `new-1`.
    var id: String
    var values: [String: String?]?
    var lists: [String: ListChange]?
  }

  struct Deletion: Decodable, Sendable {
    var entity: String
    var key: String
  }

  var updates: [Update]?
  var inserts: [Insert]?
  var deletes: [Deletion]?
  /// The ``DraftAnswer/Consequences/fingerprint`` that the user has seen.
  var confirmed: String?
  /// True if nothing is saved.
  var isTrial: Bool?
}

/// The answer to a draft.
struct DraftAnswer: Encodable, Sendable {
  enum Outcome: String, Encodable, Sendable {
    case saved, trial
    /// The user has not seen the present consequences for other rows.
    case confirm
    /// Values have changed since the page read them.
    case conflict
    /// The changes violate rules of the schema.
    case invalid
  }

  struct Problem: Encodable, Sendable {
    var entity: String
    /// A key, or the name of a new row.
    var key: String
    var property: String?
    var message: String
    /// The number of other rows that are the cause.
    var count = 0
    /// The first of the other rows.
    var others: [RowLink] = []
  }

  struct Conflict: Encodable, Sendable {
    var entity: String
    var key: String
    var label: String
    /// Nil if the row was deleted.
    var property: String?
    var from: String?
    var theirs: String?
    var mine: String?
  }

  struct Consequences: Encodable, Sendable {
    struct Deleted: Encodable, Sendable {
      var entity: String
      var count: Int
      var rows: [RowLink]
    }
    struct Cleared: Encodable, Sendable {
      var entity: String
      var property: String
      var count: Int
      var rows: [RowLink]
    }
    /// Differs if other rows are affected, or if a deleted row has changed.
    var fingerprint: String
    var deleted: [Deleted]
    var cleared: [Cleared]
  }

  var outcome: Outcome
  /// The keys of new rows by name.
  var keys: [String: String] = [:]
  var problems: [Problem] = []
  var conflicts: [Conflict] = []
  /// Nil if the draft deletes no rows and takes none from others.
  var consequences: Consequences?
}
