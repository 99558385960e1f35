import Foundation
import Trellis

/// The file beside a JSON file to which each save adds a line.
struct JSONHistoryFile {
  let path: String
  /// Where the next line begins; nil if the file must be rewritten.
  private(set) var end: Int64?

  init(of path: String) { self.path = path + ".history" }

  /// Reads the file; nil if there is none.
  ///
  /// - Throws: ``HistoryExchange/Damage``.
  mutating func open() throws -> JSONHistoryLines? {
    end = nil
    let lines: JSONHistoryLines?
    do {
      lines = try JSONHistoryLines(CompanionFile.read(path))
    } catch let error as FileError where error.code == ENOENT {
      return nil
    } catch let error as HistoryExchange.Damage {
      throw error
    } catch {
      throw HistoryExchange.Damage("it cannot be read: \(error)")
    }
    end = lines.map { Int64($0.end) }
    return lines
  }

  /// Adds lines after the last one; they are on the disk when this returns.
  ///
  /// - Returns: where the file ended before, for ``takeBack(to:)``; nil if the file must be rewritten.
  mutating func append(_ lines: Data, rights: FileRights?) throws -> Int64? {
    guard let end, let now = FileStamp(path), now.size >= end else { return nil }
    guard let handle = try? CompanionFile.open(path, O_WRONLY) else { return nil }
    defer { close(handle) }
    if let rights, rights != now.rights { rights.apply(to: handle) }
    // A killed program has left half a line.
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

  /// Makes the next line write the whole file.
  mutating func forget() { end = nil }

  /// Takes back lines that belong to no contents. If that fails, they name contents that the file does not have.
  mutating func takeBack(to end: Int64) {
    if truncate(path, off_t(end)) == 0 { self.end = end }
  }

  /// Replaces the file at once.
  mutating func replace(with contents: Data, rights: FileRights?) throws {
    let newPath = path + ".new"
    unlink(newPath)
    try CompanionFile.make(at: newPath, rights, contents)
    guard rename(newPath, path) == 0 else {
      let error = FileError(errno)
      unlink(newPath)
      throw error
    }
    end = Int64(contents.count)
  }

  /// Tells the contents of a file from others, as lines name them.
  static func digest(_ contents: Data) -> String {
    contents.withUnsafeBytes { bytes in
      var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
      func mix(_ word: UInt64) {
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 29
      }
      let words = bytes.count / 8 * 8
      for place in stride(from: 0, to: words, by: 8) {
        mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
      }
      for byte in bytes[words...] { mix(UInt64(byte)) }
      let text = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
  }
}

/// The lines of a history, from the last one to the first. They are decoded one by one.
struct JSONHistoryLines {
  private let text: Data
  /// The store that the history is of.
  let identifier: String
  /// Where the line after the head begins.
  private let start: Int
  /// Where the last whole line ends: one without an end was being written when the program was killed.
  let end: Int

  private static let newline = UInt8(ascii: "\n")

  /// - Returns: nil for a text without a whole line.
  /// - Throws: ``HistoryExchange/Damage``.
  init?(_ text: Data) throws {
    guard let first = text.firstIndex(of: Self.newline), let last = text.lastIndex(of: Self.newline) else { return nil }
    let head = try? JSONDocument.decoder.decode(JSONHistoryLine.Head.self, from: text[..<first])
    guard let head, head.format == JSONHistoryLine.Head.format else {
      throw HistoryExchange.Damage("it does not begin as a history does")
    }
    guard head.version <= JSONHistoryLine.Head.version else {
      throw HistoryExchange.Damage(
        "it has format \(head.version), and this program knows \(JSONHistoryLine.Head.version)")
    }
    self.text = text
    identifier = head.identifier
    start = first + 1
    end = last + 1
  }

  /// Reads the line that ends at a position; nil at the head.
  ///
  /// - Throws: ``HistoryExchange/Damage``.
  func line(before position: Int) throws -> (line: JSONHistoryLine, start: Int)? {
    guard position > start else { return nil }
    let begin = (text[..<(position - 1)].lastIndex(of: Self.newline) ?? -1) + 1
    func damage(_ problem: String) -> HistoryExchange.Damage {
      HistoryExchange.Damage("its line \(text[..<begin].count { $0 == Self.newline } + 1) \(problem)")
    }
    let line = try? JSONDocument.decoder.decode(JSONHistoryLine.self, from: text[begin..<(position - 1)])
    guard let line else { throw damage("cannot be read") }
    let numbers = [line.id, line.notes.after ?? 0, line.notes.from ?? 0, line.notes.floor ?? 0]
    guard numbers.allSatisfy(HistoryExchange.numbers.contains) else {
      throw damage("has the number of a transaction that cannot be")
    }
    return (line, begin)
  }
}
