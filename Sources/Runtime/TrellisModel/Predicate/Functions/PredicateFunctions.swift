import CSQLite
import Foundation

/// The SQL functions that translated predicates call, registered once for each connection.
///
/// All functions return NULL if an argument is NULL.
package enum PredicateFunctions {
  /// - Returns: SQLite's result code.
  package static func register(
    _ functions: [Function] = text + localized + numbers + IntegerFunctions.all + arrays, on handle: OpaquePointer
  ) -> Int32 {
    for function in functions {
      let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
      let isAggregate = function.finish != nil
      let code = sqlite3_create_function_v2(
        handle, function.name, function.count, flags, nil, isAggregate ? nil : function.body,
        isAggregate ? function.body : nil, function.finish, nil)
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  package typealias Body =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

  package struct Function {
    var name: String
    var count: Int32
    /// The call, or an aggregate function's step.
    var body: Body
    /// An aggregate function's final step.
    var finish: (@convention(c) (OpaquePointer?) -> Void)?

    package init(name: String, count: Int32, body: Body, finish: (@convention(c) (OpaquePointer?) -> Void)? = nil) {
      self.name = name
      self.count = count
      self.body = body
      self.finish = finish
    }
  }

  private static let text: [Function] = [
    Function(name: "swift_contains", count: 2) { FunctionCall($0, $2).test(TextSearch.contains) },
    Function(name: "swift_starts", count: 2) { FunctionCall($0, $2).test(TextSearch.starts) },
    Function(name: "swift_count", count: 1) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      if let text = call.bytes(0) { sqlite3_result_int64(context, Int64(TextSearch.count(text))) }
    },
    Function(name: "swift_first", count: 1) { FunctionCall($0, $2).map { $0.first.map { String($0) } } },
    Function(name: "swift_last", count: 1) { FunctionCall($0, $2).map { $0.last.map { String($0) } } },
    Function(name: "swift_lower", count: 1) { FunctionCall($0, $2).map(\.localizedLowercase) },
    Function(name: "swift_upper", count: 1) { FunctionCall($0, $2).map(\.localizedUppercase) },
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
    Function(name: "decimal_key", count: 1) { FunctionCall($0, $2).map { DecimalText.orderKey($0) } },
    Function(name: "real_of", count: 1) { context, _, arguments in
      let bits = UInt64(bitPattern: sqlite3_value_int64(arguments?[0]))
      sqlite3_result_double(context, Double(bitPattern: bits))
    },
    Function(name: "real_add", count: 2) { FunctionCall($0, $2).compute(+) },
    Function(name: "real_subtract", count: 2) { FunctionCall($0, $2).compute(-) },
    Function(name: "real_multiply", count: 2) { FunctionCall($0, $2).compute(*) },
    Function(name: "real_divide", count: 2) { FunctionCall($0, $2).compute(/) },
    Function(name: "real_negate", count: 1) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      if let number = call.real(0) { call.give(-number) }
    },
  ]

  /// Localized comparisons and sort keys.
  private static let localized: [Function] = [
    Function(name: "swift_localized_contains", count: 2) { context, _, arguments in
      FunctionCall(context, arguments).test {
        LocalizedText.contains(TextSearch.string($0), TextSearch.string($1))
      }
    },
    Function(name: "swift_compare", count: 3) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      guard let text = call.bytes(0), let other = call.bytes(1), let name = call.bytes(2),
        let function = LocalizedText(rawValue: TextSearch.string(name))
      else { return }
      let result = function.compare(TextSearch.string(text), TextSearch.string(other))
      sqlite3_result_int(context, Int32(result.rawValue))
    },
    Function(name: "swift_text_key", count: 2) { context, _, arguments in
      let call = FunctionCall(context, arguments)
      let number = sqlite3_value_int64(arguments?[1])
      guard let text = call.bytes(0), let order = TextOrder(rawValue: Int(number)) else { return }
      call.give(TextKey.bytes(of: TextSearch.string(text), order))
    },
  ]

  private static let message = "trellis: to be evaluated in memory"

  /// Makes the statement fail because a row has values for which SQL has no exact result.
  ///
  /// The predicate is then evaluated in memory, where Swift may not need the expression for that row.
  static func decline(_ context: OpaquePointer?) { sqlite3_result_error(context, message, -1) }

  /// Returns true if the statement failed because of a declined row or exceeded a database limit.
  package static func isDeclined(_ error: SQLiteError) -> Bool { error.message == message || error.exceedsLimit }

  /// Returns an array's JSON unchanged. Declines an array that contains U+0000, because SQLite's JSON functions end a
  /// string there.
  private static let arrays: [Function] = [
    Function(name: "json_plain", count: 1) { context, _, arguments in
      guard let text = FunctionCall(context, arguments).bytes(0) else { return }
      if TextSearch.holdsEscapedZero(text) {
        PredicateFunctions.decline(context)
      } else {
        sqlite3_result_value(context, arguments?[0])
      }
    }
  ]
}

/// Integer arithmetic as SQL functions. The arguments are two operands and an ``IntegerWidth`` raw value.
///
/// Where Swift traps, SQL would continue with a fraction or NULL. These functions fail instead. The predicate is then
/// evaluated in memory, where Swift may not need the expression.
enum IntegerFunctions {
  static let all: [PredicateFunctions.Function] = [
    .init(name: "int_add", count: 3) { IntegerFunctions.run(.add, $0, $2) },
    .init(name: "int_subtract", count: 3) { IntegerFunctions.run(.subtract, $0, $2) },
    .init(name: "int_multiply", count: 3) { IntegerFunctions.run(.multiply, $0, $2) },
    .init(name: "int_divide", count: 3) { IntegerFunctions.run(.divide, $0, $2) },
    .init(name: "int_remainder", count: 3) { IntegerFunctions.run(.remainder, $0, $2) },
  ]

  private static func run(
    _ operation: IntegerOperation, _ context: OpaquePointer?,
    _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let arguments, sqlite3_value_type(arguments[0]) != SQLITE_NULL,
      sqlite3_value_type(arguments[1]) != SQLITE_NULL
    else { return }
    let width = IntegerWidth(rawValue: Int(sqlite3_value_int(arguments[2]))) ?? .int64
    let (lhs, rhs) = (sqlite3_value_int64(arguments[0]), sqlite3_value_int64(arguments[1]))
    if let result = width.apply(operation, lhs, rhs) {
      sqlite3_result_int64(context, result)
    } else {
      PredicateFunctions.decline(context)
    }
  }
}
