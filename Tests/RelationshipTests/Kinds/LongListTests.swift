import Foundation
import TestSupport
import Testing
import Trellis

/// Lists of many members with removals, insertions and comparisons that do not visit each member.
@Suite struct LongListTests {
  /// A city with a loaded list of residents.
  private static func city(_ count: Int, in context: ModelContext) throws -> (City, [Person]) {
    let city = City(name: "c", residents: (0..<count).map { Person(name: "p\($0)") })
    context.insert(city)
    try context.save()
    return (city, city.residents)
  }

  private static func areSame(_ found: [Person], _ expected: [Person]) -> Bool {
    found.count == expected.count && zip(found, expected).allSatisfy { $0 === $1 }
  }

  @Test(arguments: StoreKind.allCases)
  func membersAreRemovedAndReaddedInOrder(_ store: StoreKind) throws {
    let home = try StorePlace(store, City.self)
    let context = home.fresh()
    let (city, people) = try Self.city(200, in: context)
    var expected = people
    for step in [3, 5, 7] {
      for person in people.enumerated().filter({ $0.offset % step == 0 }).map(\.element) {
        person.home = nil
        expected.removeAll { $0 === person }
      }
      // A member that is removed and added before a read becomes the last one.
      let back = people[step * 2]
      back.home = city
      expected.append(back)
      #expect(Self.areSame(city.residents, expected))
    }
    try context.save()
    let stored = try home.fresh().fetch(FetchDescriptor<City>())
    #expect(Set(stored[0].residents.map(\.name)) == Set(expected.map(\.name)))
  }

  @Test func assignmentsWithACommonPrefixAndSuffixAreExact() throws {
    let home = try StorePlace(.memory, City.self)
    let context = home.fresh()
    let (city, people) = try Self.city(300, in: context)
    func check(_ expected: [Person], _ comment: Comment) {
      #expect(Self.areSame(city.residents, expected), comment)
      let homeless = people.filter { person in !expected.contains { $0 === person } }
      #expect(homeless.allSatisfy { $0.home == nil }, comment)
      #expect(expected.allSatisfy { $0.home === city }, comment)
    }
    city.residents.remove(at: 150)
    check(Array(people[..<150] + people[151...]), "one left in the middle")
    city.residents.insert(people[150], at: 10)
    check(Array(people[..<10] + [people[150]] + people[10..<150] + people[151...]), "it came back")
    city.residents = people
    check(people, "as before")
    city.residents.append(people[4])
    check(people, "named twice, at the end")
    city.residents = [people[299]] + people
    check([people[299]] + people[..<299], "named twice, at the beginning")
    city.residents.swapAt(1, 250)
    var swapped = [people[299]] + people[..<299]
    swapped.swapAt(1, 250)
    check(swapped, "swapped")
    city.residents = []
    check([], "empty")
  }

  /// A retained array does not change.
  @Test func retainedArraysDoNotChange() throws {
    let home = try StorePlace(.memory, City.self)
    let context = home.fresh()
    let (city, people) = try Self.city(100, in: context)
    let held = city.residents
    city.residents.append(Person(name: "new"))
    people[0].home = nil
    #expect(held.count == 100 && Self.areSame(held, people))
    var mine = city.residents
    mine.removeAll()
    #expect(city.residents.count == 100)
  }

  @Test func removedMembersAreReleased() throws {
    let home = try StorePlace(.memory, City.self)
    let context = home.fresh()
    weak var leaving: Person?
    let city = City(name: "c")
    context.insert(city)
    try {
      let people = (0..<100).map { Person(name: "p\($0)") }
      city.residents = people
      try context.save()
      leaving = people[50]
      people[50].home = nil
      try context.save()
    }()
    #expect(leaving == nil)
    #expect(city.residents.count == 99)
  }

  @Test func listEditsTakeConstantTime() throws {
    func time(_ count: Int) throws -> Duration {
      let home = try StorePlace(.memory, City.self)
      let context = home.fresh()
      let (city, people) = try Self.city(count, in: context)
      let other = City(name: "d")
      context.insert(other)
      var start = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
      for person in people { person.home = other }
      for person in people { person.home = city }
      try context.save()
      var end = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
      return .seconds(end.tv_sec - start.tv_sec) + .nanoseconds(end.tv_nsec - start.tv_nsec)
    }
    let count = Repetitions.isThorough ? 1_000 : 500
    let small = try (0..<3).map { _ in try time(count) }.min() ?? .zero
    // Ten times as many members would take a hundred times as long if each visited all others. Measure again if a busy
    // machine slowed down the first run.
    var large = try time(10 * count)
    if large >= small * 35 { large = min(large, try time(10 * count)) }
    #expect(large < small * 35, "\(small), \(large)")
  }
}
