import CSQLiteRaw
import Foundation

/// An import or export of 1,000,000 rows. The tool's side runs `trellis-store`. SQLite's side copies the rows with
/// `INSERT … SELECT`, or runs the shell `sqlite3`.
enum TransferWork: String {
  case importing, exporting

  struct Result: Codable {
    var milliseconds: Double
    /// The peak memory of the tool in MiB.
    var peak: Double
  }

  private static let count = 1_000_000
  private static let tool = Child.ownExecutable.deletingLastPathComponent().appendingPathComponent("trellis-store")
  private static let shell = "sqlite3"

  private static let table = """
    CREATE TABLE trips (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, destination TEXT NOT NULL, start_date REAL NOT NULL,
      nights INTEGER NOT NULL, budget REAL, notes TEXT);
    """
  private static let index = "CREATE INDEX trips_destination ON trips(destination);"

  /// The path of a missing program.
  var missingTool: String? {
    FileManager.default.isExecutableFile(atPath: Self.tool.path) ? nil : Self.tool.path
  }

  // MARK: Files

  private func source(_ folder: URL) -> URL { folder.appendingPathComponent("transfer.sqlite") }
  private func store(_ folder: URL) -> URL { folder.appendingPathComponent("transfer.store") }
  private func results(_ folder: URL) -> URL { folder.appendingPathComponent("transfer-results") }

  /// Creates the database, and for exports, the store.
  func prepare(in folder: URL) throws {
    if !FileManager.default.fileExists(atPath: source(folder).path) {
      let database = try Database(source(folder))
      try database.run(
        Self.table + """
          INSERT INTO trips
          WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.count))
          SELECT i, 'Trip ' || i, 'City ' || (i * 7919 % 5000), i * 3600.25, i % 30,
            CASE WHEN i % 3 = 0 THEN NULL ELSE i * 0.37 END,
            CASE WHEN i % 5 = 0 THEN 'A note with, a comma and "quotes" ' || i END
          FROM n;
          """ + Self.index)
    }
    guard self == .exporting, !FileManager.default.fileExists(atPath: store(folder).path) else { return }
    try clean(in: folder)
    try importStore(folder, to: store(folder))
  }

  /// Deletes the results of the last round.
  func clean(in folder: URL) throws {
    let manager = FileManager.default
    if manager.fileExists(atPath: results(folder).path) { try manager.removeItem(at: results(folder)) }
    try manager.createDirectory(at: results(folder), withIntermediateDirectories: true)
  }

  // MARK: Work

  /// Runs a side in this process, whose child processes' peak memory the system reports.
  func execute(_ side: Side, _ folder: URL) throws -> Result {
    let (_, time) = try Sample.time {
      switch (self, side) {
      case (.importing, .raw): try copyRows(folder)
      case (.importing, .ours): try importStore(folder, to: results(folder).appendingPathComponent("ours.store"))
      case (.exporting, .raw): try runShell(folder)
      case (.exporting, .ours):
        try Self.runTool(
          ["export", store(folder).path, "--to", "csv", results(folder).appendingPathComponent("ours").path])
      }
    }
    return Result(milliseconds: time, peak: Self.peakOfChildren)
  }

  private func copyRows(_ folder: URL) throws {
    let database = try Database(results(folder).appendingPathComponent("raw.sqlite"))
    let path = source(folder).path.replacing("'", with: "''")
    try database.run(
      """
      ATTACH 'file:\(path)?immutable=1' AS source;
      BEGIN; \(Self.table) INSERT INTO trips SELECT * FROM source.trips; \(Self.index) COMMIT;
      """)
  }

  private func importStore(_ folder: URL, to store: URL) throws {
    try Self.runTool(
      [
        "import", "--from", "sqlite", source(folder).path, "--name", "Trips", "--output", results(folder).path,
        "--into", store.path,
      ])
  }

  private func runShell(_ folder: URL) throws {
    let file = results(folder).appendingPathComponent("raw.csv")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [Self.shell, "-csv", "-header", source(folder).path, "SELECT * FROM trips"]
    process.standardOutput = try FileHandle(forWritingTo: file)
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    ended.wait()
    guard process.terminationStatus == 0 else { throw RawFailure(description: "'\(Self.shell)' failed") }
  }

  private static func runTool(_ arguments: [String]) throws {
    if let problem = try Child.run(tool, arguments).problem {
      throw RawFailure(description: "'trellis-store \(arguments[0])' \(problem)")
    }
  }

  private static var peakOfChildren: Double {
    var usage = rusage()
    guard getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage) == 0 else { return 0 }
    return Double(usage.ru_maxrss) / 1024
  }

  // MARK: Results

  /// Compares the row counts. Returns a description of the difference.
  func difference(in folder: URL) throws -> String? {
    switch self {
    case .importing:
      let store = results(folder).appendingPathComponent("ours.store")
      guard FileManager.default.fileExists(atPath: store.path) else { return nil }
      let count = try Database(store).number("SELECT count(*) FROM Trip")
      return count == Self.count ? nil : "the store has \(count) rows"
    case .exporting:
      let file = results(folder).appendingPathComponent("ours/Trip.csv")
      guard let text = try? Data(contentsOf: file) else { return nil }
      let lines = text.count { $0 == UInt8(ascii: "\n") }
      return lines == Self.count + 1 ? nil : "the CSV file has \(lines) lines"
    }
  }
}

/// A connection for setup statements.
final class Database {
  private let handle: OpaquePointer

  init(_ url: URL) throws {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(url.path, &handle, flags, nil) == SQLITE_OK, let handle else {
      throw RawFailure(description: "cannot open \(url.lastPathComponent)")
    }
    self.handle = handle
  }

  deinit { sqlite3_close(handle) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
      throw RawFailure(description: String(cString: sqlite3_errmsg(handle)))
    }
  }

  func number(_ sql: String) throws -> Int {
    let statement = try RawStatement(handle, sql)
    defer { sqlite3_finalize(statement.handle) }
    guard try statement.step() else { return 0 }
    return Int(statement.integer(0))
  }
}
