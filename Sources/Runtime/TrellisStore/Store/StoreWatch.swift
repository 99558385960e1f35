import Dispatch
import Foundation

/// The store's version when it was opened. Used to detect migrations by concurrent processes.
///
/// After a migration, values may have a different meaning even if the tables still contain them.
struct StoreWatch: Sendable {
  let metadata: StoreMetadata
  let path: String
  /// The opened file.
  private let file: FileStamp?

  init(metadata: StoreMetadata, path: String) {
    self.metadata = metadata
    self.path = path
    file = FileStamp(path)
  }

  /// Called at the beginning of every write transaction.
  ///
  /// - Throws: ``SwiftDataError/backwardMigration`` if the store has a new version, ``StoreProblem/replaced`` if a new
  ///   file is at the path.
  @inline(__always) func checkWriting(_ connection: Connection) throws {
    // A system call before each save would be too slow.
    let second = Int(clamping: DispatchTime.now().uptimeNanoseconds / 1_000_000_000)
    if second != connection.checkedSecond {
      try checkFile()
      connection.checkedSecond = second
    }
    // This value changes with every concurrent commit.
    let state = connection.currentDataVersion
    if state != connection.checkedState { try checkWriting(connection, state) }
  }

  @inline(never) private func checkWriting(_ connection: Connection, _ state: UInt32) throws {
    let now = try StoreMetadata(connection)
    guard isSame(now) else { throw failure(now, "nothing was saved") }
    connection.checkedState = state
  }

  /// Checks that the opened file is still at the path. Vacuuming and migrating do not replace the file.
  ///
  /// - Throws: ``StoreProblem/replaced``.
  func checkFile() throws {
    guard let file else { return }
    let now = FileStamp(path)
    // The file's state is unknown if this process lost access to the folder.
    if now == nil, errno != ENOENT, errno != ENOTDIR { return }
    if now?.isSameFile(as: file) == true { return }
    throw SwiftDataError.opening(
      .replaced,
      "the store's file was \(now == nil ? "deleted" : "replaced") while it was open, so this container can no "
        + "longer save. It may still read the original file: create a new container to use the current file",
      path: path)
  }

  /// Called after a query if there are new commits, because a migration may have changed the meaning of the rows.
  ///
  /// - Throws: ``SwiftDataError/backwardMigration`` in this case. A migration that only adds declarations is accepted.
  @inline(never) func checkAnswer(_ connection: Connection) throws {
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

  /// Returns a more specific error if the store has a new version.
  @inline(never) func explanation(of error: any Error, _ connection: Connection) -> any Error {
    // Inside a transaction, the database is still in the state that the query read.
    guard let now = try? StoreMetadata(connection), !isSame(now) else { return error }
    return failure(now, "nothing can be read")
  }

  private func isSame(_ now: StoreMetadata?) -> Bool {
    now?.fingerprint == metadata.fingerprint && now?.migrations == metadata.migrations
  }

  private func failure(_ now: StoreMetadata?, _ consequence: String) -> SwiftDataError {
    .opening(
      .newerSchema,
      "another process migrated the store from schema version \(metadata.version) to "
        + "\(now?.version.description ?? "an unknown version") after this container had opened it, and "
        + "\(consequence): create a new container, in an app that supports the new version",
      path: path)
  }
}

extension DefaultStore {
  /// Called at the beginning of every write transaction; see ``StoreWatch``.
  @inline(__always) func checkVersion(_ connection: Connection) throws {
    try pool.watch?.checkWriting(connection)
  }
}
