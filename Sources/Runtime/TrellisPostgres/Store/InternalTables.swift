import Trellis

/// The tables of the store beside those of the models, and the schema of the database that has all of them.
struct InternalTables: Sendable {
  /// Nil for the first schema on the search path of the user.
  let schemaName: String?

  /// The name of a table together with its schema.
  func qualified(_ table: String) -> String {
    schemaName.map { "\($0)\(PostgresName.separator)\(table)" } ?? table
  }

  /// What the store knows about itself: texts by key.
  var metadata: String { qualified(StoreCatalogue.metadataTable) }
  /// One row per transaction.
  var transactions: String { qualified(HistoryTables.transactions) }
  /// The preserved values of deleted rows.
  var tombstones: String { qualified(HistoryTables.tombstones) }
  /// The names that the numbers in the changes stand for.
  var names: String { qualified(HistoryTables.names) }
  /// The numbers of transactions.
  var numbers: String { qualified(Self.numbersName) }
  static let numbersName = "trellis_history_numbers"

  /// The tables with the history.
  var history: [String] { [transactions, tombstones] }

  /// The name of the constraint that keeps programs of earlier versions from saving.
  static let generation = "trellis_generation"

  func definitions(_ commits: CommitOrder) -> [SQLFragment] {
    var all: [SQLFragment] = ["CREATE TABLE \(name: metadata) (\"key\" text PRIMARY KEY, \"value\" text)"]
    all += commits.sequences
    all += [
      """
      CREATE TABLE \(name: transactions) (
        \(commits.columns),
        "save" uuid NOT NULL,
        "time" double precision NOT NULL,
        "author" text,
        "bundle" text NOT NULL,
        "process" text NOT NULL,
        "changes" bytea,
        "generation" bigint NOT NULL DEFAULT 0,
        CONSTRAINT \(name: Self.generation) CHECK ("generation" >= 0)
      )
      """,
      """
      CREATE INDEX \(name: "trellis_history_forgotten_index") ON \(name: transactions) ("id") WHERE "changes" IS NULL
      """,
      "CREATE UNIQUE INDEX \(name: "trellis_history_save_unique") ON \(name: transactions) (\"save\")",
      """
      CREATE TABLE \(name: tombstones) (
        "save" uuid NOT NULL, "entity" bigint NOT NULL, "key" bigint NOT NULL, "values" text NOT NULL,
        PRIMARY KEY ("save", "entity", "key")
      )
      """,
      "CREATE TABLE \(name: names) (\"epoch\" bigint PRIMARY KEY, \"names\" text NOT NULL)",
    ]
    return all + commits.indexes
  }
}
