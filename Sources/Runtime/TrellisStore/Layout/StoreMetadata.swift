import CSQLite
import Foundation

/// The store's metadata table.
package struct StoreMetadata: Sendable {
  /// The file format version. Increases when older library versions can no longer read the file.
  package static let currentFormat: Int64 = 1

  package var format: Int64 = currentFormat
  package var identifier: String
  package var fingerprint = ""
  package var version = Schema.Version(0, 0, 0)
  /// Raw attribute types and struct properties; see ``Schema/valueTypes``.
  var valueTypes = ""
  package var marks: Set<ColumnFlags.Mark> = []
  /// SQLite's schema change counter when the table definitions were last validated.
  package var definitions: Int64 = 0

  /// The number of completed migrations.
  var migrations: Int64 = 0
  /// The last migration that did more than add declarations. Apps that opened the store earlier may misread values.
  var lastRewrite: Int64 = 0
  /// The number under which history changes refer to this schema version.
  package var historyEpoch: Int64 = 0
  /// The property order in the history names for `historyEpoch`.
  var order = ""
  /// True if the last app that opened the store for writing records no history.
  package var isHistoryOff = false
  /// True if an app whose schema has a released version has opened the store for writing.
  var isReleased = false

  /// Returns true if both have the same schema version.
  func isOfVersion(of other: Self) -> Bool { fingerprint == other.fingerprint && version == other.version }

  package enum Key {
    package static let migrations = "migrations"
    static let lastRewrite = "last rewrite"
    package static let historyEpoch = "history epoch"
    /// The property order in the current history names.
    package static let order = "order"
    /// The last deleted history transaction.
    package static let historyFloor = "history floor"
    package static let historyOff = "history off"
    static let released = "released"
    package static let format = "format"
    package static let identifier = "identifier"
    package static let fingerprint = "fingerprint"
    package static let version = "version"
    package static let valueTypes = "value types"
    package static let definitions = "definitions"
    /// Written as the first row in a new store's write-ahead log.
    static let log = "log"
    package static let schema = "schema"
    /// The schema source text, if available to the app.
    package static let source = "source"
    package static let tables = "tables"
    /// Column names by class and property, for tools.
    package static let columns = "columns"
    package static let markPrefix = "mark "
    package static let nextPrefix = "next "
  }

  /// The valid range for counters that only increase, with ample room to grow.
  static let numbers = 0...(Int64.max / 2)

  /// Reads the rows needed on every open; `nil` if the table or a required row is missing.
  ///
  /// - Throws: ``SwiftDataError`` with ``StoreProblem/newerFormat`` if a newer library version wrote the store, and
  ///   with ``StoreProblem/damaged`` if a number is out of range.
  package init?(_ connection: Connection) throws {
    let table: SQLFragment = "\(name: StoreCatalogue.metadataTable)"
    let name = SQLValue.text(StoreCatalogue.metadataTable)
    let tables = try connection.rows("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = \(value: name)")
    guard !tables.isEmpty else { return nil }
    let rows = try connection.rows(
      """
      SELECT "key", CASE WHEN "key" IN
      (\(value: .text(Key.schema)), \(value: .text(Key.source)), \(value: .text(Key.tables)),
      \(value: .text(Key.columns))) THEN NULL ELSE "value" END FROM \(table)
      """)
    var values: [String: SQLValue] = [:]
    for row in rows { if case .text(let key) = row[0] { values[key] = row[1] } }
    func number(_ key: String) throws -> Int64 {
      guard case .integer(let number)? = values[key] else { return 0 }
      guard Self.numbers.contains(number) else {
        throw connection.damage(
          "its own table '\(StoreCatalogue.metadataTable)' has \(number) as its '\(key)', which is "
            + "out of range")
      }
      return number
    }
    // A newer format may have different rows.
    let format = try number(Key.format)
    guard format <= Self.currentFormat else {
      throw SwiftDataError.opening(
        .newerFormat,
        "the store has format \(format), but this library only supports up to \(Self.currentFormat): update the app",
        path: connection.path)
    }
    func text(_ key: String) -> String? { if case .text(let text)? = values[key] { text } else { nil } }
    guard format > 0, let identifier = text(Key.identifier), let fingerprint = text(Key.fingerprint),
      let version = text(Key.version), let valueTypes = text(Key.valueTypes),
      [Key.historyEpoch, Key.schema, Key.tables, Key.columns].allSatisfy({ values[$0] != nil })
    else { return nil }
    self.format = format
    self.identifier = identifier
    self.fingerprint = fingerprint
    self.version = Schema.Version(text: version)
    self.valueTypes = valueTypes
    definitions = try number(Key.definitions)
    migrations = try number(Key.migrations)
    lastRewrite = try number(Key.lastRewrite)
    historyEpoch = try number(Key.historyEpoch)
    order = text(Key.order) ?? ""
    isHistoryOff = values[Key.historyOff] == .integer(1)
    isReleased = values[Key.released] == .integer(1)
    marks = Set(values.keys.compactMap(ColumnFlags.Mark.init(key:)))
  }

  /// Creates the metadata for a new store.
  init(identifier: String? = nil) {
    self.identifier = identifier ?? UUID.unique().uuidString
  }

  /// Rereads the column marks.
  package static func marks(_ connection: Connection) throws -> Set<ColumnFlags.Mark> {
    // Selects keys from "mark " to "mark!", because the exclamation mark follows the space in ASCII.
    let rows = try connection.rows(
      """
      SELECT "key" FROM \(name: StoreCatalogue.metadataTable)
      WHERE "key" >= \(value: .text(Key.markPrefix)) AND "key" < \(value: .text("mark!"))
      """)
    return Set(rows.compactMap { ColumnFlags.Mark(key: $0[0].text) })
  }

  /// Returns the metadata rows that describe a schema and its tables.
  package static func description(
    of catalogue: StoreCatalogue, version: Schema.Version
  ) throws -> [(key: String, value: String)] {
    let schema = catalogue.schema
    let sources = schema.sources.map(\.text)
    return [
      (Key.fingerprint, SchemaFingerprint.text(of: schema)), (Key.version, version.description),
      (Key.valueTypes, schema.valueTypes), (Key.schema, try JSONColumn.text(of: schema)),
      (Key.tables, try JSONColumn.text(of: catalogue.tables)),
      (Key.columns, try JSONColumn.text(of: catalogue.columnNames)),
    ] + (sources.isEmpty ? [] : [(Key.source, sources.joined(separator: "\n"))])
  }

  static let table = TableDefinition(
    name: StoreCatalogue.metadataTable,
    columns: [
      ColumnDefinition(name: "key", type: .text, isRequired: true),
      ColumnDefinition(name: "value", type: .any),
    ], key: ["key"])

  package static func write(_ value: SQLValue, for key: String, _ connection: Connection) throws {
    try connection.executeCached(
      """
      INSERT INTO \(name: StoreCatalogue.metadataTable) ("key", "value")
      VALUES (\(value: .text(key)), \(value: value))
      ON CONFLICT ("key") DO UPDATE SET "value" = excluded."value"
      """)
  }

  package static func value(for key: String, _ connection: Connection) throws -> SQLValue? {
    try connection.rows(
      """
      SELECT "value" FROM \(name: StoreCatalogue.metadataTable)
      WHERE "key" = \(value: .text(key))
      """
    ).first?.first
  }

  static func text(for key: String, _ connection: Connection) throws -> String? {
    if case .text(let text)? = try value(for: key, connection) { text } else { nil }
  }

  /// Decodes a JSON value; `nil` if it is missing or cannot be decoded.
  package static func decoded<T: Codable>(_ type: T.Type, for key: String, _ connection: Connection) throws -> T? {
    try text(for: key, connection).flatMap { try? JSONColumn.value(T.self, from: Data($0.utf8)) }
  }

  /// Stores the tables' next keys under the new table names. Two tables may swap names.
  static func renameNextKeys(_ tables: [(from: String, to: String)], _ connection: Connection) throws {
    let renamed = tables.filter { $0.from != $0.to }
    let values = try renamed.map { try value(for: Key.nextPrefix + $0.from, connection) }
    for (table, value) in zip(renamed, values) {
      if let value { try write(value, for: Key.nextPrefix + table.to, connection) }
    }
  }
}

extension Connection {
  /// The database file; empty for an in-memory database.
  fileprivate var path: String { sqlite3_db_filename(handle, "main").map { String(cString: $0) } ?? "" }

  /// Returns an error that describes the damage and how to recover.
  func damage(_ explanation: String) -> SwiftDataError {
    .opening(
      .damaged, "the store is damaged: \(explanation); restore a copy of the store", path: path)
  }
}

extension ColumnFlags.Mark {
  /// For example, `mark not NFC: Trip.name`. Swift names contain no dots.
  package var key: String { StoreMetadata.Key.markPrefix + "\(kind.rawValue): \(table).\(column)" }

  package init?(key: String) {
    guard key.hasPrefix(StoreMetadata.Key.markPrefix) else { return nil }
    let rest = key.dropFirst(StoreMetadata.Key.markPrefix.count)
    guard let colon = rest.firstRange(of: ": "),
      let kind = ColumnFlags.Kind(rawValue: String(rest[..<colon.lowerBound])),
      let dot = rest[colon.upperBound...].firstIndex(of: ".")
    else { return nil }
    self.init(
      kind: kind, table: String(rest[colon.upperBound..<dot]),
      column: String(rest[rest.index(after: dot)...]))
  }
}

extension Schema.Version {
  /// Parses `1.2.3`. Missing or invalid components are 0.
  package init(text: String) {
    let parts = text.split(separator: ".").map { Int($0) ?? 0 } + [0, 0, 0]
    self.init(max(0, parts[0]), max(0, parts[1]), max(0, parts[2]))
  }
}

/// The tables that every store contains in addition to the model tables.
package enum InternalTables {
  package static let all = [StoreMetadata.table] + HistoryTables.definitions
}

extension Connection {
  package func tableNames() throws -> Set<String> {
    Set(try rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map(\.[0].text))
  }
}
