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

/// A type whose decoder accepts only one kind of text.
struct Password: Codable, Sendable, Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    text = try container.decode(String.self)
    guard text.hasSuffix("!") else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no password")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
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
