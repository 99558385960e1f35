import Foundation

/// A random number generator that returns the same numbers for a seed on every machine (SplitMix64).
///
///     let seed = SeededGenerator.seed("histories are folded")   // prints TRELLIS_SEED=… histories are folded
///     var random = SeededGenerator(seed: seed)
///     let count = random.roll(6)                                // 0..<6
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A test's seed, which is printed so that a failure can be reproduced.
  ///
  /// - Parameters:
  ///   - purpose: The numbers' purpose, printed with the seed.
  ///   - fallback: The seed if `TRELLIS_SEED` is not set; `nil` for a different seed in each run.
  public static func seed(_ purpose: String = #function, otherwise fallback: UInt64? = nil) -> UInt64 {
    let given = ProcessInfo.processInfo.environment["TRELLIS_SEED"].flatMap(UInt64.init)
    let seed = given ?? fallback ?? .random(in: 0...UInt64.max)
    print("TRELLIS_SEED=\(seed) \(purpose)")
    return seed
  }

  /// A number from 0 to `sides` - 1; 0 if `sides` is 0.
  public mutating func roll(_ sides: Int) -> Int { Int.random(in: 0..<max(sides, 1), using: &self) }

  public mutating func pick<T>(_ values: [T]) -> T { values[roll(values.count)] }

  /// A random value, or `nil` in a third of cases.
  public mutating func perhaps<T>(_ values: [T]) -> T? { roll(3) == 0 ? nil : pick(values) }
}
