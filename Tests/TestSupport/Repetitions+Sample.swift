extension Repetitions {
  /// All values in a thorough run. A short run takes every n-th, from a place that depends on the seed.
  ///
  ///     @Test(arguments: Repetitions.sample(ConformanceCheck.all, every: 4, "checks of a store"))
  ///
  /// - Parameters:
  ///   - values: the values of a matrix.
  ///   - step: the distance of two values in a short run.
  ///   - purpose: what the sample is for; printed beside the seed.
  ///   - shift: added to the place of the first value, so that the samples of two tests differ.
  public static func sample<Value>(_ values: [Value], every step: Int, _ purpose: String, shift: Int = 0) -> [Value] {
    guard !isThorough, step > 1, !values.isEmpty else { return values }
    let first = offset(below: min(step, values.count), purpose, shift: shift)
    return stride(from: first, to: values.count, by: step).map { values[$0] }
  }

  /// A number below a limit that depends on the seed, which is printed.
  public static func offset(below limit: Int, _ purpose: String, shift: Int = 0) -> Int {
    let place = SeededGenerator.seed(purpose) &+ UInt64(truncatingIfNeeded: shift)
    return Int(place % UInt64(max(limit, 1)))
  }
}
