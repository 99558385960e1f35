import Foundation

/// The number of repetitions in random tests, loops of killed processes and large inputs.
///
/// `TRELLIS_ROUNDS` is a factor: 1 unless it is set, which keeps `./run test` short. `./run test --all` sets it to 20.
///
///     for round in 0..<Repetitions.scaled(10) { … }      // 10 rounds, 200 in `--all`
///     @Test(arguments: Repetitions.isThorough ? allPairs : neighbours)
public enum Repetitions {
  /// The value of `TRELLIS_ROUNDS`, at least 1.
  public static let factor = max(ProcessInfo.processInfo.environment["TRELLIS_ROUNDS"].flatMap(Int.init) ?? 1, 1)

  /// True in runs with more than the default repetitions, which include the large matrices.
  public static var isThorough: Bool { factor > 1 }

  /// A repetition count, multiplied by ``factor``.
  ///
  /// - Parameters:
  ///   - count: The repetitions in a short run.
  ///   - limit: The largest useful count, for tests in which more repetitions find nothing new.
  public static func scaled(_ count: Int, upTo limit: Int = .max) -> Int { min(count * factor, max(limit, count)) }
}
