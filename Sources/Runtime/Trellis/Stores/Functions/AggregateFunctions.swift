import CSQLite

/// The aggregate functions that SQLite does not have, or whose result in SQLite depends on the order of the rows.
/// Registered once for each connection.
enum AggregateFunctions: Int, CaseIterable {
  case realSum, realMean, decimalSum

  private var name: String {
    switch self {
    case .realSum: "real_sum"
    case .realMean: "real_mean"
    case .decimalSum: "decimal_sum"
    }
  }

  /// - Returns: SQLite's result code.
  static func register(on handle: OpaquePointer) -> Int32 {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    for function in allCases {
      // The functions share their code, and find out which one is called by a number.
      let code = sqlite3_create_function_v2(
        handle, function.name, 1, flags, UnsafeMutableRawPointer(bitPattern: function.rawValue + 1), nil,
        { context, _, arguments in
          if called(context) == .decimalSum {
            guard let text = FunctionCall(context, arguments).bytes(0) else { return }
            Tally.of(context)?.summation.add(decimal: text)
          } else if let number = FunctionCall(context, arguments).real(0) {
            Tally.of(context)?.summation.add(real: number)
          }
        },
        { context in
          guard let summation = Tally.finished(context)?.summation else { return }
          switch called(context) {
          case .realSum: FunctionCall(context, nil).give(summation.realTotal)
          case .realMean: FunctionCall(context, nil).give(summation.realMean)
          case .decimalSum: FunctionCall(context, nil).give(summation.decimalTotal)
          }
        }, nil)
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }

  private static func called(_ context: OpaquePointer?) -> Self {
    Self(rawValue: Int(bitPattern: sqlite3_user_data(context)) - 1) ?? .realSum
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
