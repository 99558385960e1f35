import Foundation
import SchemaFixtures
import SchemaModel

/// Checks JSON against the form that Swift's synthesized code reads.
struct JSONShape {
  private let enums: [String: ResolvedEnum]
  private let structs: [String: ResolvedStruct]
  private static let deepest = 32

  init(_ schema: ResolvedSchema) {
    enums = Dictionary(schema.enums.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    structs = Dictionary(schema.structs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns a property's type, or the type of a flattened struct's property such as `address.street`.
  func type(of property: String, _ attribute: ResolvedAttribute) -> ValueType? {
    guard property != attribute.name else { return attribute.type.unwrapped }
    guard case .structure(let name) = attribute.type.unwrapped, property.hasPrefix(attribute.name + ".") else {
      return nil
    }
    let field = property.dropFirst(attribute.name.count + 1)
    return structs[name]?.fields.first { $0.name == field }?.type.unwrapped
  }

  // MARK: Types

  /// Returns false if the schema does not specify the JSON of a type or of a type within it.
  func isKnown(_ type: ValueType, within outer: Set<String> = []) -> Bool {
    switch type {
    case .scalar: return true
    case .optional(let wrapped), .array(let wrapped), .set(let wrapped): return isKnown(wrapped, within: outer)
    case .dictionary(let key, let value): return isKnown(key, within: outer) && isKnown(value, within: outer)
    case .opaque: return false
    case .enumeration(let name):
      guard let type = enums[name], type.coding == nil else { return false }
      return outer.contains(name)
        || type.cases.allSatisfy { $0.payload.allSatisfy { isKnown($0.type, within: outer.union([name])) } }
    case .structure(let name):
      if let raw = raw(name) { return structs[name]?.coding == nil && isKnown(raw, within: outer) }
      guard let fields = structs[name]?.codedFields else { return false }
      return outer.contains(name) || fields.allSatisfy { isKnown($0.field.type, within: outer.union([name])) }
    }
  }

  private func raw(_ structure: String) -> ValueType? {
    guard let type = structs[structure], type.hasRawValue else { return nil }
    return type.fields.first { $0.name == "rawValue" }?.type
  }

  // MARK: Values

  /// Returns the reason why a text is not a value's JSON; nil if it is.
  func problem(_ text: String, _ type: ValueType) -> String? {
    guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)) else {
      return "is not valid JSON"
    }
    return problem(value, type, "the value", 0)
  }

  private func problem(_ value: JSONValue, _ type: ValueType, _ path: String, _ depth: Int) -> String? {
    guard depth < Self.deepest else { return nil }
    switch (type, value) {
    case (.optional, .null): return nil
    case (.optional(let wrapped), _): return problem(value, wrapped, path, depth)
    case (.scalar(let scalar), _): return value.matches(scalar) ? nil : "\(path) must be \(scalar.jsonNoun)"
    case (.array(let element), .list(let values)), (.set(let element), .list(let values)):
      return first(values.enumerated()) { problem($1, element, "\(path)[\($0)]", depth + 1) }
    case (.array, _), (.set, _): return "\(path) must be a list in brackets"
    case (.dictionary(let key, let element), _): return dictionary(value, key, element, path, depth)
    case (.enumeration(let name), _): return enumeration(value, name, path, depth)
    case (.structure(let name), _): return structure(value, name, path, depth)
    case (.opaque, _): return nil
    }
  }

  private func first<S: Sequence>(_ elements: S, _ body: (S.Element) -> String?) -> String? {
    elements.lazy.compactMap(body).first
  }

  private func dictionary(
    _ value: JSONValue, _ key: ValueType, _ element: ValueType, _ path: String, _ depth: Int
  ) -> String? {
    switch (hasNames(key), value) {
    case (true, .object(let members)):
      return first(members.sorted { $0.key < $1.key }) { name, member in
        if key == .scalar(.int), Int(name) == nil { return "the key '\(name)' in \(path) must be an integer" }
        return problem(member, element, "\(path).\(name)", depth + 1)
      }
    case (true, _): return "\(path) must be an object in braces"
    case (false, .list(let values)) where values.count.isMultiple(of: 2):
      return first(values.enumerated()) { index, value in
        problem(value, index.isMultiple(of: 2) ? key : element, "\(path)[\(index)]", depth + 1)
      }
    case (false, _): return "\(path) must be a list with keys and values in turn"
    }
  }

  /// True if a dictionary with such keys is coded as an object.
  private func hasNames(_ key: ValueType) -> Bool {
    switch key {
    case .scalar(.string), .scalar(.int): true
    case .enumeration(let name): enums[name]?.conformances.contains("CodingKeyRepresentable") ?? false
    default: false
    }
  }

  private func enumeration(_ value: JSONValue, _ name: String, _ path: String, _ depth: Int) -> String? {
    guard let type = enums[name] else { return nil }
    let names = type.cases.map(\.name).joined(separator: ", ")
    if type.rawType != nil {
      let known = type.cases.contains { item in
        switch (item.rawValue, value) {
        case (.string(let text), .text(let found)): text == found
        case (.integer(let number), .number(let found)): Decimal(number) == found
        case (.other(let text), .number(let found)): Double(text) == Double("\(found)")
        default: false
        }
      }
      return known ? nil : "\(path) must be the raw value of \(names)"
    }
    guard case .object(let members) = value, members.count == 1, let (chosen, content) = members.first,
      let item = type.cases.first(where: { $0.name == chosen }), case .object(let payload) = content
    else { return "\(path) must be an object with a case as its key, as in {\"\(type.cases.first?.name ?? "")\": {}}" }
    let fields = item.payload.enumerated().map { ($1.label ?? "_\($0)", $1.type) }
    return self.members(payload, fields.map { ($0.0, $0.1, false) }, "\(path).\(chosen)", depth)
  }

  private func structure(_ value: JSONValue, _ name: String, _ path: String, _ depth: Int) -> String? {
    if let raw = raw(name) { return problem(value, raw, path, depth + 1) }
    guard let fields = structs[name]?.codedFields else { return nil }
    guard case .object(let members) = value else { return "\(path) must be an object in braces" }
    return self.members(members, fields.map { ($0.name, $0.field.type, $0.field.defaultValue != nil) }, path, depth)
  }

  private func members(
    _ members: [String: JSONValue], _ fields: [(name: String, type: ValueType, hasDefault: Bool)], _ path: String,
    _ depth: Int
  ) -> String? {
    let names = Set(fields.map(\.name))
    if let extra = members.keys.sorted().first(where: { !names.contains($0) }) {
      return "\(path) has no '\(extra)'; it has \(names.sorted().joined(separator: ", "))"
    }
    return first(fields) { name, type, hasDefault in
      if let member = members[name] { return problem(member, type, "\(path).\(name)", depth + 1) }
      return hasDefault || type.unwrapped != type ? nil : "\(path) needs '\(name)'"
    }
  }
}

// MARK: JSON

/// A parsed JSON value.
private enum JSONValue: Decodable {
  case null, boolean(Bool), number(Decimal), text(String), list([JSONValue]), object([String: JSONValue])
  /// A number that is too large or too small for `Decimal`.
  case real(Double)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Decimal.self) {
      self = .number(value)
    } else if let value = try? container.decode(Double.self) {
      self = .real(value)
    } else if let value = try? container.decode(String.self) {
      self = .text(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .list(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  func matches(_ type: ScalarType) -> Bool {
    switch (type, self) {
    case (.bool, .boolean), (.string, .text), (.decimal, .number): true
    case (.float, .number), (.double, .number), (.date, .number), (.float, .real), (.double, .real), (.date, .real):
      true
    case (.uuid, .text(let text)): UUID(uuidString: text) != nil
    case (.url, .text(let text)): URL(string: text) != nil
    case (.data, .text(let text)): Data(base64Encoded: text) != nil
    case (.character, .text(let text)): text.count == 1
    case (.duration, .list(let parts)): parts.count == 2
    case (_, .number(let number)): !"\(number)".contains(".") && type.integers?.contains(number) == true
    default: false
    }
  }
}

extension ScalarType {
  /// The range of whole numbers as JSON; nil for other types.
  fileprivate var integers: ClosedRange<Decimal>? {
    func range<I: FixedWidthInteger>(_: I.Type) -> ClosedRange<Decimal> {
      (Decimal(string: "\(I.min)") ?? 0)...(Decimal(string: "\(I.max)") ?? 0)
    }
    return switch self {
    case .int, .int64: range(Int64.self)
    case .int8: range(Int8.self)
    case .int16: range(Int16.self)
    case .int32: range(Int32.self)
    case .uint, .uint64: range(UInt64.self)
    case .uint8: range(UInt8.self)
    case .uint16: range(UInt16.self)
    case .uint32: range(UInt32.self)
    default: nil
    }
  }

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
