import CSQLite

/// The aggregate functions that SQLite does not have, or whose result in SQLite depends on the order of the rows.
/// Registered once for each connection.
enum AggregateFunctions {
  /// - Returns: SQLite's result code.
  static func register(on handle: OpaquePointer) -> Int32 {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    for function in all {
      let code = sqlite3_create_function_v2(
        handle, function.name, 1, flags, nil, nil, function.step, function.finish, nil)
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  struct Function {
    var name: String
    var step: PredicateFunctions.Body
    var finish: @convention(c) (OpaquePointer?) -> Void
  }

  private static let all: [Function] = [
    Function(name: "integer_sum") { context, _, arguments in
      let value = arguments?[0]
      guard sqlite3_value_type(value) == SQLITE_INTEGER else { return }
      Tally.of(context)?.summation.add(integer: sqlite3_value_int64(value))
    } finish: { context in
      guard let tally = Tally.finished(context) else { return }
      FunctionCall(context, nil).give(String(tally.summation.integer))
    },
    Function(name: "real_sum") { context, _, arguments in
      addReal(context, arguments)
    } finish: { context in
      guard let tally = Tally.finished(context) else { return }
      FunctionCall(context, nil).give(tally.summation.realTotal)
    },
    Function(name: "real_mean") { context, _, arguments in
      addReal(context, arguments)
    } finish: { context in
      guard let tally = Tally.finished(context) else { return }
      FunctionCall(context, nil).give(tally.summation.realMean)
    },
    Function(name: "decimal_sum") { context, _, arguments in
      guard let text = FunctionCall(context, arguments).bytes(0) else { return }
      Tally.of(context)?.decimal.add(text)
    } finish: { context in
      guard let tally = Tally.finished(context) else { return }
      FunctionCall(context, nil).give(tally.decimal.text)
    },
    Function(name: "decimal_min") { context, _, arguments in
      keepDecimal(context, arguments) { $0 < $1 }
    } finish: { context in
      giveDecimal(context)
    },
    Function(name: "decimal_max") { context, _, arguments in
      keepDecimal(context, arguments) { $0 > $1 }
    } finish: { context in
      giveDecimal(context)
    },
  ]

  private static func addReal(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let number = FunctionCall(context, arguments).real(0) else { return }
    Tally.of(context)?.summation.add(real: number)
  }

  private static func keepDecimal(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
    _ isBetter: (String, String) -> Bool
  ) {
    guard let bytes = FunctionCall(context, arguments).bytes(0), let tally = Tally.of(context)
    else { return }
    let text = TextSearch.string(bytes)
    // NaN is the result only if there is no number.
    guard text != "NaN" else {
      if tally.best == nil { tally.best = (text, "") }
      return
    }
    let key = DecimalText.orderKey(text)
    if let best = tally.best, best.text != "NaN", !isBetter(key, best.key) { return }
    tally.best = (text, key)
  }

  private static func giveDecimal(_ context: OpaquePointer?) {
    guard let best = Tally.finished(context)?.best else { return }
    FunctionCall(context, nil).give(best.text)
  }
}

/// The state of an aggregate function over one group of rows.
private final class Tally {
  var summation = Summation()
  var decimal = DecimalSum()
  var best: (text: String, key: String)?

  /// The tally of the running call, made with its first row; nil when SQLite is out of memory.
  static func of(_ context: OpaquePointer?) -> Tally? {
    guard let slot = slot(context) else { return nil }
    if let known = slot.pointee { return Unmanaged<Tally>.fromOpaque(known).takeUnretainedValue() }
    let made = Tally()
    slot.pointee = Unmanaged.passRetained(made).toOpaque()
    return made
  }

  /// The tally at the end, given up by SQLite; nil without rows. SQLite calls this once, after
  /// errors too.
  static func finished(_ context: OpaquePointer?) -> Tally? {
    guard let slot = slot(context), let known = slot.pointee else { return nil }
    slot.pointee = nil
    return Unmanaged<Tally>.fromOpaque(known).takeRetainedValue()
  }

  private static func slot(
    _ context: OpaquePointer?
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    // Zeroed when it is made.
    sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeMutableRawPointer?>.size))?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}
