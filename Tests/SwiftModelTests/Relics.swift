import Foundation
import Trellis

// Required properties without default values, whose types can be decoded from only a few strings.

@Model final class Relic {
  var name: String
  @Attribute(.codable) var word: Password = Password("sesame!")
  @Attribute(.codable) var hopeless: Password
  @Attribute(.codable) var strict: Strict
  var wrapper: Wrapper = Wrapper()
  @Attribute(.transformable(by: SealTransformer.self)) var seal: Seal

  init(name: String, hopeless: Password, strict: Strict, seal: Seal) {
    self.name = name
    self.hopeless = hopeless
    self.strict = strict
    self.seal = seal
  }
}

@Model final class Rune {
  @Attribute(.raw) var sign: Sign

  init(sign: Sign) { self.sign = sign }
}

/// A type whose decoder accepts only one kind of string.
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

struct Wrapper: Codable, Hashable {
  var number = 0
  var word = Password("inner!")
}

/// A struct with raw values that rejects most of them.
struct Sign: RawRepresentable, Codable, Hashable {
  let rawValue: String

  init?(rawValue: String) {
    guard rawValue.hasPrefix("rune-") else { return nil }
    self.rawValue = rawValue
  }
}

/// A type that is not Codable.
final class Seal: Sendable {
  let text: String
  init(_ text: String) { self.text = text }
}

final class SealTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? { (value as? Seal).map { Data($0.text.utf8) } }
  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).map { Seal(String(decoding: $0, as: UTF8.self)) }
  }
}
