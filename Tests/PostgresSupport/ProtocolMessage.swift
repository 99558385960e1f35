/// A message between a client and a PostgreSQL server.
public struct ProtocolMessage: Sendable {
  /// The message's sender.
  public enum Sender: Sendable, Hashable { case client, server }

  /// The message's kind. Messages before the session begins have no type byte.
  public enum Kind: Sendable, Hashable, CustomStringConvertible {
    case startup, tlsRequest, gssRequest, cancelRequest
    /// The one-byte response to a TLS or GSS request.
    case encryptionAnswer
    /// A message with a type byte: `Q` for a query, `P` for Parse, and so on.
    case typed(Character)

    public var description: String {
      switch self {
      case .startup: "startup"
      case .tlsRequest: "TLS request"
      case .gssRequest: "GSS request"
      case .cancelRequest: "cancel request"
      case .encryptionAnswer: "encryption answer"
      case .typed(let type): String(type)
      }
    }
  }

  public let sender: Sender
  public let kind: Kind
  /// The connection's index in the proxy, from 0.
  public internal(set) var connection = 0
  /// The number of earlier messages in the proxy, across all connections and both directions.
  public internal(set) var step = 0
  /// All bytes, including the type byte and the length.
  public let bytes: [UInt8]

  /// The SQL of a query or Parse message; `nil` for other messages.
  public var sql: String? {
    guard sender == .client else { return nil }
    let body = bytes.dropFirst(5)
    switch kind {
    case .typed("Q"): return String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
    case .typed("P"):
      // Skip the prepared statement's name.
      guard let end = body.firstIndex(of: 0) else { return nil }
      return String(decoding: body[(end + 1)...].prefix { $0 != 0 }, as: UTF8.self)
    default: return nil
    }
  }

  /// Encodes a message with a type byte.
  static func bytes(_ type: Character, _ body: [UInt8]) -> [UInt8] {
    let length = UInt32(body.count + 4)
    return [type.asciiValue ?? 0] + (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + body
  }

  /// Encodes an ErrorResponse.
  static func error(_ sqlState: String, _ message: String) -> [UInt8] {
    var body: [UInt8] = []
    for (field, text) in [("S", "ERROR"), ("V", "ERROR"), ("C", sqlState), ("M", message)] {
      body += Array(field.utf8) + Array(text.utf8) + [0]
    }
    return bytes("E", body + [0])
  }
}

/// Splits a sender's bytes into messages.
struct ProtocolReader {
  let sender: ProtocolMessage.Sender
  private var bytes: [UInt8] = []
  private var start = 0
  /// True until the client has sent its startup message.
  private var isStarting: Bool
  /// The number of one-byte responses that are expected from the server.
  var awaitedAnswers = 0
  /// True after both sides have agreed on encryption, which hides the messages.
  var isOpaque = false

  init(_ sender: ProtocolMessage.Sender) {
    self.sender = sender
    isStarting = sender == .client
  }

  mutating func append(_ more: ArraySlice<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += more
  }

  /// All bytes that do not form a complete message yet.
  mutating func rest() -> [UInt8] {
    defer {
      bytes = []
      start = 0
    }
    return Array(bytes[start...])
  }

  /// The next complete message; `nil` if there is none.
  mutating func next() -> ProtocolMessage? {
    let available = bytes.count - start
    if awaitedAnswers > 0, available > 0 {
      awaitedAnswers -= 1
      return message(.encryptionAnswer, 1)
    }
    let prefix = isStarting ? 0 : 1
    guard available >= prefix + 4 else { return nil }
    let length = prefix + Int(number(at: prefix))
    guard available >= length else { return nil }
    guard isStarting else { return message(.typed(Character(UnicodeScalar(bytes[start]))), length) }
    switch available >= 8 ? number(at: 4) : 0 {
    case 80_877_102: return message(.cancelRequest, length)
    case 80_877_103: return message(.tlsRequest, length)
    case 80_877_104: return message(.gssRequest, length)
    default:
      isStarting = false
      return message(.startup, length)
    }
  }

  private func number(at offset: Int) -> UInt32 {
    bytes[(start + offset)..<(start + offset + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  private mutating func message(_ kind: ProtocolMessage.Kind, _ length: Int) -> ProtocolMessage {
    defer { start += length }
    return ProtocolMessage(sender: sender, kind: kind, bytes: Array(bytes[start..<(start + length)]))
  }
}
