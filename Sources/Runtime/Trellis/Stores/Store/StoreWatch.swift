import Foundation

/// What a store was when it was opened: another program may bring it to another version meanwhile.
///
/// The values of this program's models may mean something else then, even where the tables still have
/// them.
struct StoreWatch: Sendable {
  let metadata: StoreMetadata
  let path: String
  /// The file that was opened.
  private let file: FileStamp?

  init(metadata: StoreMetadata, path: String) {
    self.metadata = metadata
    self.path = path
    file = FileStamp(path)
  }

  /// To be called at the beginning of every transaction that writes.
  ///
  /// - Throws: ``SwiftDataError/backwardMigration`` when the store is of another version,
  ///   ``StoreProblem/replaced`` when the path leads to another file.
  @inline(__always) func checkWriting(_ connection: Connection) throws {
    // To ask the file system before each save would be felt.
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    if now.tv_sec != connection.checkedSecond {
      try checkFile()
      connection.checkedSecond = now.tv_sec
    }
    // Changes when another connection has committed.
    let state = connection.currentDataVersion
    if state != connection.checkedState { try checkWriting(connection, state) }
  }

  @inline(never) private func checkWriting(_ connection: Connection, _ state: UInt32) throws {
    let now = try StoreMetadata(connection)
    guard isSame(now) else { throw failure(now, "nothing was saved") }
    connection.checkedState = state
  }

  /// Whether the path still leads to the file that was opened. Vacuuming and migrating leave a file what it is.
  ///
  /// - Throws: ``StoreProblem/replaced``.
  func checkFile() throws {
    guard let file else { return }
    let now = FileStamp(path)
    // Who may not look any more knows nothing of the file.
    if now == nil, errno != ENOENT, errno != ENOTDIR { return }
    if now?.isSameFile(as: file) == true { return }
    throw SwiftDataError.opening(
      .replaced,
      "the file of the store was \(now == nil ? "deleted" : "replaced by another one") while it was open, so "
        + "this container saves nothing any more, and may still read the file that it has open: make a new one to work "
        + "with what is there now",
      path: path)
  }

  /// To be called after every answer: it may be of rows that mean something else now.
  ///
  /// - Throws: ``SwiftDataError/backwardMigration`` then. What was only added is no reason.
  @inline(__always) func checkAnswer(_ connection: Connection) throws {
    if connection.currentDataVersion != connection.checkedState { try lookAtAnswer(connection) }
  }

  @inline(never) private func lookAtAnswer(_ connection: Connection) throws {
    let definitions = try connection.definitions()
    if definitions != metadata.definitions, definitions != connection.checkedDefinitions {
      let now = try StoreMetadata(connection)
      guard let now, now.lastRewrite <= metadata.migrations else {
        throw failure(now, "nothing can be read")
      }
      connection.checkedDefinitions = definitions
    }
    connection.checkedState = connection.currentDataVersion
  }

  /// What a failure is about, when it is that the store is of another version now.
  @inline(never) func explanation(of error: any Error, _ connection: Connection) -> any Error {
    // Inside of a transaction the state is still that of the question.
    guard let now = try? StoreMetadata(connection), !isSame(now) else { return error }
    return failure(now, "nothing can be read")
  }

  private func isSame(_ now: StoreMetadata?) -> Bool {
    now?.fingerprint == metadata.fingerprint && now?.migrations == metadata.migrations
  }

  private func failure(_ now: StoreMetadata?, _ consequence: String) -> SwiftDataError {
    .opening(
      .newerSchema,
      "another program has brought the store from version \(metadata.version) of the schema to "
        + "\(now?.version.description ?? "another one") since it was opened, and \(consequence): make a "
        + "new container, in a program that knows that version",
      path: path)
  }
}

extension DefaultStore {
  /// To be called at the beginning of every transaction that writes; see ``StoreWatch``.
  @inline(__always) func checkVersion(_ connection: Connection) throws {
    try pool.watch?.checkWriting(connection)
  }
}
