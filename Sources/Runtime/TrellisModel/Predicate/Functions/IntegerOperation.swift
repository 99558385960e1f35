/// Arithmetic of whole numbers that has an answer, or says that there is none, where Swift stops.
enum IntegerOperation: Int, Sendable {
  case add, subtract, multiply, divide, remainder

  /// nil when the result does not fit, or the divisor is zero.
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

  /// The same for values of a type that is only known to be a number; not for fractions.
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
        ? "the predicate divides \(lhs) by zero; test the divisor before"
        : "the predicate computes \(lhs) \(sign) \(rhs), which does not fit its type")
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

/// The integer types of Swift, as arguments of SQL functions.
enum IntegerWidth: Int, Sendable {
  case int8 = 8, int16 = 16, int32 = 32, int64 = 64
  case uint8 = 108, uint16 = 116, uint32 = 132, uint64 = 164

  /// The width of a type that columns keep; nil for others.
  init?(_ type: any Any.Type) {
    guard let integer = type as? any FixedWidthInteger.Type else { return nil }
    self.init(rawValue: integer.bitWidth + (integer.isSigned ? 0 : 100))
  }

  /// The operation over two stored words; nil where there is no answer.
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
      // Kept with the highest bit flipped, so that the order is that of signed words.
      let flip = UInt64(1) << 63
      return operation.apply(UInt64(bitPattern: lhs) ^ flip, UInt64(bitPattern: rhs) ^ flip)
        .map { Int64(bitPattern: $0 ^ flip) }
    }
  }
}
