import Foundation
import Trellis

/// Types that no schema declares.

enum Shade: String, Codable, Sendable { case light, dark }

enum Method: Int, Codable, Sendable { case hand = 3, machine = 4 }

/// A type whose decoder rejects all placeholder values.
struct Strict: Codable, Sendable, Equatable {
  var word: String

  init(word: String) { self.word = word }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    word = try container.decode(String.self)
    guard word.count > 1 else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "too short")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(word)
  }
}

/// A type that refuses to encode some values.
struct Guest: Codable, Sendable, Hashable {
  struct Refusal: Error, Equatable { let name: String }

  var name = ""

  func encode(to encoder: any Encoder) throws {
    guard name != "nobody" else { throw Refusal(name: name) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    guard name.count < 50_000 else {
      throw EncodingError.invalidValue(
        name, .init(codingPath: container.codingPath + [CodingKeys.name], debugDescription: "too long"))
    }
    try container.encode(name, forKey: .name)
  }
}

/// A value that can be nested to any depth.
struct Nest: Codable, Sendable, Hashable {
  var next: [Nest] = []

  /// - Parameter levels: the number of nested arrays and objects in its JSON text, an even number.
  init(levels: Int = 2) {
    for _ in 0..<(levels / 2 - 1) { next = [self] }
  }
}

/// A type that is not Codable and needs a transformer.
final class Tint: Sendable, Equatable {
  let red: UInt8
  let blue: UInt8

  init(red: UInt8, blue: UInt8) {
    self.red = red
    self.blue = blue
  }

  static func == (lhs: Tint, rhs: Tint) -> Bool { lhs.red == rhs.red && lhs.blue == rhs.blue }
}

final class TintTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? Tint).flatMap { $0.red == 13 ? nil : Data([$0.red, $0.blue]) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    guard let data = value as? Data, data.count == 2 else { return nil }
    return Tint(red: data[data.startIndex], blue: data[data.startIndex + 1])
  }
}

final class ReverseTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { Data(String($0.reversed()).utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { String(String(decoding: $0, as: UTF8.self).reversed()) }
  }
}
