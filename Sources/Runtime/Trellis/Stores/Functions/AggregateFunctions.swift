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
      Tally.of(context)?.summation.add(decimal: text)
    } finish: { context in
      guard let tally = Tally.finished(context) else { return }
      FunctionCall(context, nil).give(tally.summation.decimalTotal)
    },
  ]

  private static func addReal(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let number = FunctionCall(context, arguments).real(0) else { return }
    Tally.of(context)?.summation.add(real: number)
  }
}

/// The state of an aggregate function over one group of rows.
private final class Tally {
  var summation = Summation()

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
