package import Foundation
import Trellis

/// How to handle rows that do not fit.
package enum RejectPolicy {
  /// Check all rows, but write nothing if any row is rejected.
  case stop
  /// Pass rejected rows to the closure and write the remaining rows.
  case write((Reject) throws -> Void)
}

/// Thrown if rows do not fit under ``RejectPolicy/stop``, or if the final comparison fails.
package struct CopyRefusal: Error {
  package let report: CopyReport

  package init(report: CopyReport) { self.report = report }
}

/// Copies a plan's rows to an empty store in a single transaction.
///
/// Each table is copied by a single statement, which calls ``RowCheck`` for each row. Indexes are created afterwards.
/// Rows that repeat a unique value or refer to a missing row are then removed. Finally, the store's columns are
/// compared with the checksums that the check computed.
package struct CopyEngine {
  package let plan: CopyPlan
  package let target: TransferTarget

  package init(_ plan: CopyPlan, into target: TransferTarget) {
    self.plan = plan
    self.target = target
  }

  /// - Parameter url: A store created by ``TransferTarget/create(at:)``. Delete it after an error.
  /// - Throws: ``CopyRefusal``, ``TransferError`` for a damaged source, and database errors.
  package func run(
    at url: URL, rejects: RejectPolicy, progress: @escaping TransferProgress = { _ in }
  ) throws -> CopyReport {
    do {
      return try copy(to: url, rejects, progress)
    } catch let error as SQLiteError where error.code == .corrupt || error.code == .notADatabase {
      throw TransferError(
        "the source is damaged (\(error.message)): restore a backup, or write the readable rows to a new database with "
          + "'sqlite3 FILE .recover'")
    }
  }

  private func copy(
    to url: URL, _ rejects: RejectPolicy, _ progress: @escaping TransferProgress
  ) throws -> CopyReport {
    let connection = try Connection(url.path, .existing)
    try prepare(connection)
    try TransferFunctions.register(plan.functions, on: connection)
    let pass = CopyPass(plan, target, connection, rejects: rejects, progress: progress)
    // Temporary tables need no transaction.
    for statement in plan.preparations { try connection.execute(statement) }
    let (report, files) = try connection.write { (try pass.run(), try moveLargeValues(connection, at: url)) }
    try connection.execute("DETACH \(name: CopyPlan.schema)")
    try finish(connection, hasFiles: files.hasWritten)
    files.resolve()
    return report
  }

  /// Turns off the write-ahead log and disk synchronization: the file is private, and is deleted after an error.
  private func prepare(_ connection: Connection) throws {
    for pragma: SQLFragment in [
      "PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF", "PRAGMA foreign_keys = OFF",
      "PRAGMA cache_size = -8000", "PRAGMA temp_store = FILE",
    ] {
      try connection.execute(pragma)
    }
    try connection.attach(plan.source, as: CopyPlan.schema)
  }

  /// Writes the file to the disk and restores the store's journal mode.
  ///
  /// Earlier writes are not synchronized. With `synchronous = FULL`, SQLite writes the new journal mode to the file and
  /// calls `fsync`, which covers all earlier pages. ``StoreTarget`` then renames the file and synchronizes the folder.
  private func finish(_ connection: Connection, hasFiles: Bool) throws {
    if hasFiles {
      // Frees the space of values moved to files. A journal would keep all pages in memory.
      try connection.execute("PRAGMA journal_mode = OFF")
      try connection.execute("VACUUM")
    }
    try connection.execute("PRAGMA synchronous = FULL")
    try connection.execute("PRAGMA journal_mode = WAL")
  }
}

extension CopyEngine {
  /// Values up to this size, in bytes, always remain in the row. For larger values, ``ExternalFiles`` decides.
  private static let largeSize = 64 * 1024

  /// Moves large values to files, as a save does.
  ///
  /// - Returns: The store's external files.
  func moveLargeValues(_ connection: Connection, at url: URL) throws -> ExternalFiles {
    let files = ExternalFiles(storePath: url.path, columns: target.externalColumns)
    for column in files.columns {
      guard let key = target.keyColumn(of: column.table) else { continue }
      let rows = try connection.integers(
        """
        SELECT \(name: key) FROM \(name: column.table)
        WHERE typeof(\(name: column.name)) = 'blob' AND length(\(name: column.name)) > \(number: Self.largeSize)
        """)
      for row in rows {
        let value = try connection.rows(
          "SELECT \(name: column.name) FROM \(name: column.table) WHERE \(name: key) = \(value: .integer(row))")
        guard case .blob(let bytes)? = value.first?.first,
          let name = try files.store(
            Data(bytes), number: UUID().uuidString.replacing("-", with: "").lowercased())
        else { continue }
        try connection.execute(
          """
          UPDATE \(name: column.table) SET \(name: column.name) = \(value: .text(name))
          WHERE \(name: key) = \(value: .integer(row))
          """)
      }
    }
    return files
  }
}

extension Connection {
  /// Attaches a database as read-only and immutable, ignoring locks and the write-ahead log.
  package func attach(_ url: URL, as name: String) throws {
    let special: [Unicode.Scalar] = ["%", "?", "#"]
    let path = url.path.unicodeScalars.map { special.contains($0) ? "%" + String($0.value, radix: 16) : String($0) }
    let location = "file:\(path.joined())?mode=ro&immutable=1"
    try execute("ATTACH \(value: .text(location)) AS \(name: name)")
  }
}

extension TransferTarget {
  fileprivate var externalColumns: [ExternalFiles.Column] {
    var columns: [ExternalFiles.Column] = []
    for entity in catalogue.layout.entities {
      for column in entity.columns where column.property.isExternal {
        let place = ExternalFiles.Column(table: entity.table, name: column.name)
        if !columns.contains(place) { columns.append(place) }
      }
    }
    return columns
  }

  fileprivate func keyColumn(of table: String) -> String? {
    catalogue.layout.entities.first { $0.table == table }?.keyColumn
  }
}
