import Foundation

/// A request that the server cannot accept. The connection ends, because the start of the next request is unknown.
package struct HTTPFailure: Error, Equatable, Sendable {
  package let response: HTTPResponse

  init(_ status: Int, _ message: String) {
    response = .error(status, message)
  }
}

/// Splits a byte stream into requests.
///
/// The result does not depend on how the stream is divided among calls of ``append(_:)``. Memory is bounded if
/// ``next()`` has returned nil before more bytes are appended.
package struct HTTPParser {
  /// The largest request line and headers together.
  package static let headLimit = 16 << 10
  package static let headerLimit = 100
  package static let bodyLimit = 16 << 20

  private var buffer: [UInt8] = []
  /// The end of the lines that have been read.
  private var position = 0
  /// The end of the bytes that contain no line break.
  private var searched = 0
  private var head = HTTPHead()
  /// The size of the lines in `head`.
  private var headSize = 0
  /// The request whose body has not arrived.
  private var waiting: (request: HTTPRequest, length: Int)?
  private var failure: HTTPFailure?

  package init() {}

  /// True if no byte of the next request has arrived.
  package var isIdle: Bool { headSize == 0 && buffer.isEmpty }

  /// The request whose body is still arriving.
  var unfinished: HTTPRequest? { waiting?.request }

  package mutating func append(_ bytes: some Collection<UInt8>) { buffer += bytes }

  /// Removes and returns the first complete request; nil if the rest of it has not arrived.
  ///
  /// - Throws: ``HTTPFailure``, then and in each later call.
  package mutating func next() throws(HTTPFailure) -> HTTPRequest? {
    if let failure { throw failure }
    do throws(HTTPFailure) {
      return try read()
    } catch {
      failure = error
      throw error
    }
  }

  private mutating func read() throws(HTTPFailure) -> HTTPRequest? {
    while waiting == nil {
      guard let line = try nextLine() else { return nil }
      if line.isEmpty { waiting = try head.request() } else { try head.read(line) }
    }
    guard let (head, length) = waiting, buffer.count - position >= length else { return nil }
    var request = head
    request.body = Data(buffer[position..<(position + length)])
    buffer.removeFirst(position + length)
    (position, searched, self.head, headSize, waiting) = (0, 0, HTTPHead(), 0, nil)
    return request
  }

  /// Returns the next line without its end; nil if it is incomplete.
  private mutating func nextLine() throws(HTTPFailure) -> ArraySlice<UInt8>? {
    let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n"))
    let size = (end.map { $0 + 1 } ?? buffer.count) - position
    // An incomplete line is measured too. Otherwise the buffer could grow without a limit.
    guard headSize + size <= Self.headLimit else { throw headSize == 0 ? .longTarget : .longHead }
    searched = position + size
    guard let end else { return nil }
    let line = buffer[position..<end]
    position += size
    headSize += size
    let content = line.dropLast()
    guard line.last == UInt8(ascii: "\r"), !content.contains(UInt8(ascii: "\r")), !content.contains(0) else {
      throw .wrongLine
    }
    return content
  }
}

extension HTTPFailure {
  private static var kibibytes: Int { HTTPParser.headLimit >> 10 }
  fileprivate static var longTarget: Self { Self(414, "the request line is longer than \(kibibytes) KiB") }
  fileprivate static var longHead: Self { Self(431, "the headers are longer than \(kibibytes) KiB") }
  fileprivate static var wrongLine: Self { Self(400, "lines must end with CR LF and contain neither CR nor NUL") }
}
