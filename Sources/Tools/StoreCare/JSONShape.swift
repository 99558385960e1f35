import Foundation
import SchemaFixtures
import SchemaModel
import Trellis

/// The enums and structs of a store's schemas.
struct JSONTypes {
  let enumerations: [String: ResolvedEnum]
  let structures: [String: ResolvedStruct]

  init(_ schemas: [ResolvedSchema]) {
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
struct JSONShape {
  private let type: ValueType
  private let types: JSONTypes

  init(_ type: ValueType, _ types: JSONTypes) {
    self.type = type
    self.types = types
  }

  /// Returns the problem with a column value, or `nil` if the value is valid.
  func problem(of value: SQLValue) -> String? {
    guard let node = JSONNode(value) else { return "is not JSON text" }
    return accepts(node, type) ? nil : "is JSON of a different form than '\(type.name)'"
  }

  private func accepts(_ node: JSONNode, _ type: ValueType) -> Bool {
    switch (type, node) {
    case (.optional(let wrapped), _): return node == .null || accepts(node, wrapped)
    case (.opaque, _): return true
    case (.scalar(let scalar), _): return scalar.accepts(node)
    case (.array(let element), .list(let nodes)), (.set(let element), .list(let nodes)):
      return nodes.allSatisfy { accepts($0, element) }
    case (.dictionary(_, let value), .object(let members)): return members.values.allSatisfy { accepts($0, value) }
    case (.dictionary(let key, let value), .list(let nodes)):
      return nodes.count.isMultiple(of: 2)
        && nodes.indices.allSatisfy { accepts(nodes[$0], $0.isMultiple(of: 2) ? key : value) }
    case (.enumeration(let name), _): return types.enumerations[name].map { accepts(node, $0) } ?? true
    case (.structure(let name), _):
      if let raw = types.rawType(ofStruct: name) { return accepts(node, raw) }
      return types.structures[name].map { accepts(node, $0) } ?? true
    default: return false
    }
  }

  private func accepts(_ node: JSONNode, _ type: ResolvedEnum) -> Bool {
    // Types with custom coding code accept any value.
    guard type.coding == nil else { return true }
    if let rawType = type.rawType { return rawType.accepts(node) && type.cases.contains { $0.matches(node) } }
    guard case .object(let members) = node, members.count == 1, let (name, value) = members.first,
      let found = type.cases.first(where: { $0.name == name }), case .object(let fields) = value
    else { return false }
    return found.payload.enumerated().allSatisfy { index, field in
      fields[field.label ?? "_\(index)"].map { accepts($0, field.type) } ?? field.type.isOptional
    }
  }

  private func accepts(_ node: JSONNode, _ type: ResolvedStruct) -> Bool {
    guard let fields = type.codedFields else { return true }
    guard case .object(let members) = node else { return false }
    return fields.allSatisfy { name, field in
      members[name].map { accepts($0, field.type) } ?? (field.type.isOptional || field.defaultValue != nil)
    }
  }
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
      return isSigned
        ? bits == 64 || abs(Double(number)) <= Double(UInt64(1) << UInt64(bits - 1))
        : number >= 0 && (bits == 64 || UInt64(number) < UInt64(1) << UInt64(bits))
    // An unsigned number above the signed range.
    case (.uint, .real(let number)), (.uint64, .real(let number)): return number > 0
    default: return false
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
