/// Integer arithmetic that returns nil where Swift would trap.
enum IntegerOperation: Int, Sendable {
  case add, subtract, multiply, divide, remainder

  /// Returns nil if the result overflows or the divisor is zero.
  func apply<I: FixedWidthInteger>(_ lhs: I, _ rhs: I) -> I? {
    let (result, overflow) =
      switch self {
      case .add: lhs.addingReportingOverflow(rhs)
      case .subtract: lhs.subtractingReportingOverflow(rhs)
      case .multiply: lhs.multipliedReportingOverflow(by: rhs)
      case .divide: lhs.dividedReportingOverflow(by: rhs)
      case .remainder: lhs.remainderReportingOverflow(dividingBy: rhs)
      }
    return overflow ? nil : result
  }

  /// Applies the operation to values of a type that is only known to be numeric; nil for fractional types.
  func checked<N>(_ lhs: N, _ rhs: N) throws -> N? {
    guard let integer = lhs as? any FixedWidthInteger else { return nil }
    return try opened(integer, rhs) as? N
  }

  private func opened<I: FixedWidthInteger>(_ lhs: I, _ rhs: Any) throws -> I {
    guard let rhs = rhs as? I, let result = apply(lhs, rhs) else { throw failure("\(lhs)", "\(rhs)") }
    return result
  }

  private func failure(_ lhs: String, _ rhs: String) -> SwiftDataError {
    let isByZero = (self == .divide || self == .remainder) && rhs == "0"
    return .unsupportedPredicate.explained(
      isByZero
        ? "the predicate divides \(lhs) by zero; test the divisor first"
        : "the predicate computes \(lhs) \(sign) \(rhs), which the type cannot represent")
  }

  private var sign: String {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    }
  }
}

/// Swift's integer types, as SQL function arguments.
enum IntegerWidth: Int, Sendable {
  case int8 = 8, int16 = 16, int32 = 32, int64 = 64
  case uint8 = 108, uint16 = 116, uint32 = 132, uint64 = 164

  /// Creates the width for an integer type that columns store; nil for other types.
  init?(_ type: any Any.Type) {
    guard let integer = type as? any FixedWidthInteger.Type else { return nil }
    self.init(rawValue: integer.bitWidth + (integer.isSigned ? 0 : 100))
  }

  /// Applies the operation to two stored integers; nil if there is no result.
  func apply(_ operation: IntegerOperation, _ lhs: Int64, _ rhs: Int64) -> Int64? {
    func through<I: FixedWidthInteger>(_: I.Type) -> Int64? {
      operation.apply(I(truncatingIfNeeded: lhs), I(truncatingIfNeeded: rhs)).map {
        Int64(truncatingIfNeeded: $0)
      }
    }
    switch self {
    case .int8: return through(Int8.self)
    case .int16: return through(Int16.self)
    case .int32: return through(Int32.self)
    case .int64: return through(Int64.self)
    case .uint8: return through(UInt8.self)
    case .uint16: return through(UInt16.self)
    case .uint32: return through(UInt32.self)
    case .uint64:
      // Stored with the highest bit flipped, so that signed integers have the same order.
      let flip = UInt64(1) << 63
      return operation.apply(UInt64(bitPattern: lhs) ^ flip, UInt64(bitPattern: rhs) ^ flip)
        .map { Int64(bitPattern: $0 ^ flip) }
    }
  }
}
