import Foundation

/// A type of captured values that are few: each of them has statements of its own.
protocol CapturedChoice {
  /// What tells the value from all others of the type; nil when that takes more than three words.
  static func words(at place: UnsafeRawPointer) -> ChoiceWords?
}

struct ChoiceWords {
  static let count = 3

  var kind: UInt
  var first: UInt = 0
  var second: UInt = 0

  static let none = ChoiceWords(kind: 1)

  init(kind: UInt, first: UInt = 0) {
    self.kind = kind
    self.first = first
  }

  /// A raw value: a whole number, or text of up to sixteen bytes.
  init?(_ raw: Any) {
    switch raw {
    case let number as any FixedWidthInteger:
      self.init(kind: 3, first: UInt(truncatingIfNeeded: number))
    case let text as String:
      let bytes = text.utf8
      guard bytes.count <= 16 else { return nil }
      self.init(kind: 16 + UInt(bytes.count))
      for (index, byte) in bytes.enumerated() {
        let bits = UInt(byte) << (UInt(index & 7) * 8)
        if index < 8 { first |= bits } else { second |= bits }
      }
    default: return nil
    }
  }
}

extension Bool: CapturedChoice {
  static func words(at place: UnsafeRawPointer) -> ChoiceWords? {
    ChoiceWords(kind: 2, first: place.assumingMemoryBound(to: Bool.self).pointee ? 1 : 0)
  }
}

extension Optional: CapturedChoice where Wrapped: CapturedChoice {
  static func words(at place: UnsafeRawPointer) -> ChoiceWords? {
    let isNil = place.assumingMemoryBound(to: Wrapped?.self).pointee == nil
    // The value begins where the optional does.
    return isNil ? ChoiceWords.none : Wrapped.words(at: place)
  }
}

/// The cases of an enum.
enum RawChoice<R: RawRepresentable>: CapturedChoice {
  static func words(at place: UnsafeRawPointer) -> ChoiceWords? {
    ChoiceWords(place.assumingMemoryBound(to: R.self).pointee.rawValue)
  }
}

/// The same, or nil.
enum OptionalRawChoice<R: RawRepresentable>: CapturedChoice {
  static func words(at place: UnsafeRawPointer) -> ChoiceWords? {
    place.assumingMemoryBound(to: R?.self).pointee.map { ChoiceWords($0.rawValue) }
      ?? ChoiceWords.none
  }
}

enum RawChoices {
  /// The choice that values of a type are; nil for types without raw values.
  static func of(_ type: any Any.Type) -> (any CapturedChoice.Type)? {
    func plain<R: RawRepresentable>(_: R.Type) -> any CapturedChoice.Type { RawChoice<R>.self }
    func optional<R: RawRepresentable>(_: R.Type) -> any CapturedChoice.Type {
      OptionalRawChoice<R>.self
    }
    if let raw = type as? any RawRepresentable.Type { return plain(raw) }
    guard let wrapped = (type as? any OptionalValue.Type)?.wrappedType as? any RawRepresentable.Type
    else { return nil }
    return optional(wrapped)
  }
}
