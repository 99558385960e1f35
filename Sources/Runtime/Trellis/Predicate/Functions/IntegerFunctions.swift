import CSQLite

/// Arithmetic of whole numbers as SQL functions: operands and the number of an ``IntegerWidth``.
///
/// SQL would continue with a fraction or NULL where Swift stops. These functions fail instead; then the
/// predicate is evaluated in memory, which finds out whether Swift would have come that far.
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
