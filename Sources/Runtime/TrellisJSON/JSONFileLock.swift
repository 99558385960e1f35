import Foundation
import Trellis

/// Keeps other programs from writing a file as long as this object exists, and decides which container of this program
/// may.
final class JSONFileLock: @unchecked Sendable {  // `access` guards all that changes
  private let path: String
  private let access = NSLock()
  private var lock: FileLock
  /// The object that has read the file last: what others have in memory is older.
  private weak var owner: JSONFile?

  /// - Throws: ``SwiftDataError`` with ``StoreProblem/locked``.
  init(_ path: String) throws {
    self.path = path
    // A second for another program to close the file.
    lock = try Self.take(path, patience: 50)
  }

  /// Lets this object write from now on.
  func give(to file: JSONFile) { access.withLock { owner = file } }

  /// Looks at the file between the saves of this program.
  func whileNobodyWrites<T>(_ body: () -> T) -> T { access.withLock(body) }

  /// Runs a body while nothing else in this program or another one writes the file.
  func writing(_ file: JSONFile, _ body: () throws -> Void) throws {
    try access.withLock {
      guard owner === file else {
        throw SwiftDataError.opening(
          .drifted,
          "the file was changed by another program, and this program has opened it again since: "
            + "use the container made last", path: path)
      }
      // A lock on a deleted file excludes no other program.
      if !lock.isInPlace { lock = try Self.take(path, patience: 0) }
      try body()
    }
  }

  /// The file itself is replaced with each save, so it cannot carry the lock.
  private static func take(_ path: String, patience: Int) throws -> FileLock {
    func failure(_ problem: StoreProblem, _ explanation: String) -> SwiftDataError {
      .opening(problem, explanation, path: path)
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    if let problem = CompanionFile.missingFolder(around: folder) { throw failure(.noFolder, problem) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw failure(error.isOutOfRoom ? .diskFull : .noFolder, "the folder of the store cannot be made: \(error)")
    }
    do {
      if let lock = try FileLock(path + ".lock", FileRights(of: path), patience: patience) { return lock }
    } catch {
      throw failure(
        error.isOutOfRoom ? .diskFull : .notWritable,
        "the lock of the store, '\(path).lock', cannot be taken: \(error)")
    }
    throw failure(
      .locked, "another program has the store open: close it there, or open it with 'allowsSave: false'")
  }
}
