package import Foundation

/// Splits a byte stream into messages: header lines, an empty line, and as many bytes as `Content-Length` states.
package struct MessageReader {
  /// The largest message: a schema file at its limit, escaped as JSON.
  static let limit = 64 << 20
  private static let end = Data("\r\n\r\n".utf8)

  package enum Failure: Error { case noLength, tooLong }

  private var buffer = Data()

  package init() {}

  package mutating func append(_ bytes: Data) { buffer.append(bytes) }

  /// Removes and returns the first complete message; nil if the rest of it has not arrived.
  ///
  /// - Throws: ``Failure``, after which the stream cannot be read any further.
  package mutating func next() throws(Failure) -> Data? {
    guard let header = buffer.firstRange(of: Self.end) else {
      guard buffer.count < 8_192 else { throw .noLength }
      return nil
    }
    let lines = String(decoding: buffer[buffer.startIndex..<header.lowerBound], as: UTF8.self)
      .split(separator: "\r\n")
    let length = lines.lazy.compactMap { line -> Int? in
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { return nil }
      return Int(parts[1].filter { !$0.isWhitespace })
    }.first
    guard let length, length >= 0 else { throw .noLength }
    guard length <= Self.limit else { throw .tooLong }
    guard buffer.endIndex - header.upperBound >= length else { return nil }
    let body = buffer[header.upperBound..<(header.upperBound + length)]
    buffer = Data(buffer[body.endIndex...])
    return Data(body)
  }

  /// Returns a message with its header.
  package static func framed(_ message: OutgoingMessage) -> Data {
    Data("Content-Length: \(message.body.count)\r\n\r\n".utf8) + message.body
  }
}
