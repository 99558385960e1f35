import Foundation

/// A Swift type by name, so that a schema can be written down and compared in another program.
package struct ValueTypeName: Sendable, Hashable, Codable {
  /// `Swift.String`, `Swift.Optional<Foundation.Date>`, `App.TripKind`.
  let name: String

  // What `String(reflecting:)` gives, without asking first whether the type describes itself.
  init(_ type: any Any.Type) { name = _typeName(type, qualified: true) }

  /// Of a type this program may not have.
  package init(named name: String) { self.name = name }

  package init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String.self)
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// The name without the places the types are declared in: `Optional<Date>`, `TripKind`.
  var unqualified: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(name.utf8.count)
    var start = 0
    var depth = 0
    for byte in name.utf8 {
      switch byte {
      // A private type is declared in `(unknown context at $…)`, which says nothing.
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case _ where depth > 0: break
      case UInt8(ascii: "."): bytes.removeSubrange(start...)
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: ","), UInt8(ascii: " "):
        bytes.append(byte)
        start = bytes.count
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The type, if it is one of the standard value types or an optional of one.
  var resolved: (any Any.Type)? {
    let prefix = "Swift.Optional<"
    guard name.hasPrefix(prefix), name.hasSuffix(">") else { return StandardValues.type(named: name) }
    func optional<T>(_: T.Type) -> any Any.Type { T?.self }
    let wrapped = StandardValues.type(named: String(name.dropFirst(prefix.count).dropLast()))
    return wrapped.map { _openExistential($0, do: optional) }
  }
}

/// A default value as JSON text, for schemas that are written down.
enum ValueText {
  /// Nil for a value that is not `Encodable` or cannot be written as JSON.
  static func text(of value: Any?) -> String? {
    guard let value = value as? any Encodable else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    guard let data = try? encoder.encode(value) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  static func value(_ text: String, of type: any Any.Type) -> Any? {
    guard let type = type as? any Decodable.Type else { return nil }
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try? decoder.decode(type, from: Data(text.utf8))
  }
}
