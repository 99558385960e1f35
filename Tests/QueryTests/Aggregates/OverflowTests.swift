import Foundation
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Sums that overflow are errors, except if only an intermediate sum overflows.
@Suite struct OverflowTests {
  let fixture: AggregateFixture

  init() throws { fixture = try AggregateFixture() }

  private func insert(_ numbers: [Int], unsigned: [UInt64] = []) throws {
    for (index, number) in numbers.enumerated() {
      fixture.context.insert(
        Probe(
          number: number, small: 100, unsigned: index < unsigned.count ? unsigned[index] : 0,
          ratio: 0, price: .greatestFiniteMagnitude, taken: Date(timeIntervalSinceReferenceDate: 0),
          label: "\(index)", mark: "a", isValid: true, grade: .low, token: UUID()))
    }
    try fixture.context.save()
  }

  private var contexts: [ModelContext] { get throws { [fixture.fresh(), try fixture.touched()] } }

  @Test func integerOverflow() throws {
    try insert([.max, 1])
    for context in try contexts {
      let error = #expect(throws: AggregateOverflow.self) {
        try context.aggregate(.sum(\Probe.number))
      }
      #expect(error == AggregateOverflow(entity: "Probe", property: "number", type: "Int"))
      // The average does not overflow.
      #expect(try context.aggregate(.average(\Probe.number)) == 4.611686018427388e18)
      #expect(throws: AggregateOverflow.self) { try context.aggregate(.sum(\Probe.price)) }
    }
  }

  @Test func intermediateOverflow() throws {
    try insert([.max, 1, .max, -1, .min, .min + 5])
    for context in try contexts {
      #expect(try context.aggregate(.sum(\Probe.number)) == 3)
      let groups = try context.groups(
        by: \Probe.isValid, computing: .sum(\.number), having: .sum(\.number) == 3)
      #expect(groups.map(\.1) == [3])
    }
  }

  @Test func narrowIntegersAddUpToInt() throws {
    try insert([0, 0, 0])
    for context in try contexts {
      #expect(try context.aggregate(.sum(\Probe.small)) == 300)
    }
  }

  @Test func unsignedWords() throws {
    try insert([0, 0, 0], unsigned: [1 << 63, (1 << 63) - 1, 0])
    for context in try contexts {
      #expect(try context.aggregate(.sum(\Probe.unsigned)) == .max)
      #expect(try context.aggregate(.maximum(\Probe.unsigned)) == 1 << 63)
    }
  }
}
