public import Foundation

extension String: StandardValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .text) }
  public static var placeholder: String { "" }
  static var scalar: ScalarKind { .text }
  init?(stored: String) { self = stored }
  var stored: String { self }
}

extension Character: @retroactive Decodable, @retroactive Encodable {
  /// Decodes what ``encode(to:)`` has written.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let character = Character(stored: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not one character")
    }
    self = character
  }

  /// Encodes the value.
  ///
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(String(self))
  }
}

extension Character: StandardValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .text) }
  public static var placeholder: Character { " " }
  static var scalar: ScalarKind { .character }

  init?(stored: String) {
    guard stored.count == 1, let character = stored.first else { return nil }
    self = character
  }

  var stored: String { String(self) }
}

/// As Foundation prints it: upper case, with dashes.
extension UUID: StandardValue {
  public static var placeholder: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  static var scalar: ScalarKind { .uuid }
  init?(stored: String) { self.init(uuidString: stored) }
  var stored: String { Hexadecimal.text(self) }
}

/// The URL's own text; a URL with a base is followed by it in angle brackets, which no URL contains.
extension URL: StandardValue {
  public static var placeholder: URL { URL(fileURLWithPath: "/") }
  static var scalar: ScalarKind { .url }

  init?(stored text: String) {
    guard text.hasSuffix(">"), let bracket = text.firstRange(of: " <") else {
      self.init(string: text)
      return
    }
    guard let base = URL(stored: String(text[bracket.upperBound...].dropLast())) else { return nil }
    self.init(string: String(text[..<bracket.lowerBound]), relativeTo: base)
  }

  var stored: String {
    guard let baseURL else { return relativeString }
    return "\(relativeString) <\(baseURL.stored)>"
  }
}

extension Data: StandardValue {
  public static var placeholder: Data { Data() }
  static var scalar: ScalarKind { .data }
  init?(stored: Data) { self = stored }
  var stored: Data { self }
}
