import AppleStore
import Foundation
import Trellis

/// SQL functions that convert Core Data values to the stored form.
///
/// Values that cannot be converted are returned unchanged, so that the copy rejects the row.
enum AppleStoreValues {
  static func functions(_ files: AppleExternalFiles) -> [TransferFunction] {
    [
      TransferFunction("apple_float", 1) { convertFloat($0[0]) },
      TransferFunction("apple_unsigned", 1) { convertUnsigned($0[0]) },
      TransferFunction("apple_json", 1) { convertJSON($0[0]) },
      TransferFunction("apple_external", 1) { values in
        guard case .blob(let bytes) = values[0] else { return values[0] }
        // The copy rejects numbers, because they are neither data nor file names.
        return (try? files.load(bytes)).map { .blob($0) } ?? .integer(0)
      },
    ]
  }

  /// UUIDs are stored as 16 bytes.
  static func convertUUID(_ value: SQLValue) -> SQLValue {
    guard case .blob(let bytes) = value, bytes.count == 16 else { return value }
    return .text(text(ofUUID: bytes))
  }

  private static func text(ofUUID bytes: [UInt8]) -> String {
    let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
    let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
    return groups.map { digits[$0].joined() }.joined(separator: "-")
  }

  /// Decimals are stored as doubles. The shortest decimal that rounds to the double is the best guess.
  static func convertDecimal(_ value: SQLValue) -> SQLValue {
    switch value {
    case .integer(let number): .text("\(number)")
    case .real(let number):
      Decimal(string: "\(number)", locale: Locale(identifier: "en_US_POSIX")).map { .text($0.description) } ?? value
    default: value
    }
  }

  static func convertFloat(_ value: SQLValue) -> SQLValue {
    switch value {
    case .integer(let number): .real(Double(Float(number)))
    case .real(let number): .real(Double(Float(number)))
    default: value
    }
  }

  /// Unsigned 64-bit integers are stored with the highest bit flipped.
  static func convertUnsigned(_ value: SQLValue) -> SQLValue {
    guard case .integer(let number) = value else { return value }
    return .integer(number ^ .min)
  }

  /// Codable values are stored as JSON, or as archives of the equivalent Foundation objects.
  static func convertJSON(_ value: SQLValue) -> SQLValue {
    switch value {
    case .blob(let bytes):
      if bytes.starts(with: Array("bplist0".utf8)) { return AppleArchiveText.json(bytes).map { .text($0) } ?? value }
      guard let text = String(validating: bytes, as: UTF8.self), isJSON(text) else { return value }
      return .text(text)
    case .integer(let number): return .text("\(number)")
    case .real(let number) where number.isFinite: return .text(AppleJSON.number(number))
    default: return value
    }
  }

  private static func isJSON(_ text: String) -> Bool {
    (try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)) != nil
  }
}

/// Creates JSON text from column values.
enum AppleJSON {
  /// The structure of a value that is stored in separate columns.
  indirect enum Shape: Sendable {
    case text, number, bool, date, uuid, decimal, data, json
    case object([Field])
  }

  struct Field: Sendable {
    var key: String
    var shape: Shape
    /// True if a missing value is omitted.
    var isOptional: Bool
  }

  /// Returns the JSON text, or `nil` if all columns are NULL. Fields are sorted by key, as in Trellis stores.
  static func text(_ shape: Shape, _ values: inout ArraySlice<SQLValue>) -> String? {
    guard case .object(let fields) = shape else {
      guard let value = values.popFirst() else { return nil }
      return leaf(shape, value)
    }
    var parts: [(key: String, text: String)] = []
    for field in fields {
      guard let text = text(field.shape, &values) else { continue }
      parts.append((field.key, "\(string(field.key)):\(text)"))
    }
    guard !parts.isEmpty else { return nil }
    return "{\(parts.sorted { $0.key < $1.key }.map(\.text).joined(separator: ","))}"
  }

  private static func leaf(_ shape: Shape, _ value: SQLValue) -> String? {
    switch (shape, value) {
    case (_, .null): nil
    case (.bool, .integer(let number)): number == 0 ? "false" : "true"
    case (.uuid, .blob):
      if case .text(let text) = AppleStoreValues.convertUUID(value) { string(text) } else { nil }
    case (.decimal, _):
      if case .text(let text) = AppleStoreValues.convertDecimal(value) { text } else { nil }
    case (.data, .blob(let bytes)): string(Data(bytes).base64EncodedString())
    case (.json, _):
      if case .text(let text) = AppleStoreValues.convertJSON(value) { text } else { nil }
    case (_, .integer(let number)): "\(number)"
    case (_, .real(let number)) where number.isFinite: Self.number(number)
    case (_, .text(let text)): string(text)
    default: nil
    }
  }

  static func number(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// Converts archives of lists, dictionaries and simple values to JSON.
private struct AppleArchiveText {
  private let archive: KeyedArchive
  private var steps = 1_000_000

  static func json(_ bytes: [UInt8]) -> String? {
    guard let archive = try? KeyedArchive(bytes) else { return nil }
    var writer = AppleArchiveText(archive: archive)
    return writer.text(archive.root, depth: 0)
  }

  private init(archive: KeyedArchive) { self.archive = archive }

  private mutating func text(_ value: ArchivedValue, depth: Int) -> String? {
    steps -= 1
    guard steps >= 0, depth < 64 else { return nil }
    switch value {
    case .none: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .integer(let number): return "\(number)"
    case .real(let number), .date(let number): return number.isFinite ? AppleJSON.number(number) : nil
    case .text(let text): return AppleJSON.string(text)
    case .data(let bytes):
      steps -= bytes.count / 16
      return AppleJSON.string(Data(bytes).base64EncodedString())
    case .object(let object):
      if object.className == "NSUUID", case .data(let bytes) = archive.value("NS.uuidbytes", of: object),
        case .text(let text) = AppleStoreValues.convertUUID(.blob(bytes))
      {
        return AppleJSON.string(text)
      }
      if let elements = archive.elements(of: value) {
        var parts: [String] = []
        for element in elements {
          guard let part = text(element, depth: depth + 1) else { return nil }
          parts.append(part)
        }
        return "[\(parts.joined(separator: ","))]"
      }
      guard let entries = archive.entries(of: value) else { return nil }
      var parts: [String] = []
      for entry in entries.sorted(by: { $0.key < $1.key }) {
        guard let part = text(entry.value, depth: depth + 1) else { return nil }
        parts.append("\(AppleJSON.string(entry.key)):\(part)")
      }
      return "{\(parts.joined(separator: ","))}"
    }
  }
}
