import CSQLite

/// Aggregate functions that SQLite lacks, or whose SQLite results depend on row order. Registered once per connection.
enum AggregateFunctions {
  static let all: [PredicateFunctions.Function] = [
    .init(name: "real_sum", count: 1, body: { addReal($0, $2) }, finish: { finish($0) { $0.give($1.realTotal) } }),
    .init(name: "real_mean", count: 1, body: { addReal($0, $2) }, finish: { finish($0) { $0.give($1.realMean) } }),
    .init(
      name: "decimal_sum", count: 1,
      body: { context, _, arguments in
        guard let text = FunctionCall(context, arguments).bytes(0) else { return }
        Tally.of(context)?.summation.add(decimal: text)
      }, finish: { finish($0) { $0.give($1.decimalTotal) } }),
  ]

  private static func addReal(
    _ context: OpaquePointer?, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    guard let number = FunctionCall(context, arguments).real(0) else { return }
    Tally.of(context)?.summation.add(real: number)
  }

  /// Returns the result to SQLite; NULL if there are no rows.
  private static func finish(_ context: OpaquePointer?, _ give: (FunctionCall, Summation) -> Void) {
    if let tally = Tally.finished(context) { give(FunctionCall(context, nil), tally.summation) }
  }
}

/// An aggregate function's state for a single group of rows.
private final class Tally {
  var summation = Summation()

  /// Returns the running call's tally, created at the first row; `nil` if SQLite is out of memory.
  static func of(_ context: OpaquePointer?) -> Tally? {
    guard let slot = slot(context) else { return nil }
    if let known = slot.pointee { return Unmanaged<Tally>.fromOpaque(known).takeUnretainedValue() }
    let made = Tally()
    slot.pointee = Unmanaged.passRetained(made).toOpaque()
    return made
  }

  /// Takes the tally back from SQLite at the end; `nil` if there are no rows. SQLite calls this once, even after an
  /// error.
  static func finished(_ context: OpaquePointer?) -> Tally? {
    guard let slot = slot(context), let known = slot.pointee else { return nil }
    slot.pointee = nil
    return Unmanaged<Tally>.fromOpaque(known).takeRetainedValue()
  }

  private static func slot(
    _ context: OpaquePointer?
  ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    // Zeroed on creation.
    sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeMutableRawPointer?>.size))?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}
