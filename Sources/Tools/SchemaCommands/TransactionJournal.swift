import Foundation
import SchemaDriver

/// Records the renames of a ``FileTransaction``. Each affected folder contains a copy while the renames run. If the
/// process is killed, the next run completes the renames.
struct TransactionJournal {
  static let name = ".trellis-journal"

  private struct Move: Codable {
    /// The temporary file or folder that contains the new contents.
    var from: String
    var to: String
    /// The previous contents, or nil for a new file.
    var old: Data?
  }

  /// The file contents, which are the same in all folders.
  private struct Content: Codable {
    var moves: [Move]
    var folders: [String]
  }

  private let files: [String]

  /// Writes the journal. From then on, this run or the next run completes the transaction.
  static func begin(_ moves: [(from: String, to: String, old: Data?)]) throws -> TransactionJournal {
    let moves = moves.map { Move(from: absolute($0.from), to: absolute($0.to), old: $0.old) }
    let folders = Set(moves.map { SchemaFolder.folder(of: $0.to) }).sorted()
    let data = try JSONEncoder().encode(Content(moves: moves, folders: folders))
    let journal = TransactionJournal(files: folders.map { $0 + "/" + name })
    do {
      for file in journal.files { try data.write(to: URL(fileURLWithPath: file), options: .atomic) }
    } catch {
      journal.end()
      throw error
    }
    return journal
  }

  /// Deletes the journal after all files were renamed or restored.
  func end() {
    for file in files { unlink(file) }
  }

  /// Completes the transaction that a killed process left in a folder.
  ///
  /// - Parameter folder: The folder. Empty for the working directory.
  static func complete(in folder: String) throws {
    let path = (folder.isEmpty ? "." : folder) + "/" + name
    guard let data = FileManager.default.contents(atPath: path) else { return }
    guard let content = try? JSONDecoder().decode(Content.self, from: data) else {
      throw failure(path, "cannot read the journal of an interrupted run")
    }
    let left = content.moves.filter { FileManager.default.fileExists(atPath: $0.from) }
    for move in left where FileManager.default.contents(atPath: move.to) != move.old {
      throw failure(
        path,
        "a run of trellis was interrupted, and '\(move.to)' has changed since then; the unwritten contents "
          + "are in '\(move.from)'")
    }
    for move in left where rename(move.from, move.to) != 0 {
      throw failure(
        path, "cannot replace '\(move.to)' to complete an interrupted run: \(String(cString: strerror(errno)))")
    }
    TransactionJournal(files: content.folders.map { $0 + "/" + name } + [path]).end()
  }

  private static func absolute(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }

  private static func failure(_ path: String, _ text: String) -> DriverFailure {
    DriverFailure(["\(path):1:1: error: \(text); check the files and delete the journal"], .usage)
  }
}
