import Foundation

/// A store that does not fit the program's schema, while neither the program nor the store has a released version.
struct UnreleasedStore {
  private let specification: StoreSpecification
  private let error: SwiftDataError
  private let problem: StoreProblem

  /// Nil if the error has another cause, or a version is released.
  init?(_ specification: StoreSpecification, _ error: any Error) {
    guard let error = error as? SwiftDataError, let problem = error.storeProblem,
      [.differentSchema, .unknownSchema, .newerSchema].contains(problem), !specification.hasReleases
    else { return nil }
    self.specification = specification
    self.error = error
    self.problem = problem
    let file = specification.file
    guard
      let connection = try? Connection(Connection.uri(file.path, "mode=rw"), .existing, file.trace),
      let metadata = try? StoreMetadata(connection), !metadata.isReleased
    else { return nil }
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
      run 'swift package schema freeze', and change the schema again.
      """)
  }

  /// Renames the store and its folder of external values, and reports the new name on standard error.
  ///
  /// - Throws: ``StoreProblem/locked`` if another connection has the store open.
  func moveAside() throws {
    let file = specification.file
    guard let stamp = FileStamp(file.path) else { return }
    let connection = try Connection(Connection.uri(file.path, "mode=rw"), .existing, file.trace)
    // Leaving WAL mode takes the only connection to the store. The file then contains every commit, and no journal is left
    // under its former name.
    let mode = try? connection.rows("PRAGMA journal_mode = DELETE").first?.first
    guard mode == .text("delete") else {
      throw file.failure(
        .locked,
        "the store does not fit the schema, and it cannot be moved aside while another container or program has it open: "
          + "end that one first")
    }
    try connection.execute("BEGIN EXCLUSIVE")
    defer { try? connection.execute("ROLLBACK") }
    // A concurrent launch of this program may have moved the store already.
    guard FileStamp(file.path)?.isSameFile(as: stamp) == true, try StoreMetadata(connection)?.isReleased == false
    else { return }
    let target = try rename()
    FileHandle.standardError.write(
      Data(
        """
        Trellis: '\(file.path)' does not fit the schema, and no version of the schema is released. The file is kept as \
        '\(target)', and the program continues with an empty store.\n
        """.utf8))
  }

  /// - Returns: The store's new path.
  private func rename() throws -> String {
    let path = specification.file.path
    let date = Date.now.formatted(
      Date.ISO8601FormatStyle(timeZone: .current).year().month().day().time(includingFractionalSeconds: false)
        .dateSeparator(.dash).timeSeparator(.omitted))
    let manager = FileManager.default
    var target = "\(path).\(date).old"
    var number = 1
    while manager.fileExists(atPath: target) || manager.fileExists(atPath: target + "-external") {
      number += 1
      target = "\(path).\(date)-\(number).old"
    }
    do {
      // The folder first: a new store at the path removes external values that none of its rows has.
      let hasFolder = manager.fileExists(atPath: path + "-external")
      if hasFolder { try manager.moveItem(atPath: path + "-external", toPath: target + "-external") }
      do {
        try manager.moveItem(atPath: path, toPath: target)
      } catch {
        if hasFolder { try manager.moveItem(atPath: target + "-external", toPath: path + "-external") }
        throw error
      }
    } catch {
      throw specification.file.failure(.other, "the store cannot be renamed to '\(target)': \(error)")
    }
    return target
  }
}
