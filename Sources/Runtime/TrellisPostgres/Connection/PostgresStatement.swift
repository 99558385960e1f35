import Trellis

/// A statement and its parameter values.
struct PostgresStatement {
  private let fragment: SQLFragment
  var parameters: PostgresParameters
  /// False for a statement that runs once, such as a table definition.
  var isPrepared = true
  /// True for handwritten SQL, which is already in the server's syntax.
  private let isVerbatim: Bool
  /// A closure that calls its argument with the rows for a `COPY` statement, in batches of columns.
  typealias CopiedRows = (_ send: ([ColumnBuffer]) throws -> Void) throws -> Void
  /// The rows for a `COPY` statement; `nil` for other statements.
  var copiedRows: CopiedRows?

  /// - Parameter parameters: `nil` for the fragment's values, whose types the server infers.
  init(
    _ fragment: SQLFragment, _ parameters: PostgresParameters? = nil, isPrepared: Bool = true, isVerbatim: Bool = false
  ) {
    self.fragment = fragment
    self.parameters = parameters ?? PostgresParameters(fragment.values)
    self.isPrepared = isPrepared && !isVerbatim
    self.isVerbatim = isVerbatim
  }

  /// Equal for statements that can share a prepared statement.
  var key: String { fragment.text }

  /// The SQL text for the server. Created when the statement is prepared, not each time it runs.
  var text: String { isVerbatim ? fragment.text : PostgresDialect(engine: .postgres).text(of: fragment) }

  static var begin: Self { Self("BEGIN ISOLATION LEVEL REPEATABLE READ") }
  static var beginCommitted: Self { Self("BEGIN ISOLATION LEVEL READ COMMITTED") }
  static var beginReading: Self { Self("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") }
  static var commit: Self { Self("COMMIT") }
  static var rollback: Self { Self("ROLLBACK") }
}

/// A statement's parameter values in transmission format.
struct PostgresParameters {
  /// The types; 0 if the server infers the type.
  private(set) var types: [UInt32] = []
  private var formats: [Int32] = []
  /// The range of each value in `bytes`; `nil` for NULL.
  private var ranges: [Range<Int>?] = []
  private var bytes: [UInt8] = []
  /// True if a value would be truncated, because text parameters end at U+0000.
  private(set) var hasNullCharacter = false

  init() {}

  /// Creates text parameters, whose types the server infers.
  init(_ values: [SQLValue]) {
    for value in values { append(value) }
  }

  /// Adds a text parameter, whose type the server infers.
  mutating func append(_ value: SQLValue) {
    let text = PostgresText.text(of: value)
    if text?.utf8.contains(0) == true { hasNullCharacter = true }
    append(text?.utf8, of: 0, format: 0)
    bytes.append(0)
  }

  /// Adds a binary parameter; `nil` for NULL.
  mutating func append(_ value: UnsafeRawBufferPointer?, of type: UInt32) { append(value, of: type, format: 1) }

  private mutating func append(_ value: (some Collection<UInt8>)?, of type: UInt32, format: Int32) {
    types.append(type)
    formats.append(format)
    let start = bytes.count
    if let value { bytes.append(contentsOf: value) }
    ranges.append(value == nil ? nil : start..<bytes.count)
  }

  /// Adds an array parameter with row keys.
  mutating func append(keys: some Collection<Int64>) {
    var column = ColumnBuffer(.bigint)
    for key in keys { column.append(key) }
    column.appendArray(to: &self)
  }

  /// Calls `body` with the values in libpq's format.
  func withValues<Result>(
    _ body: (
      _ count: Int32, _ types: UnsafePointer<UInt32>?, _ values: UnsafePointer<UnsafePointer<CChar>?>?,
      _ lengths: UnsafePointer<Int32>?, _ formats: UnsafePointer<Int32>?
    ) -> Result
  ) -> Result {
    bytes.withUnsafeBytes { bytes in
      // An empty value needs an address, because a missing address means NULL, and an empty array has none.
      let empty = UnsafeRawPointer(bitPattern: 1)
      let start = (bytes.baseAddress ?? empty)?.assumingMemoryBound(to: CChar.self)
      let values = ranges.map { range in range.flatMap { range in start.map { $0 + range.lowerBound } } }
      let lengths = ranges.map { Int32(clamping: $0?.count ?? 0) }
      return body(Int32(types.count), types, values, lengths, formats)
    }
  }
}

/// The text form of values. The server converts it to the type that the statement requires.
enum PostgresText {
  static func text(of value: SQLValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let number): String(number)
    case .real(let number) where number.isNaN: "NaN"
    case .real(let number) where number.isInfinite: number < 0 ? "-Infinity" : "Infinity"
    // The shortest text that round-trips to the same bits.
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
