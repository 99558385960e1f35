import Foundation
import Synchronization
import Trellis

/// A file to which a program appends a line of JSON for each statement. Only the last statements are kept.
package final class TraceFile: Sendable {
  private let path: String
  private let tail = Mutex(TraceTail())

  /// The file may appear later.
  package init(_ path: String) { self.path = path }

  /// Reads new lines, and sums up the statements by text.
  ///
  /// - Parameter known: The ``StatementReport/version`` that the page shows. If it is current, the answer has no
  ///   statements.
  func report(by order: StatementReport.Order, unless known: String?) -> StatementReport {
    tail.withLock { tail in
      let isThere = tail.read(path)
      let version = "\(tail.version)-\(order)"
      guard version != known else { return StatementReport(path: path, isThere: isThere, version: version) }
      return StatementReport(path, isThere, version, tail, order)
    }
  }
}

/// A statement in a trace file.
struct TracedLine: Codable, Sendable {
  var sql: String
  var seconds: Double
  var rows: Int?
  var purpose: String?
  var store: String?
  /// Seconds since 1970.
  var time: Double?
}

/// The end of a trace file, and the place where reading continues.
struct TraceTail {
  /// The last statements, oldest first.
  private(set) var statements: [TracedLine] = []
  /// The number of statements that were read, including those that are no longer kept.
  private(set) var count = 0
  /// The number of lines that are not statements.
  private(set) var invalid = 0
  private var place = Place()

  private struct Place {
    var stamp: FileStamp?
    var offset: Int64 = 0
    /// An incomplete line at the end of the file.
    var rest = Data()
    /// True until the end of a line whose beginning was not read.
    var isSkipping = false
  }

  /// The number of statements that are kept.
  static let size = 10_000
  /// The bytes that are read at once, at the end of the file.
  private static let window: Int64 = 16 << 20
  private static let longestLine = 256 << 10
  private static let longestText = 4_000

  var version: String { "\(place.stamp?.file ?? 0)-\(place.offset)" }

  /// Reads the lines that were added since the last call. Begins anew if the file was replaced or truncated.
  ///
  /// - Returns: False if there is no such file.
  mutating func read(_ path: String) -> Bool {
    // Without the flag, opening a pipe would wait.
    let handle = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard handle >= 0 else { return false }
    defer { close(handle) }
    guard let stamp = FileStamp(handle), stamp.kind == .regular else { return false }
    if place.stamp.map({ !$0.isSameFile(as: stamp) }) ?? true || stamp.size < place.offset { self = TraceTail() }
    place.stamp = stamp
    if stamp.size - place.offset > Self.window {
      (place.offset, place.rest, place.isSkipping) = (stamp.size - Self.window, Data(), true)
    }
    append(bytes(handle, count: Int(stamp.size - place.offset)))
    return true
  }

  private func bytes(_ handle: Int32, count: Int) -> Data {
    var data = Data(count: count)
    let length = data.withUnsafeMutableBytes { bytes in
      var length = 0
      while length < bytes.count, let start = bytes.baseAddress {
        let read = pread(handle, start + length, bytes.count - length, off_t(place.offset) + off_t(length))
        guard read > 0 else { break }
        length += read
      }
      return length
    }
    return data.prefix(length)
  }

  private mutating func append(_ data: Data) {
    place.offset += Int64(data.count)
    var lines = (place.rest + data).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    place.rest = Data(lines.popLast() ?? Data())
    if place.isSkipping, lines.popFirst() != nil { place.isSkipping = false }
    if place.isSkipping || place.rest.count > Self.longestLine { (place.rest, place.isSkipping) = (Data(), true) }
    let decoder = JSONDecoder()
    for line in lines.suffix(Self.size) where !line.isEmpty {
      guard var statement = try? decoder.decode(TracedLine.self, from: line),
        (0...1e9).contains(statement.seconds)
      else {
        invalid += 1
        continue
      }
      if statement.sql.utf8.count > Self.longestText { statement.sql = statement.sql.prefix(Self.longestText) + "…" }
      statements.append(statement)
      count += 1
    }
    count += max(0, lines.count - Self.size)
    statements.removeFirst(max(0, statements.count - Self.size))
  }
}
