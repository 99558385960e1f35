import Foundation
import SchemaModel
package import Trellis

/// Converts file values to stored values.
package struct CellParser {
  private let form: CellForm
  private let stored: StoredForm

  package init(_ column: RowColumn) {
    form = column.form
    stored = column.stored
  }

  /// Converts a CSV field.
  ///
  /// - Returns: `nil` if the value does not match the column's form.
  package func csv(_ bytes: UnsafeRawBufferPointer, isQuoted: Bool, isRequired: Bool) -> SQLValue? {
    guard !bytes.isEmpty || isQuoted else {
      // In a required text column, an empty unquoted field means empty text, as many tools write it.
      return isRequired && form == .text ? .text("") : .null
    }
    switch form {
    case .boolean, .presence:
      switch String(decoding: bytes, as: UTF8.self).lowercased() {
      case "true", "1": return .integer(1)
      case "false", "0": return form == .presence ? .null : .integer(0)
      default: return nil
      }
    case .json:
      return JSONScanner.isValid(bytes) ? .text(String(decoding: bytes, as: UTF8.self)) : nil
    case .text, .character, .url, .uuid, .className, .decimal:
      return text(Self.decoded(bytes) ?? String(decoding: bytes, as: UTF8.self))
    case .date:
      return CalendarText.seconds(bytes).map { .real($0) } ?? number(bytes)
    case .data, .external: return Base64Text.bytes(bytes).map { .blob($0) }
    case .integer, .unsigned, .duration, .real, .float: return number(bytes)
    }
  }

  /// Converts typed text. Unlike a CSV field, it is never nil, and text is not encoded.
  ///
  /// - Returns: `nil` if the value does not match the column's form.
  package func value(_ typed: String) -> SQLValue? {
    switch form {
    case .text, .character, .url, .uuid, .className, .decimal: return text(typed)
    default:
      var typed = typed
      return typed.withUTF8 { csv(UnsafeRawBufferPointer($0), isQuoted: true, isRequired: false) }
    }
  }

  /// Decodes text that CSV cannot contain directly.
  private static func decoded(_ bytes: UnsafeRawBufferPointer) -> String? {
    let prefix = CellText.encodedPrefix
    guard bytes.starts(with: prefix),
      let text = Base64Text.bytes(UnsafeRawBufferPointer(rebasing: bytes[prefix.count...])),
      // Only these texts are encoded on export. Any other text with the prefix is plain text.
      text.contains(0) || text.starts(with: prefix), let valid = String(validating: text, as: UTF8.self)
    else { return nil }
    return valid
  }

  /// Converts a JSON value.
  ///
  /// - Parameter text: The text that the value's ranges refer to.
  /// - Returns: `nil` if the value does not match the column's form.
  package func json(_ value: JSONScanner.Value, in text: UnsafeRawBufferPointer) -> SQLValue? {
    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: text[range]) }
    switch (form, value) {
    case (_, .null): return .null
    case (.json, .boolean(let value)): return .text(value ? "true" : "false")
    case (.json, .number(let range)), (.json, .compound(let range)):
      return .text(String(decoding: bytes(range), as: UTF8.self))
    case (.json, .string(let range)): return .text("\"\(String(decoding: bytes(range), as: UTF8.self))\"")
    case (.boolean, .boolean(let value)): return .integer(value ? 1 : 0)
    case (.presence, .boolean(let value)): return value ? .integer(1) : .null
    case (.decimal, .number(let range)): return self.text(String(decoding: bytes(range), as: UTF8.self))
    case (_, .number(let range)): return number(bytes(range))
    case (.data, .string(let range)), (.external, .string(let range)):
      return JSONScanner.text(bytes(range)).flatMap { text in
        var text = text
        return text.withUTF8 { Base64Text.bytes(UnsafeRawBufferPointer($0)) }.map { .blob($0) }
      }
    case (.date, .string(let range)):
      return CalendarText.seconds(bytes(range)).map { .real($0) } ?? unusual(bytes(range))
    case (.real, .string(let range)), (.float, .string(let range)): return unusual(bytes(range))
    case (_, .string(let range)): return JSONScanner.text(bytes(range)).flatMap { self.text($0) }
    default: return nil
    }
  }

  // MARK: Text and numbers

  private func text(_ text: String) -> SQLValue? {
    switch form {
    case .text, .className: return accepts(.text(text)) ? .text(text) : nil
    case .character: return Character(stored: text) == nil ? nil : .text(text)
    case .url: return URL(stored: text)?.stored == text ? .text(text) : nil
    case .uuid: return UUID(uuidString: text).map { .text($0.uuidString) }
    case .decimal: return Self.decimal(text).map { .text($0) }
    default: return nil
    }
  }

  private func number(_ bytes: UnsafeRawBufferPointer) -> SQLValue? {
    // Longer text cannot be an exact column value.
    guard bytes.count <= 400 else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    switch form {
    case .integer(let range):
      guard let value = Int64(text), range.contains(value), accepts(.integer(value)) else { return nil }
      return .integer(value)
    case .duration:
      guard let value = Int64(text), value != .min, value != .max else { return nil }
      return .integer(value)
    case .unsigned: return UInt64(text).map { .integer(Int64(bitPattern: $0 ^ (1 << 63))) }
    case .real, .date: return unusual(bytes) ?? Self.finite(text, Double.init).map { .real($0) }
    case .float: return unusual(bytes) ?? Self.finite(text, Float.init).map { .real(Double($0)) }
    default: return nil
    }
  }

  /// Parses a decimal number. Rejects hexadecimal numbers and words, which Swift accepts.
  private static func finite<F: BinaryFloatingPoint>(_ text: String, _ read: (String) -> F?) -> F? {
    guard text.utf8.allSatisfy({ (48...57).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }),
      let value = read(text), value.isFinite
    else { return nil }
    return value
  }

  private func unusual(_ bytes: UnsafeRawBufferPointer) -> SQLValue? {
    switch String(decoding: bytes.prefix(16), as: UTF8.self) {
    case "NaN": .real(.nan)
    case "Infinity": .real(.infinity)
    case "-Infinity": .real(-.infinity)
    default: nil
    }
  }

  /// Returns a decimal number's stored text, or `nil` if `Decimal` cannot hold all digits.
  private static func decimal(_ text: String) -> String? {
    if text == "NaN" || Decimal(stored: text) != nil { return text }
    let mantissa = text.prefix { $0 != "e" && $0 != "E" }
    let digits = mantissa.filter(\.isWholeNumber)
    let significant = digits.drop { $0 == "0" }
    guard !digits.isEmpty, significant.count <= 38, finite(text, Double.init) != nil,
      let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN
    else { return nil }
    return value.stored
  }

  /// Returns false if the value is not a raw value of the column's enum.
  private func accepts(_ value: SQLValue) -> Bool {
    switch (stored, value) {
    case (.choice(let texts), .text(let text)): texts.contains(text)
    case (.choiceOfIntegers(let numbers), .integer(let number)): numbers.contains(number)
    default: true
    }
  }

  /// The expected values, for messages.
  package var noun: String {
    switch stored {
    case .choice(let texts): "one of \(texts.sorted().joined(separator: ", "))"
    case .choiceOfIntegers(let numbers): "one of \(numbers.sorted().map { "\($0)" }.joined(separator: ", "))"
    default: form.noun
    }
  }
}
