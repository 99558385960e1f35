package import Foundation
import Trellis

/// The folder for exported files.
package struct ExportFolder {
  private let url: URL
  private let names: [String]
  /// The temporary folder. It is in an existing folder, which may be the top folder of a file system.
  private let partial: URL

  /// - Parameters:
  ///   - names: The files to write.
  ///   - isForced: True to replace existing files with these names. No other files are changed.
  /// - Throws: ``TransferError`` if the folder cannot be used.
  package init(_ url: URL, names: [String], isForced: Bool) throws {
    self.url = url
    self.names = names
    let kind = FileKind(at: url.path)
    partial = (kind == .folder ? url : url.deletingLastPathComponent())
      .appendingPathComponent(".\(url.lastPathComponent).partial")
    switch kind {
    case .nothing:
      if let reason = CompanionFile.missingFolder(around: url) { throw TransferError("\(url.path): \(reason)") }
    case .folder:
      var existing = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      // A killed process may have left the temporary folder.
      existing.removeAll { $0 == partial.lastPathComponent }
      guard !existing.isEmpty, !isForced else { break }
      throw TransferError(
        "\(url.path): the folder is not empty: choose a new folder, or replace files of the same names with '--force'")
    case .regular, .special: throw TransferError("\(url.path): is a file, not a folder")
    }
    for name in names {
      let kind = FileKind(at: url.appendingPathComponent(name).path)
      guard kind == .regular || kind == .nothing else {
        throw TransferError("\(url.appendingPathComponent(name).path): is not a regular file")
      }
    }
  }

  /// Writes the files to a temporary folder and moves them into place when all are complete.
  package func write<T>(_ body: (URL) throws -> T) throws -> T {
    let files = FileManager.default
    try? files.removeItem(at: partial)
    try files.createDirectory(at: partial, withIntermediateDirectories: true)
    defer { try? files.removeItem(at: partial) }
    let result = try body(partial)
    if FileKind(at: url.path) == .nothing {
      try files.moveItem(at: partial, to: url)
      return result
    }
    for name in names {
      let (from, to) = (partial.appendingPathComponent(name), url.appendingPathComponent(name))
      guard rename(from.path, to.path) == 0 else {
        throw TransferError("\(to.path): cannot be written: \(FileError(errno))")
      }
    }
    return result
  }
}

/// Writes new files in blocks.
package enum OutputFile {
  /// - Throws: Errors from `body` and the file system.
  package static func write<T>(_ url: URL, _ body: (inout ByteSink) throws -> T) throws -> T {
    let handle = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard handle >= 0 else { throw TransferError("\(url.path): cannot be created: \(FileError(errno))") }
    defer { close(handle) }
    var sink = ByteSink { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.write(handle, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw TransferError("\(url.path): cannot be written: \(FileError(errno))") }
        rest = rest.dropFirst(count)
      }
    }
    let result = try body(&sink)
    try sink.finish()
    return result
  }
}
