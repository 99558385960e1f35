package import Foundation

/// A store file as a program without Trellis sees it: SQL in, rows as text out.
///
/// Every call is another process, `StoreShell`, with a connection of its own. A test machine needs no `sqlite3`
/// command for it.
package struct SQLiteShell: Sendable {
  package let url: URL

  package init(_ url: URL) { self.url = url }

  /// Runs statements, and returns the rows of all of them.
  ///
  /// A row is a line; its columns are separated by `|`. NULL is empty, a BLOB is `x'…'`.
  ///
  ///     try SQLiteShell(url).run("SELECT name, start FROM Trip")   // "Oslo|2026\nRome|"
  ///
  /// - Throws: ``Failure`` with SQLite's message when a statement fails.
  @discardableResult package func run(_ sql: String) throws -> String {
    let process = Program.named("StoreShell")
    process.arguments = [url.path, sql]
    let output = try Program.output(of: process)
    guard process.terminationStatus == 0 else { throw Failure(sql: sql, message: output) }
    return output
  }

  /// Runs statements in a process that is killed afterwards, within the transaction that they have begun.
  package func runAndKill(_ sql: String) throws {
    let process = Program.named("StoreShell")
    process.arguments = [url.path, sql, "--killed"]
    let output = try Program.output(of: process)
    guard process.terminationReason == .uncaughtSignal else { throw Failure(sql: sql, message: output) }
  }

  /// The definitions of all tables, indexes, views and triggers, and the rows of all tables.
  package func everything() throws -> String {
    let tables = try run("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").split(separator: "\n")
    return try run(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name; "
        + tables.map { "SELECT '\($0)', * FROM \"\($0)\";" }.joined(separator: " "))
  }

  /// What SQLite itself finds wrong; empty when all is well.
  package func complaints() throws -> String {
    let text = try run("PRAGMA integrity_check; PRAGMA foreign_key_check")
    return text == "ok" ? "" : text
  }

  /// A statement that failed.
  package struct Failure: Error, CustomStringConvertible {
    package let sql: String
    package let message: String
    package var description: String { "\(message): \(sql)" }
  }
}
