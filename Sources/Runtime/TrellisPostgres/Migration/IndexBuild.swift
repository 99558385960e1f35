import Foundation
import Trellis

/// Builds an index while other connections write to the table.
///
/// The build runs outside of a transaction. If it is interrupted, it leaves an invalid index, which the next build
/// removes.
struct IndexBuild: Sendable {
  let index: IndexDefinition
  let table: String
  let tables: InternalTables

  /// The statement that builds the index.
  var statement: SQLFragment { index.creation(on: tables.qualified(table), mode: " CONCURRENTLY") }

  private var name: String { tables.qualified(index.name) }

  /// Builds the index, unless it exists.
  ///
  /// - Throws: `SwiftDataError` with `StoreProblem.migrationFailed` if rows violate a unique index.
  func run(_ connection: PostgresConnection, _ commits: CommitOrder, place: String) throws {
    while try state(connection, commits)?.isBeingBuilt == true { Thread.sleep(forTimeInterval: 0.2) }
    if let state = try state(connection, commits) {
      if state.isValid { return }
      try remove(connection)
    }
    do {
      try connection.execute([statement])
    } catch let error as PostgresError {
      // The server keeps the index and marks it as invalid.
      if !connection.isBroken, try state(connection, commits)?.isValid == false { try remove(connection) }
      guard error.isUniqueViolation else { throw error }
      throw SwiftDataError.opening(
        .migrationFailed,
        "'\(table)' has rows with equal values of \(index.columns.map { "'\($0)'" }.joined(separator: ", ")), which "
          + "must be unique in the new version (\(error.detail ?? error.message)): change the values, or remove the "
          + "rows with a 'dedupe' in the app's migration, and run the phase again",
        path: place)
    }
  }

  /// Returns the index's state; `nil` if the index does not exist. An index is invalid while another session is
  /// building it.
  private func state(
    _ connection: PostgresConnection, _ commits: CommitOrder
  ) throws -> (isValid: Bool, isBeingBuilt: Bool)? {
    let builds: SQLFragment = "SELECT 1 FROM pg_catalog.pg_stat_progress_create_index WHERE index_relid = indexrelid"
    return try connection.rows(
      """
      SELECT indisvalid, \(commits.hasSnapshots ? "EXISTS (\(builds))" : "FALSE") FROM pg_catalog.pg_index
      WHERE indexrelid = to_regclass(\(value: .text(PostgresName.quoted(name))))
      """
    ) { (isValid: $0.integer(0) == 1, isBeingBuilt: $0.integer(1) == 1) }.first
  }

  private func remove(_ connection: PostgresConnection) throws {
    try connection.execute(["DROP INDEX CONCURRENTLY \(name: name)"])
  }
}
