import Foundation
import Trellis

/// The store's metadata.
struct PostgresMetadata {
  /// The format version, which is incremented when older releases of this library can no longer use the tables.
  static let currentFormat = 1

  typealias Key = StoreMetadata.Key

  /// An earlier app version that may still use the store.
  struct Former: Equatable {
    let version: Schema.Version
    let fingerprint: String
  }

  let identifier: String
  let fingerprint: String
  let version: Schema.Version
  /// Earlier versions that may still use the store, oldest first.
  let former: [Former]
  /// True if the database checks references.
  let hasForeignKeys: Bool
  /// The number of migrations that have excluded earlier app versions.
  let generation: Int64
  /// The epoch under which this schema's names are recorded; 0 if they are not recorded.
  var historyEpoch: Int64 = 0
  /// See `Schema.valueTypes`.
  private let valueTypes: String
  private let values: [String: String]
  private let place: String

  /// - Throws: `SwiftDataError` if a newer release of this library wrote the tables, or if the metadata is damaged.
  init(_ values: [String: String], place: String) throws {
    let format = values[Key.format].flatMap { Int($0) } ?? 0
    // Checked first, because a newer format may have different entries.
    guard format <= Self.currentFormat else {
      throw SwiftDataError.opening(
        .newerFormat,
        "the tables were written by a newer version of this library (format \(format)); update the app", path: place
      )
    }
    guard format > 0, let identifier = values[Key.identifier],
      let fingerprint = values[Key.fingerprint], let version = values[Key.version],
      let valueTypes = values[Key.valueTypes],
      let history = values[HistoryState.key].flatMap({ HistoryState($0) }),
      [Key.schema, Key.tables, Key.columns].allSatisfy({ values[$0] != nil })
    else { throw Self.damaged("lacks required entries", place) }
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

  /// The oldest version that may use the store.
  var minimum: Schema.Version { former.first?.version ?? version }

  /// The store's version, for comparison with the app's version.
  var stored: StoredVersion {
    StoredVersion(version, fingerprint, valueTypes, oldest: minimum) { try schema }
  }

  /// True if no migration has changed the store between the two reads.
  func isOfSameMigration(as other: Self) -> Bool {
    version == other.version && fingerprint == other.fingerprint && former == other.former
  }

  /// The store's tables.
  ///
  /// - Throws: `SwiftDataError` with `StoreProblem.damaged` if the entry cannot be read.
  var tables: [TableDefinition] { get throws { try decoded(Key.tables) } }
  /// The store's schema.
  ///
  /// - Throws: `SwiftDataError` with `StoreProblem.damaged` if the entry cannot be read.
  var schema: Schema { get throws { try decoded(Key.schema) } }

  /// The schema of the oldest ``former`` version, if any.
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
      throw Self.damaged("has no readable entry '\(key)'", place)
    }
    return value
  }

  static func damaged(_ explanation: String, _ place: String) -> SwiftDataError {
    .opening(
      .damaged, "the table '\(StoreCatalogue.metadataTable)' \(explanation); restore a backup", path: place)
  }

  // MARK: writing

  /// Returns the metadata entries for a schema, its tables, and the earlier versions that may use the store.
  static func description(
    of catalogue: StoreCatalogue, version: Schema.Version, former: [Former], oldest: Schema?
  ) throws -> [(key: String, value: String)] {
    try StoreMetadata.description(of: catalogue, version: version) + [
      (Key.former, former.map { "\($0.version) \($0.fingerprint)" }.joined(separator: "\n")),
      (Key.oldest, try oldest.map { try JSONColumn.text(of: $0) } ?? ""),
    ]
  }

  /// Returns the statement that writes an entry.
  static func writing(_ key: String, _ value: String, _ tables: InternalTables) -> SQLFragment {
    """
    INSERT INTO \(name: tables.metadata) VALUES (\(value: .text(key)), \(value: .text(value)))
    ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"
    """
  }
}

extension StoreMetadata.Key {
  /// Earlier versions that may still use the store: one per line, followed by the fingerprint.
  static let former = "former versions"
  /// The schema of the oldest former version, as JSON; empty if missing.
  static let oldest = "oldest version"
  /// `1` if the database checks references.
  static let foreignKeys = "foreign keys"
}

/// The store's internal tables, and the database schema that contains all tables.
package struct InternalTables: Sendable {
  /// `nil` for the first schema on the user's search path.
  let schemaName: String?

  /// Returns a table name qualified with the database schema.
  package func qualified(_ table: String) -> String {
    schemaName.map { "\($0)\(PostgresName.separator)\(table)" } ?? table
  }

  /// The metadata: text values by key.
  var metadata: String { qualified(StoreCatalogue.metadataTable) }
  /// One row per transaction.
  var transactions: String { qualified(HistoryTables.transactions) }
  /// Preserved values of deleted rows.
  var tombstones: String { qualified(HistoryTables.tombstones) }
  /// The entity and property names that recorded changes refer to by number.
  var names: String { qualified(HistoryTables.names) }
  /// The sequence of transaction numbers.
  var numbers: String { qualified(Self.numbersName) }
  package static let numbersName = "trellis_history_numbers"

  /// The history tables.
  var history: [String] { [transactions, tombstones] }

  /// The check constraint that prevents earlier app versions from saving.
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
