import Foundation
import SchemaCommands
import SchemaDriver
import SchemaImport
import StoreTransfer
import Trellis

/// The files that an import writes: the store, schema files and the rejected rows, which appear in this order.
///
/// An error leaves all files unchanged. If the process is killed, the store may be there without the other files.
struct ImportOutput {
  private let files: [ImportResult.File]
  private let options: RowImportOptions

  /// - Parameter sources: The paths of the files to read.
  /// - Throws: ``DriverFailure`` if two paths name the same file, or a schema file exists.
  init(_ files: [ImportResult.File], from sources: [String], _ options: RowImportOptions) throws {
    self.files = files
    self.options = options
    var names: [String: String] = [:]
    func claim(_ name: String, _ path: String) throws {
      let companions = name == "'--into'" || name == "the source" ? ["-wal", "-shm", "-journal", "-external"] : []
      for suffix in [""] + companions {
        if let other = names.updateValue(name, forKey: Self.identity(path + suffix)), other != name {
          throw DriverFailure(
            ["error: \(path + suffix): \(other) and \(name) are the same file, so nothing was written"], .usage)
        }
      }
    }
    for source in sources { try claim("the source", source) }
    if let path = options.storePath { try claim("'--into'", path) }
    if let rejects = options.rejects { try claim("'--rejects'", rejects.location) }
    for file in files { try claim("the schema file", Session.join(options.folder, file.path)) }
    guard !options.isDry, !options.isForced else { return }
    for path in paths where FileManager.default.fileExists(atPath: path) {
      throw DriverFailure(
        ["\(path): error: the file already exists, so nothing was written; '--force' replaces it"], .usage)
    }
  }

  private var paths: [String] { files.map { Session.join(options.folder, $0.path) } }

  /// Returns an identifier that is equal for all links to a file. The file need not exist.
  private static func identity(_ path: String) -> String {
    let resolved = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath()
    var status = stat()
    if stat(path, &status) == 0 { return "\(status.st_dev):\(status.st_ino)" }
    return resolved.deletingLastPathComponent().resolvingSymlinksInPath()
      .appendingPathComponent(resolved.lastPathComponent).path
  }

  /// - Parameter copy: Fills a store.
  /// - Returns: `nil` if the import writes no store.
  func write(
    _ session: inout Session, copy: (URL, RejectPolicy) throws -> CopyReport
  ) throws -> CopyReport? {
    guard let store = options.store else {
      try Import.write(files, options.folder, replacing: options.isForced, &session)
      return nil
    }
    let policy: RejectPolicy = options.rejects.map { rejects in .write { try rejects.write($0) } } ?? .stop
    var copied: CopyReport?
    // A reject file that is not finished is removed.
    try Import.write(files, options.folder, replacing: options.isForced, &session) {
      try store.write { copied = try copy($0, policy) }
    }
    try options.rejects?.finish()
    return copied
  }
}

/// The file for rejected rows, with a JSON object per line. It is moved into place at the end of a successful import.
final class RejectFile {
  let path: String
  let location: String
  private let partial: String
  private var handle: FileHandle?
  private var isFinished = false
  private let encoder = JSONEncoder()

  init(_ path: String, _ session: Session, isForced: Bool) throws {
    self.path = path
    let url = URL(fileURLWithPath: session.path(path)).resolvingSymlinksInPath()
    location = url.path
    partial = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).partial").path
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    switch FileKind(at: location) {
    case .nothing: break
    case .regular where isForced: break
    case .regular: throw DriverFailure(["error: \(path) already exists: '--force' replaces it"], .usage)
    case .folder, .special: throw DriverFailure(["error: \(path) is not a regular file"], .usage)
    }
  }

  deinit { discard() }

  func write(_ reject: Reject) throws {
    if handle == nil {
      guard FileManager.default.createFile(atPath: partial, contents: nil),
        let opened = FileHandle(forWritingAtPath: partial)
      else { throw TransferError("\(path): cannot be written; check that the folder exists and its permissions") }
      handle = opened
    }
    do {
      try handle?.write(contentsOf: try encoder.encode(reject) + Data("\n".utf8))
    } catch {
      throw FileProblem.text(of: error, path).map(TransferError.init) ?? error
    }
  }

  /// Moves the complete file into place.
  func finish() throws {
    guard handle != nil else { return }
    try handle?.close()
    guard rename(partial, location) == 0 else {
      throw TransferError("\(path): cannot be written: \(FileError(errno))")
    }
    isFinished = true
  }

  /// Deletes the incomplete file after a failed import.
  func discard() {
    guard handle != nil, !isFinished else { return }
    try? handle?.close()
    unlink(partial)
    handle = nil
  }
}
