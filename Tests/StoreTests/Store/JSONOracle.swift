import Foundation
import Trellis

/// The contents of a JSON store of grains, decoded with `JSONDecoder`.
struct JSONOracle: Decodable {
  struct Row: Decodable {
    var identifier: Int64
    var name: String?
    var flag: Bool?
    var int: Int?
    var int8: Int8?
    var int32: Int32?
    var int64: Int64?
    var uint8: UInt8?
    var uint64: UInt64?
    var float: Float?
    var double: Double?
    var decimal: Decimal?
    var text: String?
    var character: Letter?
    var date: Date?
    var uid: UUID?
    var url: URL?
    var data: Data?
    var reals: [Double]?
    var counts: [String: Int]?
    var box: Grain.Box?

    enum CodingKeys: String, CodingKey {
      case identifier = "$id"
      case name, flag, int, int8, int32, int64, uint8, uint64, float, double, decimal, text, character
      case date, uid, url, data, reals, counts, box
    }
  }

  /// `Character` is not Codable in the standard library.
  struct Letter: Decodable {
    var value: Character

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      guard text.count == 1, let first = text.first else {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "no character"))
      }
      value = first
    }
  }

  var format: String
  var version: Int
  var identifier: String
  var nextKeys: [String: Int64]?
  var models: [String: [Row]]

  static func rows(of file: some Sequence<UInt8>) throws -> [Row] {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(JSONOracle.self, from: Data(file)).models["Grain"] ?? []
  }
}

extension JSONOracle.Row {
  /// All values to the last bit.
  var bitText: String {
    let values: [(any Sendable)?] = [
      bits(name ?? ""), flag, int, int8, int32, int64, uint8, uint64, float.map { bits(Double($0)) },
      double.map(bits), decimal, text.map(bits), character.map { bits("\($0.value)") },
      (date?.timeIntervalSinceReferenceDate).map(bits), uid, url?.absoluteString, data?.count, data?.hashValue,
      reals?.map(bits), counts?.map { (bits($0), $1) }.sorted { $0.0 < $1.0 }.map { "\($0)" },
      box.map(bits),
    ]
    return values.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
  }
}

extension Grain {
  /// All values to the last bit, see ``JSONOracle/Row/bitText``.
  var bitText: String {
    let values: [(any Sendable)?] = [
      bits(name), flag, int, int8, int32, int64, uint8, uint64, float.map { bits(Double($0)) },
      double.map(bits), decimal, text.map(bits), character.map { bits("\($0)") },
      (date?.timeIntervalSinceReferenceDate).map(bits), uid, url?.absoluteString, data?.count, data?.hashValue,
      reals?.map(bits), counts?.map { (bits($0), $1) }.sorted { $0.0 < $1.0 }.map { "\($0)" },
      box.map(bits),
    ]
    return values.map { $0.map { "\($0)" } ?? "-" }.joined(separator: " ")
  }
}

/// Treats all NaN values as equal, because stores do not distinguish them.
private func bits(_ number: Double) -> String { number.isNaN ? "nan" : "\(number.bitPattern)" }

private func bits(_ text: String) -> String { text.utf8.map { String($0, radix: 16) }.joined(separator: ".") }

private func bits(_ box: Grain.Box) -> String {
  func bits(_ inner: Grain.Inner) -> String {
    "\(inner.x)/\(inner.y.map { $0.isNaN ? "nan" : "\($0.bitPattern)" } ?? "-")"
  }
  let table = box.table.sorted { $0.key < $1.key }.map { "\($0.key.utf8.map { $0 }) \(bits($0.value))" }
  return "\(box.name.utf8.map { $0 }) \(box.inner.map(bits) ?? "-") \(box.list.map(bits)) \(table)"
}
