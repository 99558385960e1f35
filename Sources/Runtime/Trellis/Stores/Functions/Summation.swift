/// The state of a sum or a mean. The library makes and reads it.
public struct Summation: Sendable {
  enum Kind: Sendable { case integer, unsigned, real, decimal }

  /// The number of added values. Nil does not count.
  var count = 0
  var integer: Int128 = 0
  private var real: ExactSum?
  private var decimal: DecimalSum?
  /// The result of a store that has computed the sum.
  var storedReal: Double?
  var storedDecimal: String?

  init() {}

  mutating func add(integer value: some FixedWidthInteger) {
    count += 1
    integer &+= Int128(truncatingIfNeeded: value)
  }

  mutating func add(real value: Double) {
    count += 1
    var sum = real ?? ExactSum()
    // Taken out, so that the digits are not copied.
    real = nil
    sum.add(value)
    real = sum
  }

  mutating func add(decimal text: String) {
    count += 1
    var sum = decimal ?? DecimalSum()
    decimal = nil
    sum.add(text.utf8)
    decimal = sum
  }

  var realTotal: Double { storedReal ?? real?.total ?? 0 }
  var realMean: Double { storedReal ?? real?.mean(of: count) ?? .nan }
  var decimalTotal: String { storedDecimal ?? decimal?.text ?? "0" }
}

/// A sum that its type cannot hold.
///
/// Integer sums are exact and never wrap around or turn into a `Double`. Sum a wider attribute, or
/// add up fewer rows.
public struct AggregateOverflow: Error, Sendable, Hashable, CustomStringConvertible {
  /// The entity of the attribute.
  public let entity: String
  /// The attribute that was summed.
  public let property: String
  /// The type of the result.
  public let type: String

  public var description: String {
    "the sum of '\(entity).\(property)' does not fit into '\(type)': narrow the predicate, or take "
      + "the average"
  }
}
