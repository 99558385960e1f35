package import Foundation

/// A request's identifier, which the client chooses.
enum RequestID: Codable, Hashable, Sendable {
  case number(Int)
  case text(String)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self =
      if let number = try? container.decode(Int.self) { .number(number) } else {
        .text(try container.decode(String.self))
      }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .number(let number): try container.encode(number)
    case .text(let text): try container.encode(text)
    }
  }
}

/// A message from the client. The parameters are decoded when the method is known.
struct IncomingMessage: Sendable {
  let id: RequestID?
  /// Nil for the answer to a request of the server.
  let method: String?
  private let body: Data

  private struct Head: Decodable {
    var id: RequestID?
    var method: String?
  }

  private struct Parameters<Value: Decodable>: Decodable {
    var params: Value
  }

  /// - Throws: A decoding error if the text is not a JSON-RPC message.
  init(_ body: Data) throws {
    let head = try JSONDecoder().decode(Head.self, from: body)
    self.body = body
    id = head.id
    method = head.method
  }

  func parameters<Value: Decodable>(_ type: Value.Type) throws(ResponseError) -> Value {
    do {
      return try JSONDecoder().decode(Parameters<Value>.self, from: body).params
    } catch {
      throw ResponseError(.invalidParameters, "the parameters of '\(method ?? "")' are not valid: \(error)")
    }
  }
}

/// The error in a response.
struct ResponseError: Error, Encodable {
  enum Code: Int, Encodable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParameters = -32602
    case internalError = -32603
    case notInitialized = -32002
    case requestCancelled = -32800
    case requestFailed = -32803
  }

  let code: Code
  let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

/// A message to the client, as JSON.
package struct OutgoingMessage: Sendable, Equatable {
  package let body: Data

  private struct Response<Result: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var id: RequestID
    var result: Result
  }

  private struct Failure: Encodable {
    var jsonrpc = "2.0"
    var id: RequestID?
    var error: ResponseError

    enum CodingKeys: CodingKey { case jsonrpc, id, error }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(jsonrpc, forKey: .jsonrpc)
      // The identifier is required, and null if it could not be read.
      try container.encode(id, forKey: .id)
      try container.encode(error, forKey: .error)
    }
  }

  private struct Notification<Parameters: Encodable>: Encodable {
    var jsonrpc = "2.0"
    var id: RequestID?
    var method: String
    var params: Parameters
  }

  static func response(_ id: RequestID, _ result: some Encodable) -> Self { Self(Response(id: id, result: result)) }

  static func failure(_ id: RequestID?, _ error: ResponseError) -> Self { Self(Failure(id: id, error: error)) }

  static func notification(_ method: String, _ parameters: some Encodable) -> Self {
    Self(Notification(method: method, params: parameters))
  }

  static func request(_ id: RequestID, _ method: String, _ parameters: some Encodable) -> Self {
    Self(Notification(id: id, method: method, params: parameters))
  }

  private init(_ message: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // The messages consist of texts, integers and lists, which can always be encoded.
    body = (try? encoder.encode(message)) ?? Data()
  }
}

/// JSON's null, as a result.
struct Nothing: Encodable {
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encodeNil()
  }
}
