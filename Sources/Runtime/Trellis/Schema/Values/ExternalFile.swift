import Foundation
import Synchronization

/// A file with one large value. It is written once, never changed, and removed when nothing refers to
/// it any more.
final class ExternalFile: Sendable {
  let path: String
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

  static func isLive(_ path: String) -> Bool { live.withLock { $0[path] != nil } }

  /// The contents, read at first and kept from then on.
  func read() throws(ExternalFileError) -> Data {
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

  /// `9f0c…-1048576`: a number that no other file has, and the length.
  static func newName(length: Int) -> String {
    UUID.unique().uuidString.replacingOccurrences(of: "-", with: "").lowercased() + "-\(length)"
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
final class UnreadFiles: Sendable {
  private let found = Mutex<ExternalFileError?>(nil)

  func note(_ error: ExternalFileError) {
    found.withLock { if $0 == nil { $0 = error } }
  }

  /// - Throws: what was noted.
  func check() throws {
    if let error = found.withLock({ $0 }) { throw error }
  }
}
