import Foundation
import Testing

@testable import Trellis
@testable import TrellisModel

@Suite struct DescriptorTests {
  private func codes(_ excursions: [Excursion]) -> [String] { excursions.map(\.code) }

  @Test(arguments: FetchFixture.Kind.allCases)
  func S074_aNilPredicateFetchesAllAndNoMatchIsEmpty(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(3)
    #expect(try Set(codes(fixture.context.fetch(FetchDescriptor()))) == ["e000", "e001", "e002"])
    let none = FetchDescriptor<Excursion>(predicate: #Predicate { $0.length > 99 })
    #expect(try fixture.context.fetch(none).isEmpty)
    #expect(try fixture.context.fetch(none, batchSize: 2).isEmpty)
    #expect(try fixture.context.fetchIdentifiers(none, batchSize: 2).isEmpty)
    #expect(try fixture.context.fetchIdentifiers(none).isEmpty)
    #expect(try fixture.context.fetchCount(none) == 0)
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func S075_sortDescriptorsApplyInOrder(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(5)
    let byTitle = FetchDescriptor<Excursion>(sortBy: [
      SortDescriptor(\.title), SortDescriptor(\.length, order: .reverse),
    ])
    #expect(try codes(fixture.context.fetch(byTitle)) == ["e003", "e000", "e004", "e001", "e002"])
    let byLength = FetchDescriptor<Excursion>(sortBy: [
      SortDescriptor(\.length, order: .reverse), SortDescriptor(\.title),
    ])
    #expect(
      try codes(fixture.context.fetch(byLength)) == ["e004", "e003", "e002", "e001", "e000"])
  }

  /// The example [A,B,C,D] of the documentation, and edge cases.
  @Test(
    arguments: FetchFixture.Kind.allCases,
    [
      (0, nil, [0, 1, 2, 3]), (1, nil, [1, 2, 3]), (3, nil, [3]), (4, nil, []), (5, nil, []),
      (Int.max, nil, []), (nil, nil, [0, 1, 2, 3]), (-1, nil, [0, 1, 2, 3]), (0, 0, []),
      (0, 2, [0, 1]), (0, 4, [0, 1, 2, 3]), (0, Int.max, [0, 1, 2, 3]), (1, 2, [1, 2]),
      (3, 2, [3]), (4, 2, []), (0, -1, []), (Int.max, Int.max, []), (1, Int.max, [1, 2, 3]),
    ] as [(Int?, Int?, [Int])])
  func S076_S077_limitAndOffsetCapAndSkip(
    _ kind: FetchFixture.Kind, _ page: (offset: Int?, limit: Int?, expected: [Int])
  ) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(4)
    var descriptor = FetchDescriptor.byCode
    descriptor.fetchOffset = page.offset
    descriptor.fetchLimit = page.limit
    let expected = page.expected.map(code)
    let context = fixture.context
    #expect(try codes(context.fetch(descriptor)) == expected)
    #expect(try context.fetchCount(descriptor) == expected.count)
    #expect(try context.fetchIdentifiers(descriptor).count == expected.count)
    #expect(try codes(Array(context.fetch(descriptor, batchSize: 2))) == expected)
    // Repeat with pending changes, which are merged.
    context.insert(Excursion(code: "a"))
    descriptor.fetchOffset = page.offset.map { $0 < 0 || $0 == .max ? $0 : $0 + 1 } ?? 1
    if page.offset != nil, page.offset != -1 {
      #expect(try codes(context.fetch(descriptor)) == expected)
      #expect(try context.fetchCount(descriptor) == expected.count)
    }
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func S078_pendingChangesAreIncludedUnlessExcludedByTheDescriptor(
    _ kind: FetchFixture.Kind
  ) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(4)
    let context = fixture.context
    let all = try context.fetch(.byCode)
    all[0].length = 50
    all[3].length = 0
    context.delete(all[1])
    context.insert(Excursion(code: "new", length: 60))
    var descriptor = FetchDescriptor<Excursion>(
      predicate: #Predicate { $0.length >= 1 }, sortBy: [SortDescriptor(\.code)])
    let now = ["e000", "e002", "new"]
    let stored = ["e001", "e002", "e003"]
    for (includes, expected) in [(true, now), (false, stored)] {
      descriptor.includePendingChanges = includes
      let found = try context.fetch(descriptor)
      #expect(codes(found) == expected)
      #expect(try context.fetchCount(descriptor) == expected.count)
      #expect(try context.fetchIdentifiers(descriptor) == found.map(\.persistentModelID))
      var unsorted = descriptor
      unsorted.sortBy = []
      #expect(
        try Set(context.fetchIdentifiers(unsorted)) == Set(found.map(\.persistentModelID)))
      unsorted.fetchOffset = 1
      #expect(
        try context.fetchIdentifiers(unsorted)
          == context.fetch(unsorted).map(\.persistentModelID))
    }
  }

  @Test func S081_fetchCountEqualsTheFetchAndCreatesNoModels() throws {
    let fixture = try FetchFixture()
    try fixture.fill(7)
    var descriptor = FetchDescriptor<Excursion>(predicate: #Predicate { $0.length > 1 })
    let queries = try fixture.queries { () throws in
      #expect(try fixture.context.fetchCount(descriptor) == 5)
      fixture.context.insert(Excursion(code: "x", length: 9))
      #expect(try fixture.context.fetchCount(descriptor) == 6)
      descriptor.fetchLimit = 4
      #expect(try fixture.context.fetchCount(descriptor) == 4)
    }
    #expect(queries.count == 3)
    #expect(fixture.context.debugDescription.hasSuffix("registered: 1)"))
    fixture.context.rollback()
    descriptor.fetchLimit = nil
    #expect(try fixture.context.fetch(descriptor).count == 5)
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func S082_fetchIdentifiersReturnsIdentifiersOfMatches(_ kind: FetchFixture.Kind) throws {
    let fixture = try FetchFixture(kind)
    try fixture.fill(6)
    let descriptor = FetchDescriptor<Excursion>(
      predicate: #Predicate { $0.length > 2 },
      sortBy: [SortDescriptor(\.length, order: .reverse)])
    let identifiers = try fixture.fresh().fetchIdentifiers(descriptor)
    #expect(
      try fixture.context.fetch(descriptor).map(\.persistentModelID) == identifiers)
    #expect(identifiers.count == 3 && Set(identifiers).count == 3)
  }

  @Test func descriptorsAreEqualIfTheirQueriesAreEqual() {
    let length = 3
    func descriptor(_ change: (inout FetchDescriptor<Excursion>) -> Void = { _ in })
      -> FetchDescriptor<Excursion>
    {
      var descriptor = FetchDescriptor<Excursion>(
        predicate: #Predicate { $0.length > length }, sortBy: [SortDescriptor(\.code)])
      change(&descriptor)
      return descriptor
    }
    #expect(descriptor() == descriptor())
    let changes: [(inout FetchDescriptor<Excursion>) -> Void] = [
      { $0.predicate = nil }, { $0.predicate = #Predicate { $0.length > 4 } },
      { $0.sortBy = [SortDescriptor(\.code, order: .reverse)] }, { $0.sortBy = [] },
      { $0.fetchLimit = 1 }, { $0.fetchOffset = 1 }, { $0.includePendingChanges = false },
      { $0.propertiesToFetch = [\.code] }, { $0.relationshipKeyPathsForPrefetching = [\.legs] },
    ]
    for change in changes { #expect(descriptor(change) != descriptor()) }
  }
}
