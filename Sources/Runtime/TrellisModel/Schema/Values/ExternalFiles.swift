public import Foundation
import Synchronization

/// The folder next to a store that contains large `@Attribute(.externalStorage)` values.
///
/// Only the store's writer creates and removes files, inside the transaction or immediately after it. Before a file is
/// created, its name is recorded in a list. After a crash, the next writer uses the list to find files that may belong
/// to no row.
package final class ExternalFiles: Sendable {
  /// The folder path, for example `Trips.store-external` for `Trips.store`.
  package let folder: String
  private let storePath: String
  /// The columns that can contain file names.
  package let columns: [Column]
  private let unread: UnreadFiles?
  private let writing = Mutex(Writing())

  package struct Column: Hashable, Sendable {
    package var table: String
    package var name: String

    package init(table: String, name: String) {
      self.table = table
      self.name = name
    }
  }

  private struct Writing {
    /// The running transaction's list; nil until the transaction writes a file.
    var list: String?
    var handle: FileHandle?
  }

  /// The maximum inline value size, in bytes. SQLite reads smaller values from the row faster than a file system opens
  /// a file. Larger values slow down table scans.
  static let threshold = 128 * 1024

  package init(storePath: String, columns: [Column], unread: UnreadFiles? = nil) {
    self.unread = unread
    self.storePath = storePath
    self.folder = storePath + "-external"
    self.columns = columns
  }

  package func file(named name: String) -> ExternalFile? { ExternalFile(name: name, in: folder, unread: unread) }

  /// Writes a large value to a separate file.
  ///
  /// - Returns: The file name to store in the row; nil if the value is stored in the row itself.
  func store(_ value: ExternalData) throws -> String? {
    // Each row uses a separate file, so that deleting a row never removes another row's file.
    try value.load().flatMap { try store($0, number: ExternalFile.newNumber()) }
  }

  /// Writes a large value to a file with a given number.
  ///
  /// - Parameter number: 32 hexadecimal digits that no existing file uses.
  package func store(_ data: Data, number: @autoclosure () -> String) throws -> String? {
    guard data.count > Self.threshold else { return nil }
    let name = "\(number())-\(data.count)"
    let path = folder + "/" + name
    do {
      try announce(name)
      let handle = try CompanionFile.make(at: path, FileRights(of: storePath))
      defer { close(handle) }
      // Flush to disk, so that a row that survives a power failure never refers to a file whose bytes were lost.
      try CompanionFile.write(data, to: handle)
    } catch {
      throw ExternalFileError(path: path, reason: "cannot be written: \(error)", isAboutWriting: true)
    }
    return name
  }

  /// Records a file name in the list before the file is created.
  private func announce(_ name: String) throws {
    try writing.withLock { writing in
      if writing.handle == nil {
        let list = try makeList()
        writing.handle = try FileHandle(forWritingTo: URL(fileURLWithPath: list))
        writing.list = list
      }
      try writing.handle?.write(contentsOf: Data((name + "\n").utf8))
    }
  }

  private func makeList() throws -> String {
    let list = pendingFolder + "/" + UUID.unique().uuidString
    let rights = FileRights(of: storePath)
    for attempt in 1... {
      do {
        try makeFolder(rights)
        try CompanionFile.makeFolder(at: pendingFolder, rights)
        close(try CompanionFile.make(at: list, rights))
        break
      } catch  where attempt < 5 {
        // A concurrent process removed its own list and then the empty folder.
        continue
      }
    }
    return list
  }

  /// Creates the folder if it does not exist.
  ///
  /// - Parameter rights: The store's file rights.
  package func makeFolder(_ rights: FileRights?) throws { try CompanionFile.makeFolder(at: folder, rights) }

  /// Removes the list after the transaction was committed or the files were removed.
  package func resolve() {
    writing.withLock { writing in
      try? writing.handle?.close()
      if let list = writing.list {
        try? FileManager.default.removeItem(atPath: list)
        // Saves skip the search for lists if the folder is missing. Removal fails if the folder contains a list.
        removeEmptyListFolder()
      }
      writing = Writing()
    }
  }

  /// True if the running transaction has written files.
  package var hasWritten: Bool { writing.withLock { $0.list != nil } }

  private var pendingFolder: String { folder + "/pending" }

  /// Returns the lists from interrupted transactions.
  package func leftLists() -> [String] {
    guard access(pendingFolder, F_OK) == 0 else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: pendingFolder)) ?? [])
      .map { pendingFolder + "/" + $0 }
  }

  package func removeEmptyListFolder() { rmdir(pendingFolder) }

  package func remove(_ name: String) {
    guard ExternalFile(name: name, in: folder) != nil else { return }
    try? FileManager.default.removeItem(atPath: folder + "/" + name)
  }
}

/// A file that contains one large value. The file is written once, never changed, and removed when no row refers to it.
package final class ExternalFile: Sendable {
  package let path: String
  /// The file size in bytes, taken from the name.
  package let length: Int
  private let bytes = Mutex<Data?>(nil)
  /// Records that the value was read as nil because the file could not be read; nil if no recording is needed.
  let unread: UnreadFiles?

  /// The reference counts for files that are represented by values in memory. These files are not removed.
  private static let live = Mutex<[String: Int]>([:])

  /// - Returns: Nil if the name does not have the expected form, so that a damaged row cannot refer to a path outside
  ///   the folder.
  init?(name: String, in folder: String, unread: UnreadFiles? = nil) {
    guard let length = Self.length(of: name) else { return nil }
    self.unread = unread
    self.path = folder + "/" + name
    self.length = length
    Self.live.withLock { $0[path, default: 0] += 1 }
  }

  deinit {
    Self.live.withLock { live in
      let count = (live[path] ?? 1) - 1
      live[path] = count > 0 ? count : nil
    }
  }

  package static func isLive(_ path: String) -> Bool { live.withLock { $0[path] != nil } }

  /// Returns the contents. The first call reads the file and caches the bytes.
  package func read() throws(ExternalFileError) -> Data {
    try bytes.withLock { bytes throws(ExternalFileError) in
      if let bytes { return bytes }
      let data: Data
      do {
        data = try CompanionFile.read(path)
      } catch {
        let isThere = FileManager.default.fileExists(atPath: path)
        throw ExternalFileError(path: path, reason: isThere ? "cannot be read: \(error)" : "is missing")
      }
      guard data.count == length else {
        throw ExternalFileError(
          path: path, reason: "is damaged: it has \(data.count) bytes instead of \(length)")
      }
      bytes = data
      return data
    }
  }

  /// Returns a unique number. In the file name, the length follows: `9f0c…-1048576`.
  static func newNumber() -> String {
    UUID.unique().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
  }

  private static func length(of name: String) -> Int? {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count == 32,
      parts[0].utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
      parts[1].utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int(parts[1])
  }
}

/// Records the first unreadable file that was read as nil. Otherwise, a migration would overwrite the stored value with
/// nil.
package final class UnreadFiles: Sendable {
  package init() {}
  private let found = Mutex<ExternalFileError?>(nil)

  func record(_ error: ExternalFileError) {
    found.withLock { if $0 == nil { $0 = error } }
  }

  /// - Throws: The recorded error.
  package func check() throws {
    if let error = found.withLock({ $0 }) { throw error }
  }
}

/// The value of an `@Attribute(.externalStorage)` property: bytes, or a reference to a file.
///
/// A fetch does not read the file. The first property access reads the bytes and caches them. A value that cannot be
/// read is reported as ``ModelIssue/unreadableFile(path:reason:)`` and reads as nil or empty. The stored value is
/// preserved until a new value is assigned.
public struct ExternalData: Sendable {
  private enum Storage: Sendable {
    case bytes(Data?)
    case file(ExternalFile)
  }

  private let storage: Storage

  /// Creates an empty value.
  public init() { storage = .bytes(nil) }

  /// Creates a value from bytes.
  public init(_ data: Data?) { storage = .bytes(data) }

  init(_ file: ExternalFile) { storage = .file(file) }

  /// The bytes of an optional property.
  public var optionalData: Data? {
    switch storage {
    case .bytes(let data): return data
    case .file(let file):
      do {
        return try file.read()
      } catch {
        ModelIssue.unreadableFile(path: file.path, reason: "\(error)").report()
        file.unread?.record(error)
        return nil
      }
    }
  }

  /// The bytes of a required property; empty if there are none.
  public var data: Data { optionalData ?? Data() }

  /// Returns the bytes; nil if the value is nil.
  ///
  /// - Throws: ``ExternalFileError`` if the file cannot be read.
  public func load() throws -> Data? {
    switch storage {
    case .bytes(let data): data
    case .file(let file): try file.read()
    }
  }

  /// Returns true if both values refer to the same file or have equal bytes. A file is compared with bytes by length
  /// first, and read only if the lengths are equal.
  func hasSameBytes(as other: ExternalData) -> Bool {
    switch (storage, other.storage) {
    case (.bytes(let one), .bytes(let two)): one == two
    case (.file(let one), .file(let two)): one.path == two.path
    case (.file(let file), .bytes(let data)), (.bytes(let data), .file(let file)):
      file.length == data?.count && (try? file.read()) == data
    }
  }
}

/// An error for an `@Attribute(.externalStorage)` file that is missing or damaged, or that cannot be written.
///
/// A save throws it if a file cannot be written. Nothing is saved, and the changes remain pending:
///
/// ```swift
/// do {
///   trip.photo = try Data(contentsOf: url)
///   try context.save()
/// } catch let error as ExternalFileError {
///   print(error)  // the file '…/Trips.store-external/9f0c…-1048576' cannot be written: …
/// }
/// ```
///
/// Reading a model's property never throws: an unreadable file is reported as
/// ``ModelIssue/unreadableFile(path:reason:)``. The snapshot properties of a released schema version throw this error.
///
/// Not in SwiftData.
public struct ExternalFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file path.
  public let path: String
  /// The reason for the failure.
  public let reason: String
  /// True if the error occurred while writing.
  package var isAboutWriting = false

  /// The file path and the reason.
  public var description: String { "the file '\(path)' \(reason)" }
}
