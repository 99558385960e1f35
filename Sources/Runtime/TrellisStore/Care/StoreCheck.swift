import Foundation

/// A problem in a store's file, found by `check()`.
///
/// ```swift
/// for issue in try container.check() where issue.kind == .missingFile { print(issue) }
/// ```
///
/// Not in SwiftData.
public struct StoreIssue: Sendable, Hashable, CustomStringConvertible {
  /// The kind of problem.
  ///
  /// ```swift
  /// let isReadable = try container.check().allSatisfy { $0.kind == .orphanedFile }
  /// ```
  public enum Kind: String, Sendable {
    /// SQLite cannot read a page, or an index differs from its table: restore a backup.
    case damage
    /// A reference to a missing row.
    case danglingReference
    /// A table, column or index that a new store has is missing or differs.
    case tableDifference
    /// A row's large value is missing, or its file is damaged.
    case missingFile
    /// A file to which no row refers, or something other than a store's file, in the folder of large values.
    case orphanedFile
  }

  /// The kind of problem.
  public let kind: Kind
  /// The place and the reason.
  public let description: String
}

/// Tests that need no model classes: SQLite's own tests, the tables, and the external files.
package struct StoreCheck {
  private let connection: Connection
  private let catalogue: StoreCatalogue
  private let files: ExternalFiles
  /// The folder's contents, listed before the rows are read, so that a new file cannot seem to be orphaned.
  private let listed: [String]
  /// The files of unfinished transactions.
  private let pending: Set<String>

  /// - Parameter connection: Must not be in a transaction yet.
  package init(_ connection: Connection, _ catalogue: StoreCatalogue, path: String) {
    (self.connection, self.catalogue) = (connection, catalogue)
    files = ExternalFiles(storePath: path, columns: catalogue.externalColumns)
    listed = ((try? FileManager.default.contentsOfDirectory(atPath: files.folder)) ?? []).sorted()
    let lists = files.leftLists().filter(CompanionFile.isRegular).compactMap { try? CompanionFile.read($0) }
    pending = Set(lists.flatMap { String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init) })
  }

  /// - Parameter progress: Called with the completed part, from 0 to 1.
  package func issues(_ progress: (Double) -> Void) throws -> [StoreIssue] {
    let damage = try damage().map { StoreIssue(kind: .damage, description: $0) }
    progress(0.7)
    // Tables with damaged pages cannot be read reliably.
    guard damage.isEmpty else { return damage }
    let dangling = try catalogue.tables.flatMap { try connection.rows("PRAGMA foreign_key_check(\(name: $0.name))") }
      .map { row in
        StoreIssue(
          kind: .danglingReference, description: "'\(row[0].text)', row \(row[1].text): no row in '\(row[2].text)'")
      }
    progress(0.9)
    return try dangling + differences().map { StoreIssue(kind: .tableDifference, description: $0) }
      + fileProblems().map {
        StoreIssue(kind: $0.isOrphan ? .orphanedFile : .missingFile, description: "the file '\($0.name)' \($0.reason)")
      }
  }

  /// Returns SQLite's messages about damaged pages and indexes.
  package func damage() throws -> [String] {
    do {
      return try connection.rows("PRAGMA integrity_check").map(\.[0].text).filter { $0 != "ok" }
    } catch let error as SQLiteError where error.code == .corrupt {
      return [error.message]
    }
  }

  /// Returns missing and different tables, columns and indexes.
  package func differences() throws -> [String] {
    try connection.driftedColumns(of: HistoryTables.definitions)
      + connection.differences(from: catalogue, allowsMore: true)
  }

  /// Compares the external folder with the rows. Symbolic links are reported and never followed.
  package func fileProblems() throws -> [(name: String, reason: String, isOrphan: Bool)] {
    var problems: [(name: String, reason: String, isOrphan: Bool)] = []
    var known = pending.union(["pending"])
    for column in files.columns {
      for name in try connection.texts(in: column) where known.insert(name).inserted {
        let file = files.file(named: name)
        if let file, CompanionFile.isRegular(file.path), FileStamp.size(file.path) == file.length { continue }
        let reason = file == nil ? "is not a name that a store writes" : "is missing, damaged or a symbolic link"
        problems.append((name, "\(reason); '\(column.table).\(column.name)' refers to it", false))
      }
    }
    if try connection.tableNames().contains(ExternalFiles.table) {
      known.formUnion(try connection.texts(in: .init(table: ExternalFiles.table, name: "name")))
    }
    for name in listed where !known.contains(name) {
      let path = files.folder + "/" + name
      // The file may have been removed in the meantime.
      guard (try? FileManager.default.attributesOfItem(atPath: path)) != nil else { continue }
      let isFile = files.file(named: name) != nil && CompanionFile.isRegular(path)
      problems.append((name, isFile ? "belongs to no row" : "is not a file that a store writes", true))
    }
    return problems
  }
}

extension Connection {
  /// Returns the different texts in a column that may contain file names.
  func texts(in column: ExternalFiles.Column) throws -> [String] {
    try rows(
      "SELECT DISTINCT \(name: column.name) FROM \(name: column.table) WHERE typeof(\(name: column.name)) = 'text'"
    ).map(\.[0].text)
  }

  /// Rewrites the file without free pages, and truncates the write-ahead log.
  ///
  /// - Returns: False if another connection reads the file, so that the log still contains the new pages.
  /// - Throws: ``SQLiteError`` with the code `busy` if another connection uses the file. Nothing is changed then.
  package func compact() throws -> Bool {
    // The log would grow by the size of the whole file, and would not shrink, while another connection reads.
    guard try truncateLog() else {
      throw SQLiteError(extendedCode: SQLiteError.Code.busy.rawValue, message: "database is locked")
    }
    try execute("VACUUM")
    // Without this number, the app tests the tables when it opens the store.
    try? StoreMetadata.write(.integer(definitions()), for: StoreMetadata.Key.definitions, self)
    return (try? truncateLog()) ?? false
  }

  private func truncateLog() throws -> Bool {
    try rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(0)
  }
}

extension DefaultStore {
  /// - Parameter path: Nothing exists there.
  package func backUp(to path: String, _ progress: (Double) -> Void) throws {
    try StoreBackup(of: configuration.storePath(), at: path, columns: catalogue.externalColumns, progress).keep()
  }

  package func issues(_ progress: (Double) -> Void) throws -> [StoreIssue] {
    try pool.read { connection in
      let check = StoreCheck(connection, catalogue, path: (try? configuration.storePath()) ?? "")
      return try connection.read { try check.issues(progress) }
    }
  }

  package func compact() throws {
    try checkWritable()
    do {
      _ = try pool.exclusively { try $0.compact() }
    } catch let error as SQLiteError where error.code == .busy {
      throw SwiftDataError.opening(
        .locked, "another connection is using the store, and nothing was changed", path: configuration.url.path)
    }
  }
}
