import CSQLite
package import Foundation
import Trellis

/// The amount of history to keep: a duration (`30d`, `12h`) or a number of transactions.
package enum HistoryPolicy: Sendable, Equatable {
  case age(seconds: Double)
  case newest(Int64)

  package init?(_ text: String) {
    let units: [Character: Double] = ["h": 3_600, "d": 86_400, "w": 7 * 86_400]
    guard let last = text.last else { return nil }
    if let unit = units[last], let number = Int32(text.dropLast()), number > 0 {
      self = .age(seconds: Double(number) * unit)
    } else if let count = Int64(text), count > 0 {
      self = .newest(count)
    } else {
      return nil
    }
  }
}

/// A store's size, by part.
package struct StoreInfo: Encodable, Sendable {
  package struct Part: Encodable, Sendable {
    package let name: String
    package let bytes: Int64
  }

  package struct Table: Encodable, Sendable {
    package let name: String
    package let rows: Int64
    package let bytes: Int64
    package let indexes: [Part]
  }

  package struct Files: Encodable, Sendable {
    package var count = 0
    package var bytes: Int64 = 0
  }

  package struct History: Encodable, Sendable {
    package let isRecorded: Bool
    package let transactions: Int64
    /// As ISO text, in UTC.
    package let oldest: String?
    package let bytes: Int64
    /// The number and size of transactions that the policy would delete; `nil` if no policy is given.
    package var removable: Files?
  }

  package let store: String
  package let identifier: String
  package let version: String
  package let bytes: Int64
  package let logBytes: Int64
  package let pageSize: Int64
  package let pages: Int64
  package let freePages: Int64
  /// True if SQLite cannot report table sizes, so that they are estimated from the rows.
  package let isEstimated: Bool
  /// All tables, including third-party tables.
  package let tables: [Table]
  package let externalFiles: Files
  package let history: History
}

extension StoreInfo {
  /// Reads a store's sizes.
  ///
  /// - Parameter now: The reference time for age-based policies.
  package init(_ path: String, keeping policy: HistoryPolicy? = nil, now: Date = .now) throws {
    let store = try ExaminedStore(path)
    do {
      self = try store.read { try StoreInfo(store, policy, now) }
    } catch let error as SQLiteError {
      throw CareFailure(error, path)
    }
  }

  private init(_ store: ExaminedStore, _ policy: HistoryPolicy?, _ now: Date) throws {
    let connection = store.connection
    func number(_ query: SQLFragment) throws -> Int64 { try connection.integers(query).first ?? 0 }
    self.store = store.path
    identifier = store.metadata.identifier
    version = store.metadata.version.description
    bytes = FileStamp.size(store.path)
    logBytes = FileStamp.size(store.path + "-wal")
    pageSize = try number("PRAGMA page_size")
    pages = try number("PRAGMA page_count")
    freePages = try number("PRAGMA freelist_count")
    let measured = try? Self.measuredSizes(connection)
    isEstimated = measured == nil
    let names = try connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    ).map(\.[0].text)
    tables = try names.map { name in
      let indexes = try connection.rows("PRAGMA index_list(\(name: name))").map(\.[1].text)
      return Table(
        name: name, rows: try number("SELECT count(*) FROM \(name: name)"),
        bytes: try measured?[name] ?? (measured == nil ? Self.estimatedSize(of: name, connection) : 0),
        indexes: indexes.compactMap { index in
          // In a `WITHOUT ROWID` table, the primary key index is the table itself.
          measured?[index].map { Part(name: index, bytes: $0) }
        })
    }
    externalFiles = Self.files(store)
    history = try Self.history(store, policy, now)
  }

  /// Reads SQLite's `dbstat` table, which some builds lack.
  private static func measuredSizes(_ connection: Connection) throws -> [String: Int64] {
    let rows = try connection.rows("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE")
    return Dictionary(
      rows.map { row in
        if case .integer(let size) = row[1] { (row[0].text, size) } else { (row[0].text, 0) }
      }, uniquingKeysWith: { $0 + $1 })
  }

  /// Estimates a table's size from its first rows.
  private static func estimatedSize(of table: String, _ connection: Connection) throws -> Int64 {
    let columns = try connection.rows("PRAGMA table_info(\(name: table))").map(\.[1].text)
    let length = columns.map { "ifnull(octet_length(\(name: $0)), 0) + 2" as SQLFragment }.joined(separator: " + ")
    let rows = try connection.rows(
      """
      SELECT (SELECT count(*) FROM \(name: table)),
      (SELECT avg(size) FROM (SELECT \(length) + 8 AS size FROM \(name: table) LIMIT 1000))
      """)
    guard case .integer(let count)? = rows.first?[0], case .real(let size)? = rows.first?[1] else { return 0 }
    return Int64(Double(count) * size)
  }

  private static func files(_ store: ExaminedStore) -> Files {
    let folder = ExternalFiles(storePath: store.path, columns: []).folder
    var files = Files()
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      guard CompanionFile.isRegular("\(folder)/\(name)") else { continue }
      files.count += 1
      files.bytes += FileStamp.size("\(folder)/\(name)")
    }
    return files
  }

  private static func history(
    _ store: ExaminedStore, _ policy: HistoryPolicy?, _ now: Date
  ) throws -> History {
    let connection = store.connection
    let table: SQLFragment = "\(name: HistoryTables.transactions)"
    func content(where condition: SQLFragment) throws -> Files {
      let tombstones = (0..<HistoryTables.valuesPerRow).map {
        "ifnull(length(CAST(\(name: HistoryTables.value($0)) AS BLOB)), 0)" as SQLFragment
      }.joined(separator: " + ")
      let own = try connection.integers(
        """
        SELECT count(*) FROM \(table) WHERE "changes" IS NOT NULL AND \(condition) UNION ALL
        SELECT ifnull(sum(24 + ifnull(length("changes"), 0) + ifnull(length("author"), 0) + length("bundle")), 0)
        FROM \(table) WHERE "changes" IS NOT NULL AND \(condition) UNION ALL
        SELECT ifnull(sum(16 + \(tombstones)), 0) FROM \(name: HistoryTables.tombstones)
        WHERE "transaction" IN (SELECT "id" FROM \(table) WHERE \(condition))
        """)
      guard own.count == 3 else { return Files() }
      return Files(count: Int(own[0]), bytes: own[1] + own[2])
    }
    let all = try content(where: "1")
    let oldest = try connection.rows("SELECT min(\"time\") FROM \(table) WHERE \"changes\" IS NOT NULL").first?.first
    var history = History(
      isRecorded: !store.metadata.isHistoryOff, transactions: Int64(all.count),
      oldest: {
        // Ignores damaged times: ISO dates cannot express these years.
        guard case .real(let time)? = oldest, abs(time) < 1e11 else { return nil }
        return Date(timeIntervalSinceReferenceDate: time).formatted(.iso8601)
      }(),
      bytes: all.bytes)
    let last = try connection.integers("SELECT max(\"id\") FROM \(table)").first ?? 0
    switch policy {
    case nil: break
    // The last transaction is always kept, as in the app.
    case .newest(let count)?:
      history.removable = try content(
        where: "\"id\" <= \(value: .integer(last &- count)) AND \"id\" < \(value: .integer(last))")
    case .age(let seconds)?:
      let end = now.timeIntervalSinceReferenceDate - seconds
      history.removable = try content(
        where: "\"time\" < \(value: .real(end)) AND \"id\" < \(value: .integer(last))")
    }
    return history
  }
}

extension StoreInfo {
  package var text: String {
    var lines = [
      "\(store): version \(version), \(ByteCount.text(bytes))",
      "  log            \(ByteCount.text(logBytes))",
      "  free           \(freePages) of \(pages) pages (\(ByteCount.text(freePages * pageSize)))",
      "  external files \(externalFiles.count) (\(ByteCount.text(externalFiles.bytes)))",
      "  history        \(historyText)",
      "  tables\(isEstimated ? " (estimated, without indexes)" : "")",
    ]
    for table in tables.sorted(by: { ($1.bytes, $0.name) < ($0.bytes, $1.name) }) {
      lines.append("    \(table.name): \(counted(table.rows, "row")), \(ByteCount.text(table.bytes))")
      lines += table.indexes.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }.map {
        "      index \($0.name): \(ByteCount.text($0.bytes))"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var historyText: String {
    var text = "\(counted(history.transactions, "transaction")), \(ByteCount.text(history.bytes))"
    if let oldest = history.oldest { text += ", since \(oldest)" }
    if !history.isRecorded { text += "; recording is off" }
    if let removable = history.removable {
      text += "; the policy would free \(counted(removable.count, "transaction")) (\(ByteCount.text(removable.bytes)))"
    }
    return text
  }
}
