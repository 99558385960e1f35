import Foundation

/// A store that does not match the app's schema, while neither the store nor the app has a released schema version.
struct UnreleasedStore {
  private let specification: StoreSpecification
  private let error: SwiftDataError
  private let problem: StoreProblem
  private let connection: Connection

  /// Returns `nil` if the error has a different cause, or if a version is released.
  init?(_ specification: StoreSpecification, _ error: any Error) {
    let file = specification.file
    guard let error = error as? SwiftDataError, let problem = error.storeProblem,
      [.differentSchema, .unknownSchema, .newerSchema].contains(problem), !specification.versions.hasReleases,
      let connection = try? Connection(file.path, .existing, file.trace),
      let metadata = try? StoreMetadata(connection), !metadata.isReleased
    else { return nil }
    self.specification = specification
    self.error = error
    self.problem = problem
    self.connection = connection
  }

  /// The original error with the two available solutions.
  var refusal: SwiftDataError {
    let file = specification.file
    return file.failure(
      problem,
      """
      \(error.explanation ?? "")
      No version of this schema has been released yet. Set 'migration.whileUnreleased = .moveAside' in the store's \
      configuration to start with an empty store during development; the file is kept under a new name. To keep the \
      rows, undo the change, run 'swift package --allow-writing-to-package-directory schema-edit freeze', and change \
      the schema again.
      """)
  }

  /// Copies the store to a new path and replaces the original's contents with empty tables for the app's schema.
  /// Reports the copy on standard error.
  ///
  /// The file itself is not replaced, because a concurrent process may have it open. SQLite would combine a renamed
  /// file with the new file's write-ahead log.
  ///
  /// - Parameter create: Creates the empty tables, in the transaction that drops the old tables.
  func moveAside(_ create: (Connection) throws -> Void) throws {
    let file = specification.file
    try connection.execute("PRAGMA foreign_keys = OFF")
    let files = ExternalFiles(storePath: file.path, columns: [])
    var copy: StoreBackup?
    let path: String? = try connection.write(explaining: { error in
      // A commit interrupted by a disk error may still be in the log, so the copy is kept.
      if (error as? SQLiteError)?.code != .ioError { copy?.remove() }
      return error
    }) {
      // A concurrent launch may have already moved the store aside.
      guard let metadata = try StoreMetadata(connection), !metadata.isReleased,
        metadata.fingerprint != specification.versions.fingerprint || metadata.version != specification.versions.number
      else { return nil }
      let moved = try StoreBackup(
        of: specification, at: freePath, advice: "free some space, or make the store's folder writable")
      copy = moved
      try dropObjects()
      try files.discard(moved.fileNames, connection)
      try create(connection)
      try moved.keep()
      return moved.path
    }
    guard let path else { return }
    // Files that a reader still needs are left for the next writer.
    try? files.collect(connection)
    FileHandle.standardError.write(
      Data(
        """
        Trellis: '\(file.path)' does not match the schema, and no schema version is released. It was moved to \
        '\(path)', and the app continues with an empty store.\n
        """.utf8))
  }

  /// The copy's path, with the time in the local time zone.
  private var freePath: String {
    let date = Date.now.formatted(
      Date.ISO8601FormatStyle(timeZone: .current).year().month().day().time(includingFractionalSeconds: false)
        .dateSeparator(.dash).timeSeparator(.omitted))
    let base = "\(specification.file.path).\(date)"
    var path = base + ".old"
    var number = 1
    while FileManager.default.fileExists(atPath: path) {
      number += 1
      path = "\(base)-\(number).old"
    }
    return path
  }

  /// Drops all tables and views. Virtual tables come first because dropping them also drops their own tables.
  private func dropObjects() throws {
    _ = try connection.setAside(where: "type = 'view'")
    let tables = try connection.rows(
      """
      SELECT "name" FROM sqlite_schema WHERE "type" = 'table' AND "name" NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY "sql" LIKE 'CREATE VIRTUAL%' DESC
      """)
    for table in tables { try connection.execute("DROP TABLE IF EXISTS \(name: table[0].text)") }
  }
}
