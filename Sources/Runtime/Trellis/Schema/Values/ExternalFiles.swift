import Foundation
import Synchronization

/// The folder beside a store with the large values of its `@Attribute(.externalStorage)` properties.
///
/// Files are written and removed only by the writer of the store, inside its transaction or right
/// after it. A separate file lists the files of a transaction first, so that after a
/// crash the next writer knows which files may belong to no row.
package final class ExternalFiles: Sendable {
  /// `Trips.store-external` beside `Trips.store`.
  let folder: String
  private let storePath: String
  /// The columns that may name a file.
  let columns: [Column]
  private let unread: UnreadFiles?
  private let writing = Mutex(Writing())

  struct Column: Hashable, Sendable {
    var table: String
    var name: String
  }

  private struct Writing {
    /// The list of the running transaction, once it has written something.
    var list: String?
    var handle: FileHandle?
  }

  /// Values of more bytes get files. SQLite reads smaller ones faster from the row than a file system
  /// opens a file; a table with larger ones is slow to walk over.
  static let threshold = 128 * 1024

  init(storePath: String, columns: [Column], unread: UnreadFiles? = nil) {
    self.unread = unread
    self.storePath = storePath
    self.folder = storePath + "-external"
    self.columns = columns
  }

  func file(named name: String) -> ExternalFile? { ExternalFile(name: name, in: folder, unread: unread) }

  /// Puts a large value into a separate file.
  ///
  /// - Returns: what the row holds instead, nil when the value belongs into the row.
  func store(_ value: ExternalData) throws -> String? {
    if let file = value.file {
      // Each row has a separate file, so that none is removed while another row needs it.
      let data = try file.read()
      return data.count > Self.threshold ? try write(data) : nil
    }
    guard let data = try value.load(), data.count > Self.threshold else { return nil }
    return try write(data)
  }

  /// Puts a large value into a file with a given name.
  ///
  /// - Parameter number: 32 hexadecimal digits no other file has.
  package func store(_ data: Data, number: String) throws -> String? {
    data.count > Self.threshold ? try write(data, as: "\(number)-\(data.count)") : nil
  }

  private func write(_ data: Data, as given: String? = nil) throws -> String {
    let name = given ?? ExternalFile.newName(length: data.count)
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
  func makeFolder(_ rights: FileRights?) throws { try CompanionFile.makeFolder(at: folder, rights) }

  /// Forgets the list: the transaction is committed, or its files are gone.
  func settle() {
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
  var hasWritten: Bool { writing.withLock { $0.list != nil } }

  private var pendingFolder: String { folder + "/pending" }

  /// The lists that transactions have left behind.
  func leftLists() -> [String] {
    guard access(pendingFolder, F_OK) == 0 else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: pendingFolder)) ?? [])
      .map { pendingFolder + "/" + $0 }
  }

  func removeEmptyListFolder() { rmdir(pendingFolder) }

  func remove(_ name: String) {
    guard ExternalFile(name: name, in: folder) != nil else { return }
    try? FileManager.default.removeItem(atPath: folder + "/" + name)
  }
}
