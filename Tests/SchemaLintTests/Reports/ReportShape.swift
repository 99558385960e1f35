import Foundation

/// A published format's requirements for a JSON value.
indirect enum ReportShape: Sendable {
  case text
  /// A relative or absolute URI reference with the characters of RFC 3986.
  case reference
  case word([String])
  case integer(atLeast: Int)
  case flag
  case list(ReportShape, atLeast: Int = 0, isUnique: Bool = false)
  /// An object with arbitrary member names.
  case table(ReportShape)
  /// An object with no members other than these. It must have all members in `required` and at least one of those in
  /// `oneOf`.
  case object([String: ReportShape], required: [String] = [], oneOf: [String] = [])

  /// Returns the violations in a value, with their paths.
  func problems(in value: JSONValue, at path: String = "$") -> [String] {
    switch (self, value) {
    case (.text, .text), (.flag, .flag): return []
    case (.reference, .text(let text)):
      return Self.isReference(text) ? [] : ["\(path): '\(text)' is no reference"]
    case (.word(let words), .text(let text)):
      return words.contains(text) ? [] : ["\(path): '\(text)' is none of \(words)"]
    case (.integer(let least), .integer(let number)):
      return number >= least ? [] : ["\(path): \(number) is less than \(least)"]
    case (.list(let shape, let least, let isUnique), .list(let values)):
      var found = values.enumerated().flatMap { shape.problems(in: $1, at: "\(path)[\($0)]") }
      if values.count < least { found.append("\(path): \(values.count) elements") }
      if isUnique, Set(values).count < values.count { found.append("\(path): two equal elements") }
      return found
    case (.table(let shape), .object(let members)):
      return members.flatMap { shape.problems(in: $1, at: "\(path).\($0)") }
    case (.object(let shapes, let required, let choices), .object(let members)):
      var found = members.flatMap { name, value in
        shapes[name]?.problems(in: value, at: "\(path).\(name)") ?? ["\(path): there is no '\(name)'"]
      }
      found += required.filter { members[$0] == nil }.map { "\(path): '\($0)' is missing" }
      if !choices.isEmpty, choices.allSatisfy({ members[$0] == nil }) { found.append("\(path): none of \(choices)") }
      return found
    default: return ["\(path): of another type"]
    }
  }

  private static func isReference(_ text: String) -> Bool {
    let scheme = /[A-Za-z][A-Za-z0-9+.-]*:/
    let rest = text.prefixMatch(of: scheme).map { text[$0.range.upperBound...] } ?? text[...]
    return rest.wholeMatch(of: /([A-Za-z0-9._~!$&'()*+,;=@\/?-]|%[0-9A-Fa-f]{2}|:(?=.*))*/) != nil
      && (rest.count < text.count
        || !(text.split(separator: "/", omittingEmptySubsequences: false).first ?? "").contains(":"))
  }
}

enum JSONValue: Hashable, Decodable {
  case null
  case flag(Bool)
  case integer(Int)
  case real(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    // Try strings and objects first, because most values are strings or objects and each failed attempt creates an
    // error.
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([String: JSONValue].self) {
      self = .object(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .flag(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else {
      self = .real(try container.decode(Double.self))
    }
  }

  init(_ text: String) throws { self = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) }
}
