import Foundation
import Trellis

/// What the store says of itself.
struct PostgresMetadata {
  /// Grows when older versions of this library could no longer use the tables.
  static let currentFormat = 1

  typealias Key = StoreMetadata.Key

  /// A version whose programs may use the store.
  struct Former: Equatable {
    let version: Schema.Version
    let fingerprint: String
  }

  let identifier: String
  let fingerprint: String
  let version: Schema.Version
  /// The versions before the present one whose programs may use the store, oldest first.
  let former: [Former]
  /// True if the database checks references.
  let hasForeignKeys: Bool
  /// How often a migration has kept programs of earlier versions from using the store.
  let generation: Int64
  /// The number under which the names of the program are recorded; 0 if they are not.
  var historyEpoch: Int64 = 0
  /// See `Schema.valueTypes`.
  private let valueTypes: String
  private let values: [String: String]
  private let place: String

  /// - Throws: `SwiftDataError` for tables of a newer version of this library, and for a damaged table.
  init(_ values: [String: String], place: String) throws {
    let format = values[Key.format].flatMap { Int($0) } ?? 0
    // A newer format may have other rows.
    guard format <= Self.currentFormat else {
      throw SwiftDataError.opening(
        .newerFormat,
        "the tables were written by a newer version of this library (format \(format)); update the program", path: place
      )
    }
    guard format > 0, let identifier = values[Key.identifier],
      let fingerprint = values[Key.fingerprint], let version = values[Key.version],
      let valueTypes = values[Key.valueTypes],
      let history = values[HistoryState.key].flatMap({ HistoryState($0) }),
      [Key.schema, Key.tables, Key.columns].allSatisfy({ values[$0] != nil })
    else { throw Self.damaged("lacks what the store says of itself", place) }
    self.values = values
    self.place = place
    self.valueTypes = valueTypes
    self.identifier = identifier
    self.fingerprint = fingerprint
    self.version = Schema.Version(text: version)
    former = (values[Key.former] ?? "").split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ")
      return parts.count == 2
        ? Former(version: Schema.Version(text: String(parts[0])), fingerprint: String(parts[1])) : nil
    }
    hasForeignKeys = values[Key.foreignKeys] == "1"
    generation = history.generation
  }

  /// The oldest version whose programs may use the store.
  var minimum: Schema.Version { former.first?.version ?? version }

  /// The version, which is compared with that of a program.
  var stored: StoredVersion {
    StoredVersion(version, fingerprint, valueTypes, oldest: minimum) { try schema }
  }

  /// False if a migration has changed the store between the two.
  func isOfSameMigration(as other: Self) -> Bool {
    version == other.version && fingerprint == other.fingerprint && former == other.former
  }

  /// The tables of the store.
  ///
  /// - Throws: `SwiftDataError` with `StoreProblem.damaged` if it cannot be read.
  var tables: [TableDefinition] { get throws { try decoded(Key.tables) } }
  /// The schema of the store.
  ///
  /// - Throws: `SwiftDataError` with `StoreProblem.damaged` if it cannot be read.
  var schema: Schema { get throws { try decoded(Key.schema) } }

  /// The schema of the first of the ``former`` versions; nil if there is none.
  var oldest: Schema? {
    get throws {
      guard let first = former.first, values[Key.oldest]?.isEmpty == false else { return nil }
      let schema: Schema = try decoded(Key.oldest)
      return SchemaFingerprint.text(of: schema) == first.fingerprint ? schema : nil
    }
  }

  private func decoded<T: Codable>(_ key: String) throws -> T {
    let text = values[key] ?? ""
    guard let value = try? JSONColumn.value(T.self, from: Data(text.utf8)) else {
      throw Self.damaged("has no '\(key)' that this library can read", place)
    }
    return value
  }

  static func damaged(_ explanation: String, _ place: String) -> SwiftDataError {
    .opening(
      .damaged, "the table '\(StoreCatalogue.metadataTable)' \(explanation); go back to a backup", path: place)
  }

  // MARK: writing

  /// What the metadata says of a schema, its tables, and the versions whose programs may use the store.
  static func description(
    of catalogue: StoreCatalogue, version: Schema.Version, former: [Former], oldest: Schema?
  ) throws -> [(key: String, value: String)] {
    try StoreMetadata.description(of: catalogue, version: version) + [
      (Key.former, former.map { "\($0.version) \($0.fingerprint)" }.joined(separator: "\n")),
      (Key.oldest, try oldest.map { try JSONColumn.text(of: $0) } ?? ""),
    ]
  }

  /// A statement that writes a value.
  static func writing(_ key: String, _ value: String, _ tables: InternalTables) -> SQLFragment {
    """
    INSERT INTO \(name: tables.metadata) VALUES (\(value: .text(key)), \(value: .text(value)))
    ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"
    """
  }
}

extension StoreMetadata.Key {
  /// The versions before the present one whose programs may use the store: one per line, with its fingerprint.
  static let former = "former versions"
  /// The schema of the oldest of them, as JSON; empty if there is none.
  static let oldest = "oldest version"
  /// `1` if the database checks references.
  static let foreignKeys = "foreign keys"
}

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
