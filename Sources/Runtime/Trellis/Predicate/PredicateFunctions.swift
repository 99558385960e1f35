import CSQLite
import Foundation

/// The SQL functions that translated predicates call, registered once for each connection.
///
/// All are NULL when an argument is NULL.
enum PredicateFunctions {
  /// - Returns: SQLite's result code.
  static func register(on handle: OpaquePointer) -> Int32 {
    for function in text + localized + numbers + IntegerFunctions.all + arrays {
      let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
      let code = sqlite3_create_function_v2(
        handle, function.name, function.count, flags, nil, function.body, nil, nil, nil)
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  typealias Body =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  struct Function {
    var name: String
    var count: Int32
    var body: Body
  }

  private static let text: [Function] = [
    Function(name: "swift_contains", count: 2) { context, _, arguments in
      FunctionCall(context, arguments).test(TextSearch.contains)
    },
    Function(name: "swift_starts", count: 2) { context, _, arguments in
      FunctionCall(context, arguments).test(TextSearch.starts)
    },
    Function(name: "swift_less", count: 2) { context, _, arguments in
      FunctionCall(context, arguments).test { TextSearch.string($0) < TextSearch.string($1) }
    },
    Function(name: "swift_count", count: 1) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      if let text = call.bytes(0) { sqlite3_result_int64(context, Int64(TextSearch.count(text))) }
    },
    Function(name: "swift_first", count: 1) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      guard let text = call.bytes(0), let first = TextSearch.string(text).first else { return }
      call.give(String(first))
    },
    Function(name: "swift_last", count: 1) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      guard let text = call.bytes(0), let last = TextSearch.string(text).last else { return }
      call.give(String(last))
    },
    Function(name: "swift_lower", count: 1) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      if let text = call.bytes(0) { call.give(TextSearch.string(text).localizedLowercase) }
    },
    Function(name: "swift_upper", count: 1) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      if let text = call.bytes(0) { call.give(TextSearch.string(text).localizedUppercase) }
    },
    Function(name: "swift_nfc", count: 1) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      guard let text = call.bytes(0) else { return }
      if TextRules.isPlain(text) {
        sqlite3_result_value(context, arguments?[0])
      } else {
        call.give(TextRules.normalized(TextSearch.string(text)))
      }
    },
  ]

  private static let numbers: [Function] = [
    Function(name: "decimal_key", count: 1) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      if let text = call.bytes(0) { call.give(DecimalText.orderKey(TextSearch.string(text))) }
    },
    Function(name: "real_of", count: 1) { context, _, arguments in
      let bits = UInt64(bitPattern: sqlite3_value_int64(arguments?[0]))
      sqlite3_result_double(context, Double(bitPattern: bits))
    },
    Function(name: "real_add", count: 2) { context, _, arguments in
      FunctionCall(context, arguments).compute(+)
    },
    Function(name: "real_subtract", count: 2) { context, _, arguments in
      FunctionCall(context, arguments).compute(-)
    },
    Function(name: "real_multiply", count: 2) { context, _, arguments in
      FunctionCall(context, arguments).compute(*)
    },
    Function(name: "real_divide", count: 2) { context, _, arguments in
      FunctionCall(context, arguments).compute(/)
    },
    Function(name: "real_negate", count: 1) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      if let number = call.real(0) { call.give(-number) }
    },
  ]
}

/// One call of a function from SQL; without a result it is NULL.
struct FunctionCall {
  let context: OpaquePointer?
  private let arguments: UnsafeMutablePointer<OpaquePointer?>?

  init(_ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?) {
    self.context = context
    self.arguments = arguments
  }

  /// The bytes of a text argument, until the next argument is asked for in another form.
  func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8>? {
    let value = arguments?[index]
    guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
    let start = sqlite3_value_text(value)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
  }

  /// A number as columns keep it: `NaN` is text.
  func real(_ index: Int) -> Double? {
    let value = arguments?[index]
    switch sqlite3_value_type(value) {
    case SQLITE_NULL: return nil
    case SQLITE_TEXT: return .nan
    default: return sqlite3_value_double(value)
    }
  }

  func test(_ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool) {
    guard let first = bytes(0), let second = bytes(1) else { return }
    sqlite3_result_int(context, body(first, second) ? 1 : 0)
  }

  func compute(_ body: (Double, Double) -> Double) {
    guard let first = real(0), let second = real(1) else { return }
    give(body(first, second))
  }

  func give(_ number: Double) {
    if number.isNaN { give("NaN") } else { sqlite3_result_double(context, number) }
  }

  func give(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      bytes.withMemoryRebound(to: CChar.self) {
        // Without an address SQLite would make it NULL.
        if let start = $0.baseAddress {
          sqlite3_result_text(context, start, Int32($0.count), copied)
        } else {
          sqlite3_result_text(context, "", 0, copied)
        }
      }
    }
  }
}
