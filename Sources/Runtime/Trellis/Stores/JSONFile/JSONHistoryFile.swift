import Foundation

/// The file beside a JSON file to which each save adds a line.
struct JSONHistoryFile {
  let path: String
  /// Where the next line begins; nil where the file has to be written anew.
  private(set) var end: Int64?

  init(of path: String) { self.path = path + ".history" }

  /// What one look at the file has found.
  struct Contents {
    var identifier: String?
    var tail: JSONHistoryTail?
    /// Why nobody can read it.
    var damage: String?
  }

  /// Reads the first line, and where the last one ends. One without an end was being written when the program
  /// was killed, and counts for nothing.
  mutating func open() -> Contents {
    var contents = Contents()
    end = nil
    do {
      guard let tail = try JSONHistoryTail.open(path) else { return contents }
      guard let head = try? JSONDocument.decoder.decode(JSONHistoryLine.Head.self, from: Data(tail.head)),
        head.format == JSONHistoryLine.format
      else {
        contents.damage = "it does not begin as a history does"
        return contents
      }
      guard head.version <= JSONHistoryLine.version else {
        contents.damage = "it has format \(head.version), and this program knows \(JSONHistoryLine.version)"
        return contents
      }
      contents.identifier = head.identifier
      contents.tail = tail
      end = tail.end
    } catch {
      contents.damage = "\(error)"
    }
    return contents
  }

  /// Adds lines after the last one; on the disk when this returns.
  ///
  /// - Returns: where the file ended before, for ``takeBack(to:)``; nil where it has to be made anew.
  mutating func append(_ lines: [UInt8], rights: FileRights?) throws -> Int64? {
    guard let end, let now = JSONFileStamp(path), now.size >= end else { return nil }
    guard let handle = try? CompanionFile.open(path, O_WRONLY) else { return nil }
    defer { close(handle) }
    if let rights, rights != now.rights { rights.apply(to: handle) }
    // What a killed program has left half.
    guard now.size == end || ftruncate(handle, off_t(end)) == 0 else { throw FileError(errno) }
    do {
      try CompanionFile.write(lines, to: handle, at: end)
    } catch {
      ftruncate(handle, off_t(end))
      throw error
    }
    self.end = end + Int64(lines.count)
    return end
  }

  /// The next line makes the file anew.
  mutating func forget() { end = nil }

  /// Takes lines back that belong to nothing; where that fails, they are known by it.
  mutating func takeBack(to end: Int64?) {
    guard let end, truncate(path, off_t(end)) == 0 else { return }
    self.end = end
  }

  /// Puts another file in its place at once.
  mutating func replace(with contents: [UInt8], rights: FileRights?) throws {
    let newPath = path + ".new"
    unlink(newPath)
    let handle = try CompanionFile.make(at: newPath, rights)
    defer { close(handle) }
    do {
      try CompanionFile.write(contents, to: handle)
      guard rename(newPath, path) == 0 else { throw FileError(errno) }
    } catch {
      unlink(newPath)
      throw error
    }
    end = Int64(contents.count)
  }

  /// Tells contents of a file from others, as a line names them.
  static func digest(_ contents: some ContiguousBytes) -> String {
    contents.withUnsafeBytes { bytes in
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
      func mix(_ word: UInt64) {
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
      }
      var place = 0
      while place + 8 <= bytes.count {
        mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
        place += 8
      }
      while place < bytes.count {
        mix(UInt64(bytes[place]))
        place += 1
      }
      let text = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
  }
}
