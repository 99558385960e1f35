package import Foundation
package import Trellis

/// What happens to rows that do not fit.
package enum RejectPolicy {
  /// All rows are checked, and then nothing is written.
  case stop
  /// Rejected rows are passed on, and all other rows are written.
  case write((Reject) throws -> Void)
}

/// The error if rows do not fit and the copy was to stop, or if the comparison at the end fails.
package struct CopyRefusal: Error {
  package let report: CopyReport

  package init(report: CopyReport) { self.report = report }
}

/// Copies the rows of a plan to an empty store in a single transaction.
///
/// SQLite copies each table with one statement, which calls ``RowCheck`` for each row. Indexes are created after the
/// rows. Rows that the store cannot keep for another reason, because they repeat a unique value or refer to a missing
/// row, are then removed. At the end, the store's columns are compared with the checksums that the check computed.
package struct CopyEngine {
  package let plan: CopyPlan
  package let target: TransferTarget

  package init(_ plan: CopyPlan, into target: TransferTarget) {
    self.plan = plan
    self.target = target
  }

  /// - Parameter url: A store that ``TransferTarget/create(at:)`` created. After an error, delete it.
  /// - Throws: ``CopyRefusal``, and errors from the databases.
  package func run(
    at url: URL, rejects: RejectPolicy, progress: @escaping TransferProgress = { _ in }
  ) throws -> CopyReport {
    let connection = try Connection(url.path, .existing)
    try prepare(connection)
    try TransferFunctions.register(plan.functions, on: connection)
    let pass = CopyPass(plan, target, connection, rejects: rejects, progress: progress)
    // Statements outside the transaction, because temporary tables need no protection.
    for statement in plan.preparations { try connection.execute(statement) }
    let report = try connection.write { try pass.run() }
    try connection.execute("DETACH \(name: CopyPlan.schema)")
    try finish(connection)
    return report
  }

  /// No other process uses the file, and it is deleted after an error, so the copy needs neither a write-ahead log nor
  /// waits for the disk.
  private func prepare(_ connection: Connection) throws {
    for pragma: SQLFragment in [
      "PRAGMA journal_mode = MEMORY", "PRAGMA synchronous = OFF", "PRAGMA foreign_keys = OFF",
      "PRAGMA cache_size = -8000", "PRAGMA temp_store = FILE",
    ] {
      try connection.execute(pragma)
    }
    try connection.attach(plan.source, as: CopyPlan.schema)
  }

  /// Writes the file to the disk and restores the journal mode of a store.
  private func finish(_ connection: Connection) throws {
    try connection.execute("PRAGMA synchronous = FULL")
    try connection.execute("PRAGMA journal_mode = WAL")
  }
}

extension Connection {
  /// Attaches a database that no statement changes, without locks and without its write-ahead log.
  package func attach(_ url: URL, as name: String) throws {
    let special: [Unicode.Scalar] = ["%", "?", "#"]
    let path = url.path.unicodeScalars.map { special.contains($0) ? "%" + String($0.value, radix: 16) : String($0) }
    let location = "file:\(path.joined())?mode=ro&immutable=1"
    try execute("ATTACH \(value: .text(location)) AS \(name: name)")
  }
}
