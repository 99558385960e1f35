import Foundation
import SchemaModel
import Trellis

/// The types of the tool that replace the types of a schema.
struct StandInTypes {
  private let enums: [String: ResolvedEnum]
  private let structs: [String: ResolvedStruct]

  init(_ schema: ResolvedSchema) {
    enums = Dictionary(schema.enums.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    structs = Dictionary(schema.structs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func enumeration(_ name: String) -> ResolvedEnum? { enums[name] }
  func structure(_ name: String) -> ResolvedStruct? { structs[name] }

  /// A type with the storage of the schema's type.
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

  /// The raw value type that stores a declared type.
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
  /// The Swift type of the scalar.
  var type: any (ColumnValue & Sampled).Type {
    switch self {
    case .bool: Bool.self
    case .int: Int.self
    case .int8: Int8.self
    case .int16: Int16.self
    case .int32: Int32.self
    case .int64: Int64.self
    case .uint: UInt.self
    case .uint8: UInt8.self
    case .uint16: UInt16.self
    case .uint32: UInt32.self
    case .uint64: UInt64.self
    case .float: Float.self
    case .double: Double.self
    case .decimal: Decimal.self
    case .string: String.self
    case .character: Character.self
    case .date: Date.self
    case .uuid: UUID.self
    case .url: URL.self
    case .data: Data.self
    }
  }
}
