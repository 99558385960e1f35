package import Foundation

/// A complete request that an ``HTTPParser`` has accepted.
package struct HTTPRequest: Equatable, Sendable {
  package var method: String
  /// The decoded path components. A slash at the end of the path adds an empty component.
  package var path: [String]
  package var query: HTTPQuery
  /// The header values by lowercase name. The values of repeated headers are separated by `, `.
  package var headers: [String: String]
  package var body: Data
  /// True if the client expects further responses on the same connection.
  package var keepsAlive: Bool

  package init(
    method: String = "GET", path: [String], query: HTTPQuery = [:], headers: [String: String] = [:],
    body: Data = Data(), keepsAlive: Bool = true
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.keepsAlive = keepsAlive
  }

  package var isHead: Bool { method == "HEAD" }
}

/// The decoded parameters of a request in their original order. Of parameters with the same name, the first is kept.
package struct HTTPQuery: Equatable, Sendable, ExpressibleByDictionaryLiteral {
  package private(set) var names: [String] = []
  private var values: [String: String] = [:]

  package init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { append(name, value) }
  }

  package subscript(name: String) -> String? { values[name] }

  package mutating func append(_ name: String, _ value: String) {
    guard values[name] == nil else { return }
    names.append(name)
    values[name] = value
  }
}
