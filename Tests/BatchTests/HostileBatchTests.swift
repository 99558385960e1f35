import Foundation
import Testing
import Trellis

/// What nobody would pass on purpose, and what it must not do.
@Suite struct HostileBatchTests {
  private static func stores() throws -> [ModelContainer] {
    try [
      BatchFixture.container(ModelConfiguration(isStoredInMemoryOnly: true)),
      BatchFixture.container(MemoryStore.Configuration(name: UUID().uuidString)),
    ]
  }

  private func chain(_ context: ModelContext) throws -> String {
    let links = try context.fetch(FetchDescriptor<Link>(sortBy: [SortDescriptor(\.name)]))
    return links.map { "\($0.previous?.name ?? "-")<\($0.name)>\($0.next?.name ?? "-")" }
      .joined(separator: " ")
  }

  /// Pairs are pairs whichever end names the other one, before it or after it.
  @Test func aChainIsOneWhicheverEndNamesIt() throws {
    for container in try Self.stores() {
      for isForward in [true, false] {
        for isLazy in [true, false] {
          let context = ModelContext(container)
          var links = ["a", "b", "c", "d"].map { Link.Snapshot(name: $0) }
          for index in 1..<4 {
            if isForward {
              links[index - 1].next = links[index].persistentIdentifier
            } else {
              links[index].previous = links[index - 1].persistentIdentifier
            }
          }
          for round in 0..<2 {
            if isLazy {
              try context.upsert(contentsOf: links.lazy.map { $0 })
            } else {
              try context.upsert(contentsOf: links)
            }
            let other = ModelContext(container)
            #expect(try chain(other) == "-<a>b a<b>c b<c>d c<d>-", "\(isForward) \(isLazy) \(round)")
            #expect(try chain(context) == chain(other))
          }
          // Whoever is named by nobody any more is alone.
          try context.upsert(contentsOf: [Link.Snapshot(name: "b")])
          #expect(try chain(ModelContext(container)).hasPrefix("-<a>- -<b>- -<c>"))
          for link in try context.all(Link.self) { context.delete(link) }
          try context.save()
        }
      }
    }
  }

  @Test func theLastThatNamesAPartnerHasIt() throws {
    for container in try Self.stores() {
      let context = ModelContext(container)
      var (a, b, c) = (Link.Snapshot(name: "a"), Link.Snapshot(name: "b"), Link.Snapshot(name: "c"))
      a.next = b.persistentIdentifier
      b.previous = c.persistentIdentifier
      c.next = c.persistentIdentifier
      try context.insert(contentsOf: [c, a, b])
      let other = ModelContext(container)
      #expect(try chain(other) == "-<a>- c<b>- -<c>b")
    }
  }

  /// An identifier of another model has the same number as some row, and must not be taken for it.
  @Test func identifiersOfOtherModelsAreRefused() throws {
    for container in try Self.stores() {
      let context = ModelContext(container)
      let club = try context.insert(contentsOf: [Club.Snapshot(title: "chess")]).identifiers[0]
      try context.insert(contentsOf: [Coin.Snapshot(number: 1, metal: "gold")])
      try context.insert(contentsOf: [Person.Snapshot(name: "Ada")])
      let coin = Coin.Snapshot(persistentIdentifier: club, number: 2, metal: "lead")
      #expect(failure { try context.upsert(contentsOf: [coin]) } != nil)
      let pass = Passport.Snapshot(number: "1", owner: club)
      #expect(failure { try context.insert(contentsOf: [pass]) } != nil)
      let list = Club.Snapshot(title: "go", members: [club])
      #expect(failure { try context.insert(contentsOf: [list]) } != nil)
      #expect(try context.all(Coin.self).map(\.metal) == ["gold"])
      let new = Coin.Snapshot(
        persistentIdentifier: Club.Snapshot(title: "none").persistentIdentifier, number: 3)
      let saved = try context.insert(contentsOf: [new]).identifiers[0]
      #expect((context.model(for: saved) as? Coin)?.number == 3)
      #expect(try context.count(Passport.self) == 0 && context.count(Club.self) == 1)
    }
  }

  @Test func rowsOfSubclassesAreNamed() throws {
    let fixture = try BatchFixture()
    try fixture.context.insert(contentsOf: [Dog.Snapshot(name: "Rex", breed: "pug")])
    let animals = try fixture.context.fetchSnapshots(as: Animal.Snapshot.self)
    let error = failure { try fixture.context.upsert(contentsOf: animals) }
    #expect(error?.details.first?.reason.contains("is of a Dog") == true)
  }

  /// Members that an upsert moves to another ordered list come last there.
  @Test func membersThatMoveComeLast() throws {
    let fixture = try BatchFixture()
    let clubs = try fixture.context.insert(
      contentsOf: ["x", "y"].map { Club.Snapshot(title: $0) }
    ).identifiers
    try fixture.context.insert(
      contentsOf: (0..<6).map { Match.Snapshot(place: "\($0)", number: $0, club: clubs[$0 / 3]) })
    // By unique values, by identifier, and one that stays where it is.
    let saved = try fixture.context.fetchSnapshots(
      FetchDescriptor<Match>(sortBy: [SortDescriptor(\.number)]), as: Match.Snapshot.self)
    var known = saved[1]
    known.club = clubs[1]
    try fixture.context.upsert(contentsOf: [
      Match.Snapshot(place: "zero", number: 0, club: clubs[1]), known, saved[3],
    ])
    let lists = try fixture.other.fetch(FetchDescriptor<Club>(sortBy: [SortDescriptor(\.title)]))
    #expect(lists.map { $0.matches.map(\.place) } == [["2"], ["3", "4", "5", "zero", "1"]])
  }

  /// In memory there is one connection, and the sequence may ask: rows that do not stay are forgotten,
  /// before others get their numbers.
  @Test(arguments: [false, true]) func whatAFailedBatchHasShownIsForgotten(inMemory: Bool) throws {
    struct Stop: Error {}
    let fixture = try BatchFixture(inMemory: inMemory)
    let context = fixture.context
    var seen: [Reading] = []
    #expect(throws: Stop.self) {
      try context.insert(
        contentsOf: (0..<5).lazy.map { number in
          seen = (try? context.all(Reading.self)) ?? []
          return Reading.Snapshot(place: "lost \(number)", value: 0)
        }, chunkSize: 5) { _ in throw Stop() }
    }
    try context.insert(contentsOf: (0..<5).map { Reading.Snapshot(place: "\($0)", value: 1) })
    for reading in seen { reading.value = 9 }
    try context.save()
    let readings = try context.fetch(FetchDescriptor<Reading>(sortBy: [SortDescriptor(\.place)]))
    #expect(readings.map(\.place) == ["0", "1", "2", "3", "4"])
    #expect(try fixture.other.all(Reading.self).allSatisfy { $0.value == 1 })
  }

  @Test func aSaveWithinABatchSaysWhy() throws {
    let fixture = try BatchFixture()
    let context = fixture.context
    context.insert(Reading(place: "pending", value: 0))
    var error: SwiftDataError?
    try context.insert(
      contentsOf: (0..<2).lazy.map { number in
        error = failure { try context.save() }
        return Reading.Snapshot(place: "\(number)", value: 1)
      })
    #expect(error == .contextInUse)
    try context.save()
    #expect(try fixture.other.count(Reading.self) == 3)
  }

  /// Stores that keep no constraints are matched by the values rows have now.
  @Test func aRenamedRowIsNotFoundByItsOldName() throws {
    let container = try BatchFixture.container(
      MemoryStore.Configuration(name: UUID().uuidString))
    let context = ModelContext(container)
    let saved = try context.insert(contentsOf: [Person.Snapshot(name: "x", age: 1)]).identifiers[0]
    let result = try context.upsert(contentsOf: [
      Person.Snapshot(persistentIdentifier: saved, name: "y", age: 2),
      Person.Snapshot(name: "x", age: 3),
    ])
    #expect(result.insertedCount == 1 && result.updatedCount == 1)
    let people = try context.fetch(FetchDescriptor<Person>(sortBy: [SortDescriptor(\.age)]))
    #expect(people.map(\.name) == ["y", "x"])
  }

  /// JSON has no NaN: a value nobody could read again is not written.
  @Test func decimalsThatAreNoNumbersAreRefusedWithinOthers() throws {
    let fixture = try BatchFixture()
    let link = Link(name: "a")
    link.weights = [1, .nan]
    fixture.context.insert(link)
    #expect(failure { try fixture.context.save() } == .modelValidationFailure)
    link.weights = [1]
    try fixture.context.save()
    #expect(try fixture.other.all(Link.self).map(\.weights) == [[1]])
  }
}
