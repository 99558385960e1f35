import Foundation
import SchemaFixtures
package import SchemaModel
package import Trellis

/// The enums and structs of a store's schemas.
package struct JSONTypes: Sendable {
  let enumerations: [String: ResolvedEnum]
  package let structures: [String: ResolvedStruct]

  package init(_ schemas: [ResolvedSchema]) {
    enumerations = Dictionary(schemas.flatMap(\.enums).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    structures = Dictionary(schemas.flatMap(\.structs).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a struct's raw value type, or `nil` if the struct is not `RawRepresentable`.
  func rawType(ofStruct name: String) -> ValueType? {
    guard let type = structures[name], type.conformances.contains("RawRepresentable") else { return nil }
    return type.fields.first { $0.name == "rawValue" }?.type
  }
}

/// The JSON form for a declared type, as far as the schema determines it.
package struct JSONShape {
  private let type: ValueType
  private let types: JSONTypes

  package init(_ type: ValueType, _ types: JSONTypes) {
    self.type = type
    self.types = types
  }

  // MARK: Types

  /// False if the type or a type within it has coding code of its own, or is not declared by the schema.
  package var isKnown: Bool { isKnown(type, within: []) }

  private func isKnown(_ type: ValueType, within outer: Set<String>) -> Bool {
    switch type {
    case .scalar: return true
    case .optional(let wrapped), .array(let wrapped), .set(let wrapped): return isKnown(wrapped, within: outer)
    case .dictionary(let key, let value): return isKnown(key, within: outer) && isKnown(value, within: outer)
    case .opaque: return false
    case .enumeration(let name), .structure(let name):
      return outer.contains(name)
        || parts(ofDeclared: name)?.allSatisfy { isKnown($0, within: outer.union([name])) } ?? false
    }
  }

  /// Returns the types within an enum or a struct; `nil` if they are unknown.
  private func parts(ofDeclared name: String) -> [ValueType]? {
    if let type = types.enumerations[name] {
      return type.coding == nil ? type.cases.flatMap(\.payload).map(\.type) : nil
    }
    if let raw = types.rawType(ofStruct: name) { return types.structures[name]?.coding == nil ? [raw] : nil }
    return types.structures[name]?.codedFields?.map(\.field.type)
  }

  // MARK: Values

  /// Returns the problem with a column value, or `nil` if the value is valid.
  package func problem(of value: SQLValue) -> String? {
    guard let node = JSONNode(value) else { return "is not JSON text" }
    let place = JSONPlace(path: "", isStrict: false)
    return problem(node, type, place) == nil ? nil : "is JSON of a different form than '\(type.name)'"
  }

  /// Returns the problem with typed text, or `nil` if the text is valid. Other than in stored values, a struct's unknown
  /// keys are problems.
  package func problem(ofTyped text: String) -> String? {
    guard let node = JSONNode(.text(text)) else { return "is not JSON text" }
    return problem(node, type, JSONPlace(path: "the value", isStrict: true))
  }

  private func problem(_ node: JSONNode, _ type: ValueType, _ place: JSONPlace) -> String? {
    switch (type, node) {
    case (.optional, .null), (.opaque, _): return nil
    case (.optional(let wrapped), _): return problem(node, wrapped, place)
    case (.scalar(let scalar), _): return scalar.accepts(node) ? nil : "\(place.path) must be \(scalar.jsonNoun)"
    case (.array(let element), .list(let nodes)), (.set(let element), .list(let nodes)):
      return first(nodes.enumerated()) { problem($1, element, place.element($0)) }
    case (.dictionary(_, let value), .object(let members)):
      return first(members.sorted { $0.key < $1.key }) { problem($1, value, place.member($0)) }
    case (.dictionary(let key, let value), .list(let nodes)) where nodes.count.isMultiple(of: 2):
      return first(nodes.enumerated()) { problem($1, $0.isMultiple(of: 2) ? key : value, place.element($0)) }
    case (.array, _), (.set, _): return "\(place.path) must be a list in brackets"
    case (.dictionary, _): return "\(place.path) must be an object in braces"
    case (.enumeration(let name), _): return types.enumerations[name].flatMap { problem(node, $0, place) }
    case (.structure(let name), _):
      if let raw = types.rawType(ofStruct: name) { return problem(node, raw, place) }
      return types.structures[name].flatMap { problem(node, $0, place) }
    }
  }

  private func first<S: Sequence>(_ elements: S, _ body: (S.Element) -> String?) -> String? {
    elements.lazy.compactMap(body).first
  }

  private func problem(_ node: JSONNode, _ type: ResolvedEnum, _ place: JSONPlace) -> String? {
    // Types with custom coding code accept any value.
    guard type.coding == nil else { return nil }
    if let rawType = type.rawType {
      let isCase = rawType.accepts(node) && type.cases.contains { $0.matches(node) }
      return isCase ? nil : "\(place.path) must be the raw value of \(type.cases.map(\.name).joined(separator: ", "))"
    }
    guard case .object(let members) = node, members.count == 1, let (name, value) = members.first,
      let found = type.cases.first(where: { $0.name == name }), case .object(let fields) = value
    else { return "\(place.path) must be an object with a case as its key: {\"\(type.cases.first?.name ?? "")\": {}}" }
    return self.members(
      fields, found.payload.enumerated().map { ($1.label ?? "_\($0)", $1.type, false) }, place.member(name))
  }

  private func problem(_ node: JSONNode, _ type: ResolvedStruct, _ place: JSONPlace) -> String? {
    guard let fields = type.codedFields else { return nil }
    guard case .object(let members) = node else { return "\(place.path) must be an object in braces" }
    return self.members(members, fields.map { ($0.name, $0.field.type, $0.field.defaultValue != nil) }, place)
  }

  private func members(
    _ members: [String: JSONNode], _ fields: [(name: String, type: ValueType, hasDefault: Bool)], _ place: JSONPlace
  ) -> String? {
    if place.isStrict, let extra = members.keys.sorted().first(where: { name in !fields.contains { $0.name == name } })
    {
      return "\(place.path) has no '\(extra)'; it has \(fields.map(\.name).joined(separator: ", "))"
    }
    return first(fields) { name, type, hasDefault in
      if let member = members[name] { return problem(member, type, place.member(name)) }
      return type.isOptional || hasDefault ? nil : "\(place.path) needs '\(name)'"
    }
  }
}

/// A place in a JSON value, for messages.
private struct JSONPlace {
  var path: String
  /// True if unknown keys are problems.
  var isStrict: Bool

  func member(_ name: String) -> Self { Self(path: "\(path).\(name)", isStrict: isStrict) }
  func element(_ index: Int) -> Self { Self(path: "\(path)[\(index)]", isStrict: isStrict) }
}

extension ValueType {
  fileprivate var isOptional: Bool { if case .optional = self { true } else { false } }

  /// The type as spelled in a schema file.
  fileprivate var name: String {
    switch self {
    case .scalar(let scalar): scalar.rawValue
    case .enumeration(let name), .structure(let name), .opaque(let name): name
    case .optional(let wrapped): "\(wrapped.name)?"
    case .array(let element): "[\(element.name)]"
    case .set(let element): "Set<\(element.name)>"
    case .dictionary(let key, let value): "[\(key.name): \(value.name)]"
    }
  }
}

extension ResolvedEnum.Case {
  fileprivate func matches(_ node: JSONNode) -> Bool {
    switch (rawValue, node) {
    case (.string(let text)?, .text(let found)): text == found
    case (.integer(let number)?, .integer(let found)): number == found
    case (.integer(let number)?, .real(let found)): Double(number) == found
    case (.other(let text)?, .real(let found)): Double(text) == found
    case (.other(let text)?, .integer(let found)): Double(text) == Double(found)
    default: false
    }
  }
}

extension ScalarType {
  fileprivate func accepts(_ node: JSONNode) -> Bool {
    switch (self, node) {
    case (.bool, .boolean): return true
    case (.double, .integer), (.double, .real), (.float, .integer), (.float, .real), (.date, .integer), (.date, .real),
      (.decimal, .integer), (.decimal, .real):
      return true
    case (.double, .text(let text)), (.float, .text(let text)), (.date, .text(let text)):
      return ["NaN", "Infinity", "-Infinity"].contains(text)
    case (.string, .text): return true
    case (.character, .text(let text)): return text.count == 1
    case (.uuid, .text(let text)): return UUID(uuidString: text) != nil
    case (.url, .text(let text)): return URL(string: text) != nil
    case (.url, .object(let members)): return members["relative"] != nil
    case (.data, .text(let text)): return Data(base64Encoded: text) != nil
    case (.duration, .list(let parts)): return parts.count == 2
    case (_, .integer(let number)):
      guard let (isSigned, bits) = integer else { return false }
      let limit = bits == 64 ? Int64.max : (1 << Int64(isSigned ? bits - 1 : bits)) - 1
      return number <= limit && number >= (isSigned ? -limit - 1 : 0)
    // An unsigned number above the signed range.
    case (.uint, .real(let number)), (.uint64, .real(let number)): return number > 0
    default: return false
    }
  }

  /// The expected value in messages.
  fileprivate var jsonNoun: String {
    switch self {
    case .bool: "true or false"
    case .string: "text in quotes"
    case .float, .double, .decimal: "a number"
    case .date: "the seconds since 2001 as a number"
    case .uuid: "a UUID in quotes"
    case .url: "a URL in quotes"
    case .data: "Base64 in quotes"
    case .character: "a single character in quotes"
    case .duration: "a list of two integers"
    default: "an integer that \(rawValue) can hold"
    }
  }
}

/// A parsed JSON value.
indirect enum JSONNode: Equatable, Decodable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case list([JSONNode])
  case object([String: JSONNode])

  /// Parses a column value. Returns `nil` if it is not JSON text.
  init?(_ value: SQLValue) {
    guard case .text(let text) = value, let node = try? JSONDecoder().decode(JSONNode.self, from: Data(text.utf8))
    else { return nil }
    self = node
  }

  init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Key.self) {
      var members: [String: JSONNode] = [:]
      for key in container.allKeys { members[key.stringValue] = try container.decode(JSONNode.self, forKey: key) }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var nodes: [JSONNode] = []
      while !container.isAtEnd { nodes.append(try container.decode(JSONNode.self)) }
      self = .list(nodes)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let flag = try? container.decode(Bool.self) {
        self = .boolean(flag)
      } else if let number = try? container.decode(Int64.self) {
        self = .integer(number)
      } else if let number = try? container.decode(Double.self) {
        self = .real(number)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
