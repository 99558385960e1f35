import Foundation
import SchemaDiagnostics
import SchemaModel
import Trellis

/// Values of the enums and structs a schema declares, as the JSON their `Codable` form is: every case
/// of an enum, a struct with every field at its most and at its least.
struct DeclaredValues {
  private let schema: ResolvedSchema?

  init(_ source: SchemaSource) {
    let file = SourceFile(path: source.name + ".schema", text: source.text)
    schema = source.text.isEmpty ? nil : SchemaCompiler.compile([file]).schemas.first
  }

  /// The texts of values of a stored property's type; empty where nothing is known of it.
  func values(of property: String, in entity: String) -> [String] {
    guard let declaration = schema?.entities.first(where: { $0.name == entity }) else { return [] }
    for case .attribute(let attribute) in declaration.properties where attribute.name == property {
      return values(of: attribute.type, depth: 0)
    }
    return []
  }

  private func values(of type: ValueType, depth: Int) -> [String] {
    guard depth < 8 else { return [] }
    switch type {
    case .scalar(let scalar): return Self.values(of: scalar)
    case .optional(let wrapped): return ["null"] + values(of: wrapped, depth: depth)
    case .enumeration(let name):
      return schema?.enums.first { $0.name == name }?.cases.compactMap { self.value($0, depth) } ?? []
    case .structure(let name): return structures(name, depth)
    case .array(let element), .set(let element):
      let all = values(of: element, depth: depth + 1).filter { $0 != "null" }
      return ["[]", "[\(all.joined(separator: ","))]"]
    case .dictionary(let key, let value):
      guard case .scalar(.string) = key, let first = values(of: value, depth: depth + 1).last else { return ["{}"] }
      return ["{}", "{\"key\":\(first),\"\":\(first)}"]
    case .opaque: return []
    }
  }

  private func value(_ enumCase: ResolvedEnum.Case, _ depth: Int) -> String? {
    switch enumCase.rawValue {
    case .string(let text): return Self.quoted(text)
    case .integer(let number): return "\(number)"
    case .other(let text): return text
    case nil: break
    }
    var fields: [String] = []
    for (index, field) in enumCase.payload.enumerated() {
      guard let value = values(of: field.type, depth: depth + 1).last else { return nil }
      guard value != "null" else { continue }
      fields.append("\(Self.quoted(field.label ?? "_\(index)")):\(value)")
    }
    return "{\(Self.quoted(enumCase.name)):{\(fields.joined(separator: ","))}}"
  }

  private func structures(_ name: String, _ depth: Int) -> [String] {
    guard let type = schema?.structs.first(where: { $0.name == name }) else { return [] }
    let fields = type.fields.map { ($0.name, values(of: $0.type, depth: depth + 1)) }
    guard !fields.contains(where: { $0.1.isEmpty }) else { return [] }
    let ways: [([String]) -> String?] = [{ $0.first }, { $0.last }, { $0[$0.count / 2] }]
    return ways.map { choose in
      let members = fields.compactMap { name, values -> String? in
        guard let value = choose(values), value != "null" else { return nil }
        return "\(Self.quoted(name)):\(value)"
      }
      return "{\(members.joined(separator: ","))}"
    }
  }

  private static func values(of scalar: ScalarType) -> [String] {
    func encoded<T: Sampled & Encodable>(_: T.Type) -> [String] {
      T.samples.compactMap { text(of: $0) }
    }
    switch scalar {
    case .bool: return encoded(Bool.self)
    case .int: return encoded(Int.self)
    case .int8: return encoded(Int8.self)
    case .int16: return encoded(Int16.self)
    case .int32: return encoded(Int32.self)
    case .int64: return encoded(Int64.self)
    case .uint: return encoded(UInt.self)
    case .uint8: return encoded(UInt8.self)
    case .uint16: return encoded(UInt16.self)
    case .uint32: return encoded(UInt32.self)
    case .uint64: return encoded(UInt64.self)
    case .float: return encoded(Float.self)
    case .double: return encoded(Double.self)
    case .decimal: return ["0", "12.5"]
    case .string: return encoded(String.self)
    case .character: return ["\"a\"", "\"é\""]
    case .date: return encoded(Date.self)
    case .uuid: return encoded(UUID.self)
    case .url: return encoded(URL.self)
    case .data: return encoded(Data.self)
    }
  }

  private static func quoted(_ text: String) -> String { self.text(of: text) ?? "\"\"" }

  private static func text(of value: some Encodable) -> String? {
    (try? JSONEncoder().encode(value)).map { String(decoding: $0, as: UTF8.self) }
  }
}
