import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// Types of a program conform to the protocols of aggregates.
@Suite struct OwnValueTests {
  private let fixture: AggregateFixture

  init() throws { fixture = try AggregateFixture() }

  @Test(arguments: [false, true]) func rawValuesAreSummed(isInMemory: Bool) throws {
    for level in [.first, nil, .third, .third] as [Level?] {
      fixture.context.insert(
        Probe(
          number: 1, small: 0, unsigned: 0, ratio: 0, price: 0, taken: .distantPast, label: "", mark: "a",
          isValid: true, grade: .low, level: level, token: UUID()))
    }
    try fixture.context.save()
    let context = isInMemory ? try fixture.touched() : fixture.fresh()
    let (sum, mean) = try context.aggregate(.sum(\Probe.level), .average(\Probe.level))
    #expect(sum == 7)
    #expect(mean == 7.0 / 3.0)
    #expect(context.isUntouched != isInMemory)
  }

  @Test func valuesCompareByTheirOwnOrder() throws {
    #expect(try fixture.context.aggregate(.minimum(\Order.status)) == nil)
    for status in Status.allCases {
      fixture.context.insert(Order(placed: .distantPast, status: status, freight: 1))
    }
    try fixture.context.save()
    let context = fixture.fresh()
    let (least, greatest) = try context.aggregate(.minimum(\Order.status), .maximum(\Order.status))
    #expect(context.isUntouched, "only the column is read")
    #expect(least == Status.allCases.first)
    #expect(greatest == Status.allCases.last)
    #expect(Status.allCases.map(\.rawValue) != Status.allCases.map(\.rawValue).sorted())
  }
}
