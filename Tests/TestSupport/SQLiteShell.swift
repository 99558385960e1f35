package import Foundation

/// Accesses a store file from a process that does not use Trellis, with SQL text as input and rows as text.
///
/// Every call runs the process `StoreShell` with a separate connection. The `sqlite3` command is not needed.
package struct SQLiteShell: Sendable {
  package let url: URL

  package init(_ url: URL) { self.url = url }

  /// Runs statements and returns all rows.
  ///
  /// A row is a line with columns separated by `|`. NULL is empty, a BLOB is `x'…'`.
  ///
  ///     try SQLiteShell(url).run("SELECT name, start FROM Trip")   // "Oslo|2026\nRome|"
  ///
  /// - Throws: ``Failure`` with SQLite's message if a statement fails.
  @discardableResult package func run(_ sql: String) throws -> String {
    let process = Program.named("StoreShell")
    process.arguments = [url.path, sql]
    let output = try Program.output(of: process)
    guard process.terminationStatus == 0 else { throw Failure(sql: sql, message: output) }
    return output
  }

  /// Runs statements in a process that is killed before its transaction ends.
  package func runAndKill(_ sql: String) throws {
    let process = Program.named("StoreShell")
    process.arguments = [url.path, sql, "--killed"]
    let output = try Program.output(of: process)
    guard process.terminationReason == .uncaughtSignal else { throw Failure(sql: sql, message: output) }
  }

  /// Runs statements in a process that keeps the file open, and its transaction, until `body` returns.
  package func run(_ sql: String, while body: () throws -> Void) throws {
    let process = Program.named("StoreShell")
    process.arguments = [url.path, sql, "--waiting"]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    defer {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
    var text = ""
    while !text.hasSuffix("waiting\n") {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { throw Failure(sql: sql, message: text) }
      text += String(decoding: part, as: UTF8.self)
    }
    try body()
  }

  /// The definitions of all tables, indexes, views and triggers, and the rows of all tables.
  package func everything() throws -> String {
    let tables = try run("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").split(separator: "\n")
    return try run(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name; "
        + tables.map { "SELECT '\($0)', * FROM \"\($0)\";" }.joined(separator: " "))
  }

  /// The findings of SQLite's integrity checks; empty if there are none.
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
