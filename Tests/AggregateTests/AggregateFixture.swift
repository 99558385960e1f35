import Foundation
import Trellis

/// A container with all models of this target, and its contexts.
final class AggregateFixture {
  static let schema = Schema([Measurement.self, Customer.self])

  let container: ModelContainer
  let context: ModelContext
  /// The fixture retains its contexts.
  private var others: [ModelContext] = []

  init(_ configuration: ModelConfiguration = ModelConfiguration(isStoredInMemoryOnly: true)) throws
  {
    container = try ModelContainer(for: Self.schema, configurations: [configuration])
    context = ModelContext(container)
  }

  /// Another context of the container without registered models.
  func fresh() -> ModelContext {
    let context = ModelContext(container)
    others.append(context)
    return context
  }

  /// A context in which every model counts as changed, so that the results are computed from models instead of the
  /// store.
  func touched() throws -> ModelContext {
    let context = fresh()
    for model in try context.fetch(FetchDescriptor<Measurement>()) { model.number += 0 }
    return context
  }
}

extension ModelContext {
  /// True if the store computed the result without registering models.
  var isUntouched: Bool { debugDescription.hasSuffix("registered: 0)") }
}

/// A small generator that gives the same numbers on every machine (SplitMix64).
struct Dice: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &self)] }

  /// A generator whose seed is printed, and taken from the environment when set.
  static func thrown(_ name: String) -> Dice {
    let seed =
      ProcessInfo.processInfo.environment["TRELLIS_SEED"].flatMap(UInt64.init)
      ?? .random(in: 0...UInt64.max)
    print("TRELLIS_SEED=\(seed) (\(name))")
    return Dice(state: seed)
  }
}
