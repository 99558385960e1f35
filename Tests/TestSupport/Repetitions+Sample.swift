extension Repetitions {
  /// Returns all values in a thorough run. A short run takes every n-th value, from a start that depends on the seed.
  ///
  ///     @Test(arguments: Repetitions.sample(ConformanceCheck.all, every: 4, "checks of a store"))
  ///
  /// - Parameters:
  ///   - values: The values of a matrix.
  ///   - step: The distance between values in a short run.
  ///   - purpose: The sample's purpose, printed with the seed.
  ///   - shift: Added to the first value's position, so that two tests take different samples.
  public static func sample<Value>(_ values: [Value], every step: Int, _ purpose: String, shift: Int = 0) -> [Value] {
    guard !isThorough, step > 1, !values.isEmpty else { return values }
    let first = offset(below: min(step, values.count), purpose, shift: shift)
    return stride(from: first, to: values.count, by: step).map { values[$0] }
  }

  /// A number below a limit, derived from the seed, which is printed.
  public static func offset(below limit: Int, _ purpose: String, shift: Int = 0) -> Int {
    let place = SeededGenerator.seed(purpose) &+ UInt64(truncatingIfNeeded: shift)
    return Int(place % UInt64(max(limit, 1)))
  }
}
