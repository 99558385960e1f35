import Foundation

/// A store that does not fit the program's schema, while neither the program nor the store has a released version.
struct UnreleasedStore {
  private let specification: StoreSpecification
  private let error: SwiftDataError
  private let problem: StoreProblem
  private let connection: Connection

  /// Nil if the error has another cause, or a version is released.
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

  /// The error, with the two ways on.
  var refusal: SwiftDataError {
    let file = specification.file
    return file.failure(
      problem,
      """
      \(error.explanation ?? "")
      No version of this schema is released yet. Set 'migration.whileUnreleased = .moveAside' in the store's configuration to \
      start with an empty store during development; the file is kept under another name. To keep the rows, undo the change, \
      run 'swift package --allow-writing-to-package-directory schema-edit freeze', and change the schema again.
      """)
  }

  /// Copies the store beside itself, and makes it an empty store of the program's schema. Reports the copy on standard error.
  ///
  /// The file keeps its identity, because a concurrent program may have it open. SQLite would combine a renamed file with
  /// the write-ahead log of the new one.
  ///
  /// - Parameter create: creates the tables of an empty store, in the transaction that drops the former ones.
  func moveAside(_ create: (Connection) throws -> Void) throws {
    let file = specification.file
    try connection.execute("PRAGMA foreign_keys = OFF")
    let files = ExternalFiles(storePath: file.path, columns: [])
    var copy: StoreBackup?
    let path: String? = try connection.write(explaining: { error in
      // A commit that the disk interrupts may be in the log, so the copy stays.
      if (error as? SQLiteError)?.code != .ioError { copy?.remove() }
      return error
    }) {
      // A concurrent launch of the program may have moved the store aside already.
      guard let metadata = try StoreMetadata(connection), !metadata.isReleased,
        metadata.fingerprint != specification.versions.fingerprint || metadata.version != specification.versions.number
      else { return nil }
      let moved = try StoreBackup(
        of: specification, at: freePath, advice: "free some space, or make the store's folder writable")
      copy = moved
      try dropObjects()
      try files.discard(moved.fileNames, connection)
      try create(connection)
      try moved.keep(specification)
      return moved.path
    }
    guard let path else { return }
    // Files that a reader needs stay for the next writer.
    try? files.collect(connection)
    FileHandle.standardError.write(
      Data(
        """
        Trellis: '\(file.path)' does not fit the schema, and no version of the schema is released. It is kept as '\(path)', \
        and the program continues with an empty store.\n
        """.utf8))
  }

  /// The path of the copy, with the time in the local time zone.
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

  /// Drops all tables and views. Virtual tables come first, because their own tables go with them.
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
