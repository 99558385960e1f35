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
    var issues = try damage().map { StoreIssue(kind: .damage, description: $0) }
    progress(0.7)
    // Tables with damaged pages cannot be read reliably.
    guard issues.isEmpty else { return issues }
    issues += try connection.rows("PRAGMA foreign_key_check").map { row in
      let key = row[1] == .null ? "" : ", row \(row[1].text)"
      return StoreIssue(
        kind: .danglingReference,
        description: "'\(row[0].text)'\(key) refers to a missing row in '\(row[2].text)'")
    }
    progress(0.9)
    issues += try differences().map { StoreIssue(kind: .tableDifference, description: $0) }
    let found = try fileProblems()
    issues += found.missing.map { StoreIssue(kind: .missingFile, description: "the file '\($0.file)' \($0.reason)") }
    issues += found.orphaned.map { StoreIssue(kind: .orphanedFile, description: "the file '\($0.file)' \($0.reason)") }
    return issues
  }

  /// Returns SQLite's messages about damaged pages and indexes.
  package func damage() throws -> [String] {
    do {
      let lines = try connection.rows("PRAGMA integrity_check").map(\.[0].text)
      return lines == ["ok"] ? [] : lines
    } catch let error as SQLiteError where [.corrupt, .notADatabase].contains(error.code) {
      return [error.message]
    }
  }

  /// Returns missing and different tables, columns and indexes.
  package func differences() throws -> [String] {
    try connection.driftedColumns(of: InternalTables.all) + connection.differences(from: catalogue, allowsMore: true)
  }

  package typealias FileProblem = (file: String, reason: String)

  /// Compares the external folder with the rows. Symbolic links are reported and never followed.
  package func fileProblems() throws -> (missing: [FileProblem], orphaned: [FileProblem]) {
    var (missing, orphaned): ([FileProblem], [FileProblem]) = ([], [])
    var known = pending.union(["pending"])
    for column in files.columns {
      let names = try connection.rows(
        "SELECT DISTINCT \(name: column.name) FROM \(name: column.table) WHERE typeof(\(name: column.name)) = 'text'")
      for name in names.map(\.[0].text) where known.insert(name).inserted {
        guard let file = files.file(named: name) else {
          missing.append((name, "is named in '\(column.table).\(column.name)', but is not a name that a store writes"))
          continue
        }
        guard CompanionFile.isRegular(file.path) else {
          let exists = FileKind(at: file.path) != .nothing
          missing.append((name, exists ? "is a symbolic link, a folder or a device" : "is missing"))
          continue
        }
        let size = FileStamp.size(file.path)
        if size != file.length { missing.append((name, "has \(size) bytes instead of \(file.length)")) }
      }
    }
    if try connection.tableNames().contains(ExternalFiles.table) {
      known.formUnion(try connection.rows("SELECT \"name\" FROM \(name: ExternalFiles.table)").map(\.[0].text))
    }
    // A file that was removed in the meantime is not orphaned.
    for name in listed where !known.contains(name) {
      guard (try? FileManager.default.attributesOfItem(atPath: files.folder + "/" + name)) != nil else { continue }
      let isFile = files.file(named: name) != nil && CompanionFile.isRegular(files.folder + "/" + name)
      orphaned.append((name, isFile ? "belongs to no row" : "is not a file that a store writes"))
    }
    return (missing, orphaned)
  }
}

extension Connection {
  /// Rewrites the file without free pages, and truncates the write-ahead log.
  ///
  /// - Throws: ``SQLiteError`` with the code `busy` if another connection uses the file. Nothing is changed then.
  package func compact() throws {
    // The log would grow by the size of the whole file, and would not shrink, while another connection reads.
    try truncateLog()
    try execute("VACUUM")
    try StoreMetadata.write(.integer(definitions()), for: StoreMetadata.Key.definitions, self)
    try truncateLog()
  }

  private func truncateLog() throws {
    guard try rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(0) else {
      throw SQLiteError(handle, result: SQLITE_BUSY)
    }
  }
}

extension DefaultStore {
  /// - Parameter path: Nothing exists there.
  package func backUp(to path: String, _ progress: (Double) -> Void) throws {
    do {
      let backup = try StoreBackup(
        of: configuration.storePath(), at: path, columns: catalogue.externalColumns, progress)
      try backup.keep()
    } catch let error as FileError {
      throw SwiftDataError.opening(.notWritable, "the backup cannot be written: \(error)", path: path)
    }
  }

  package func issues(_ progress: (Double) -> Void) throws -> [StoreIssue] {
    try pool.read { connection in
      let path = configuration.isStoredInMemoryOnly ? "" : try configuration.storePath()
      let check = StoreCheck(connection, catalogue, path: path)
      return try connection.read { try check.issues(progress) }
    }
  }

  package func compact() throws {
    try checkWritable()
    do {
      try pool.exclusively { try $0.compact() }
    } catch let error as SQLiteError where error.code == .busy {
      throw SwiftDataError.opening(
        .locked, "another connection is using the store, and nothing was changed: try again when it has finished",
        path: configuration.url.path)
    }
  }
}
