public import Foundation
import Synchronization

/// The folder beside a store with the large values of its `@Attribute(.externalStorage)` properties.
///
/// Files are written and removed only by the writer of the store, inside its transaction or right
/// after it. A separate file lists the files of a transaction first, so that after a
/// crash the next writer knows which files may belong to no row.
package final class ExternalFiles: Sendable {
  /// `Trips.store-external` beside `Trips.store`.
  package let folder: String
  private let storePath: String
  /// The columns that may name a file.
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
    /// The list of the running transaction, once it has written something.
    var list: String?
    var handle: FileHandle?
  }

  /// Values of more bytes get files. SQLite reads smaller ones faster from the row than a file system
  /// opens a file; a table with larger ones is slow to walk over.
  static let threshold = 128 * 1024

  package init(storePath: String, columns: [Column], unread: UnreadFiles? = nil) {
    self.unread = unread
    self.storePath = storePath
    self.folder = storePath + "-external"
    self.columns = columns
  }

  package func file(named name: String) -> ExternalFile? { ExternalFile(name: name, in: folder, unread: unread) }

  /// Puts a large value into a separate file.
  ///
  /// - Returns: what the row holds instead, nil when the value belongs into the row.
  func store(_ value: ExternalData) throws -> String? {
    // Each row has a separate file, so that none is removed while another row needs it.
    try value.load().flatMap { try store($0, number: ExternalFile.newNumber()) }
  }

  /// Puts a large value into a file with a given name.
  ///
  /// - Parameter number: 32 hexadecimal digits no other file has.
  package func store(_ data: Data, number: @autoclosure () -> String) throws -> String? {
    guard data.count > Self.threshold else { return nil }
    let name = "\(number())-\(data.count)"
    let path = folder + "/" + name
    do {
      try announce(name)
      let handle = try CompanionFile.make(at: path, FileRights(of: storePath))
      defer { close(handle) }
      // Waits for the disk: a row that a power cut spares must not name a file whose bytes it took.
      try CompanionFile.write(data, to: handle)
    } catch {
      throw ExternalFileError(path: path, reason: "cannot be written: \(error)", isAboutWriting: true)
    }
    return name
  }

  /// Lists a file before it is made.
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
        // Another process has just removed the empty folder behind its own list.
        continue
      }
    }
    return list
  }

  /// Makes the folder of the files, unless there is one.
  ///
  /// - Parameter rights: of the store.
  package func makeFolder(_ rights: FileRights?) throws { try CompanionFile.makeFolder(at: folder, rights) }

  /// Forgets the list: the transaction is committed, or its files are gone.
  package func settle() {
    writing.withLock { writing in
      try? writing.handle?.close()
      if let list = writing.list {
        try? FileManager.default.removeItem(atPath: list)
        // While there is no list, a save need not look for one. Fails when there is another list.
        removeEmptyListFolder()
      }
      writing = Writing()
    }
  }

  /// Whether the running transaction has written files.
  package var hasWritten: Bool { writing.withLock { $0.list != nil } }

  private var pendingFolder: String { folder + "/pending" }

  /// The lists that transactions have left behind.
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

/// A file with one large value. It is written once, never changed, and removed when nothing refers to
/// it any more.
package final class ExternalFile: Sendable {
  package let path: String
  /// The length the name promises.
  let length: Int
  private let bytes = Mutex<Data?>(nil)
  /// Records a value that reads as nil because it cannot be read; nil where it is not recorded.
  let unread: UnreadFiles?

  /// The files that values in memory stand for, with their number: those are not removed.
  private static let live = Mutex<[String: Int]>([:])

  /// - Returns: nil when it is no name of ours; a name from a damaged row leads nowhere else.
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

  /// The contents, read at first and kept from then on.
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

  /// A number that no other file has. The length follows it in the name: `9f0c…-1048576`.
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

/// The first file whose value was read as nil because it cannot be read. While rows are carried over, such
/// a nil would be written in the place of a value.
package final class UnreadFiles: Sendable {
  package init() {}
  private let found = Mutex<ExternalFileError?>(nil)

  func note(_ error: ExternalFileError) {
    found.withLock { if $0 == nil { $0 = error } }
  }

  /// - Throws: what was noted.
  package func check() throws {
    if let error = found.withLock({ $0 }) { throw error }
  }
}

/// The value of an `@Attribute(.externalStorage)` property: bytes, or the file they are in.
///
/// A fetch does not read the file; the property does, on the first request, and keeps the bytes
/// from then on. A value that cannot be read is reported as ``ModelIssue/unreadableFile(path:reason:)``
/// and reads as nil or empty; the store keeps it as it is until something else is assigned.
public struct ExternalData: Sendable {
  private enum Storage: Sendable {
    case bytes(Data?)
    case file(ExternalFile)
  }

  private let storage: Storage

  /// No value.
  public init() { storage = .bytes(nil) }

  /// A value that is assigned.
  public init(_ data: Data?) { storage = .bytes(data) }

  init(_ file: ExternalFile) { storage = .file(file) }

  /// The bytes, of an optional property.
  public var optionalData: Data? {
    switch storage {
    case .bytes(let data): return data
    case .file(let file):
      do {
        return try file.read()
      } catch {
        ModelIssue.unreadableFile(path: file.path, reason: "\(error)").report()
        file.unread?.note(error)
        return nil
      }
    }
  }

  /// The bytes, of a property that is not optional; empty where there are none.
  public var data: Data { optionalData ?? Data() }

  /// The bytes; nil for nil.
  ///
  /// - Throws: ``ExternalFileError`` when they are in a file that cannot be read.
  public func load() throws -> Data? {
    switch storage {
    case .bytes(let data): data
    case .file(let file): try file.read()
    }
  }

  /// Whether both are the same file or bytes. If only one is a file, it is read where its length does not tell.
  func hasSameBytes(as other: ExternalData) -> Bool {
    switch (storage, other.storage) {
    case (.bytes(let one), .bytes(let two)): one == two
    case (.file(let one), .file(let two)): one.path == two.path
    case (.file(let file), .bytes(let data)), (.bytes(let data), .file(let file)):
      file.length == data?.count && (try? file.read()) == data
    }
  }
}

/// A file of an `@Attribute(.externalStorage)` property that is missing, damaged or cannot be written.
public struct ExternalFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// What is wrong with it.
  public let reason: String
  /// Whether there is nothing to read yet.
  package var isAboutWriting = false

  /// The file and what is wrong with it.
  public var description: String { "the file '\(path)' \(reason)" }
}
