import Trellis

/// A statement with the values of its parameters.
struct PostgresStatement {
  private let fragment: SQLFragment
  var parameters: PostgresParameters
  /// False for a statement that is run once, such as a definition of a table.
  var isPrepared = true
  /// True for handwritten SQL, which already has the server's form.
  private let isVerbatim: Bool
  /// Calls a function with the rows of a `COPY` statement, in parts of columns side by side.
  typealias CopiedRows = (_ send: ([ColumnBuffer]) throws -> Void) throws -> Void
  /// The rows that a `COPY` statement receives; nil for other statements.
  var copiedRows: CopiedRows?

  /// - Parameter parameters: nil for the values of the fragment, whose types the server infers.
  init(
    _ fragment: SQLFragment, _ parameters: PostgresParameters? = nil, isPrepared: Bool = true, isVerbatim: Bool = false
  ) {
    self.fragment = fragment
    self.parameters = parameters ?? PostgresParameters(fragment.values)
    self.isPrepared = isPrepared && !isVerbatim
    self.isVerbatim = isVerbatim
  }

  /// Equal for statements that the server prepares once.
  var key: String { fragment.text }

  /// The text for the server. It is made when the statement is prepared, and not each time it is run.
  var text: String { isVerbatim ? fragment.text : PostgresDialect(engine: .postgres).text(of: fragment) }

  static var begin: Self { Self("BEGIN ISOLATION LEVEL REPEATABLE READ") }
  static var beginCommitted: Self { Self("BEGIN ISOLATION LEVEL READ COMMITTED") }
  static var beginReading: Self { Self("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") }
  static var commit: Self { Self("COMMIT") }
  static var rollback: Self { Self("ROLLBACK") }
}

/// The values of a statement's parameters in the form in which they are sent.
struct PostgresParameters {
  /// The types; 0 for one that the server infers.
  private(set) var types: [UInt32] = []
  private var formats: [Int32] = []
  /// The position and the length of each value in `bytes`; nil for NULL.
  private var ranges: [Range<Int>?] = []
  private var bytes: [UInt8] = []
  /// True for a text that the server would cut off, because its text form ends at U+0000.
  private(set) var hasNullCharacter = false

  init() {}

  /// Values in text form, of types that the server infers.
  init(_ values: [SQLValue]) {
    for value in values { append(value) }
  }

  /// Adds a value in text form, of a type that the server infers.
  mutating func append(_ value: SQLValue) {
    let text = PostgresText.text(of: value)
    if text?.utf8.contains(0) == true { hasNullCharacter = true }
    append(text?.utf8, of: 0, format: 0)
    bytes.append(0)
  }

  /// Adds a value in binary form; nil for NULL.
  mutating func append(_ value: UnsafeRawBufferPointer?, of type: UInt32) { append(value, of: type, format: 1) }

  private mutating func append(_ value: (some Collection<UInt8>)?, of type: UInt32, format: Int32) {
    types.append(type)
    formats.append(format)
    let start = bytes.count
    if let value { bytes.append(contentsOf: value) }
    ranges.append(value == nil ? nil : start..<bytes.count)
  }

  /// Adds row numbers as one array.
  mutating func append(keys: some Collection<Int64>) {
    var column = ColumnBuffer(.bigint)
    for key in keys { column.append(key) }
    column.appendArray(to: &self)
  }

  /// Calls `body` with the values in libpq's form.
  func withValues<Result>(
    _ body: (
      _ count: Int32, _ types: UnsafePointer<UInt32>?, _ values: UnsafePointer<UnsafePointer<CChar>?>?,
      _ lengths: UnsafePointer<Int32>?, _ formats: UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    bytes.withUnsafeBytes { bytes in
      // A value of no bytes is not NULL, and an empty array has no address.
      let empty = UnsafeRawPointer(bitPattern: 1)
      let start = (bytes.baseAddress ?? empty)?.assumingMemoryBound(to: CChar.self)
      let values = ranges.map { range in range.flatMap { range in start.map { $0 + range.lowerBound } } }
      let lengths = ranges.map { Int32(clamping: $0?.count ?? 0) }
      return body(Int32(types.count), types, values, lengths, formats)
    }
  }
}

/// The text form of values, which the server converts to the type that a statement needs.
enum PostgresText {
  static func text(of value: SQLValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let number): String(number)
    case .real(let number) where number.isNaN: "NaN"
    case .real(let number) where number.isInfinite: number < 0 ? "-Infinity" : "Infinity"
    // The shortest text that has the same bits.
    case .real(let number): "\(number)"
    case .text(let text): text
    case .blob(let bytes): "\\x" + Hexadecimal.text(bytes)
    case .list(let values): "{" + values.map(element).joined(separator: ",") + "}"
    }
  }

  private static func element(_ value: SQLValue) -> String {
    guard let text = text(of: value) else { return "NULL" }
    let scalars = text.unicodeScalars.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
    return "\"" + String(String.UnicodeScalarView(scalars)) + "\""
  }
}
