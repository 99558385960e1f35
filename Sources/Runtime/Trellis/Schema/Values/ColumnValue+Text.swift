public import Foundation

extension String: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .text) }
  public static var placeholder: String { "" }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> String {
    try row.text(column, as: String.self)
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(self, parameter)
  }
}

extension Character: @retroactive Decodable, @retroactive Encodable {
  /// Decodes what ``encode(to:)`` has written.
  ///
  /// - Throws: `DecodingError` if the data has another form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard text.count == 1, let character = text.first else {
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

extension Character: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.text, comparison: .text) }
  public static var placeholder: Character { " " }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> Character {
    let text = try row.text(column, as: Character.self)
    guard text.count == 1, let character = text.first else {
      throw row.unreadable(column, as: Character.self)
    }
    return character
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(String(self), parameter)
  }
}

/// As Foundation prints it: upper case, with dashes.
extension UUID: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.text) }
  public static var placeholder: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> UUID {
    guard let uuid = UUID(uuidString: try row.text(column, as: UUID.self)) else {
      throw row.unreadable(column, as: UUID.self)
    }
    return uuid
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(uuidString, parameter)
  }
}

/// The URL's own text; a URL with a base is followed by it in angle brackets, which no URL contains.
extension URL: ColumnValue {
  public static var columnType: ColumnType { ColumnType(.text) }
  public static var placeholder: URL { URL(fileURLWithPath: "/") }

  /// The text a value is stored as.
  static func stored(_ url: URL) -> String {
    guard let base = url.baseURL else { return url.relativeString }
    return "\(url.relativeString) <\(stored(base))>"
  }

  static func parsed(_ text: String) -> URL? {
    guard text.hasSuffix(">"), let bracket = text.firstRange(of: " <") else {
      return URL(string: text)
    }
    guard let base = parsed(String(text[bracket.upperBound...].dropLast())) else { return nil }
    return URL(string: String(text[..<bracket.lowerBound]), relativeTo: base)
  }

  /// Reads the value from a column.
  ///
  /// - Throws: an error that names row, property and value if the column has another form.
  public static func read(_ row: inout StatementRow, _ column: Int32) throws -> URL {
    guard let url = parsed(try row.text(column, as: URL.self)) else {
      throw row.unreadable(column, as: URL.self)
    }
    return url
  }
  /// Binds the value to a parameter.
  ///
  /// - Throws: ``SQLiteError`` if SQLite refuses the value.
  public func bind(to row: inout StatementBinder, _ parameter: Int32) throws {
    try row.bind(Self.stored(self), parameter)
  }
}
