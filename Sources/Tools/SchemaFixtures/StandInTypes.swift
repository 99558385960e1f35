import Foundation
import SchemaModel
import Trellis

/// The types that replace schema types in tools.
struct StandInTypes {
  private let enums: [String: ResolvedEnum]
  private let structs: [String: ResolvedStruct]

  init(_ schema: ResolvedSchema) {
    enums = Dictionary(schema.enums.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    structs = Dictionary(schema.structs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func enumeration(_ name: String) -> ResolvedEnum? { enums[name] }
  func structure(_ name: String) -> ResolvedStruct? { structs[name] }

  /// Returns a type with the same storage as the schema type.
  func type(_ type: ValueType) -> any ColumnValue.Type {
    switch type {
    case .scalar(let scalar): return scalar.type
    case .optional(let wrapped):
      func optional<T: ColumnValue>(_: T.Type) -> any ColumnValue.Type { T?.self }
      return optional(self.type(wrapped))
    case .enumeration, .structure: return raw(type).map(self.type) ?? DescribedValue.self
    case .array, .set, .dictionary, .opaque: return DescribedValue.self
    }
  }

  /// Returns a type's name with raw value types replaced by scalars; nil if the type has no raw values.
  func rawType(_ type: ValueType) -> String? {
    let parts: [ValueType]
    switch type.unwrapped {
    case .array(let element), .set(let element): parts = [element]
    case .dictionary(let key, let value): parts = [key, value]
    case let type:
      guard let raw = raw(type) else { return nil }
      if case .scalar(let scalar) = raw { return scalar.rawValue }
      return rawType(raw)
    }
    guard parts.contains(where: { rawType($0) != nil }) else { return nil }
    return name(type.unwrapped)
  }

  /// Returns a type's name as spelled by the runtime, excluding modules.
  private func name(_ type: ValueType) -> String {
    switch type {
    case .optional(let wrapped): "Optional<\(name(wrapped))>"
    case .array(let element): "Array<\(name(element))>"
    case .set(let element): "Set<\(name(element))>"
    case .dictionary(let key, let value): "Dictionary<\(name(key)), \(name(value))>"
    case .scalar(let scalar): scalar.rawValue
    case .enumeration(let path), .structure(let path), .opaque(let path):
      rawType(type) ?? String(path.split(separator: ".").last ?? "")
    }
  }

  /// Returns the raw value type that stores a declared type.
  func raw(_ type: ValueType) -> ValueType? {
    switch type {
    case .enumeration(let name): enums[name]?.rawType.map { .scalar($0) }
    case .structure(let name):
      structs[name].flatMap { type in
        type.conformances.contains("RawRepresentable")
          ? type.fields.first { $0.name == "rawValue" }?.type : nil
      }
    default: nil
    }
  }
}

extension ScalarType {
  /// The type itself, or `String` if the type has no samples.
  var type: any (ColumnValue & Sampled).Type { columnValue as? any (ColumnValue & Sampled).Type ?? String.self }
}
