import Foundation
import Testing
import Trellis

@testable import TestStores

/// Invalid input must be rejected.
@Suite struct HostileBatchTests {
  private static func stores() throws -> [ModelContainer] {
    try [
      BatchFixture.container(ModelConfiguration(isStoredInMemoryOnly: true)),
      BatchFixture.container(SnapshotStore.Configuration(name: UUID().uuidString)),
    ]
  }

  private func chain(_ context: ModelContext) throws -> String {
    let links = try context.fetch(FetchDescriptor<Link>(sortBy: [SortDescriptor(\.name)]))
    return links.map { "\($0.previous?.name ?? "-")<\($0.name)>\($0.next?.name ?? "-")" }
      .joined(separator: " ")
  }

  /// One-to-one relationships can be set from either end, in any order.
  @Test func chainsCanBeLinkedFromEitherEnd() throws {
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
          // A model that is no longer referenced has no partner.
          try context.upsert(contentsOf: [Link.Snapshot(name: "b")])
          #expect(try chain(ModelContext(container)).hasPrefix("-<a>- -<b>- -<c>"))
          for link in try context.all(Link.self) { context.delete(link) }
          try context.save()
        }
      }
    }
  }

  @Test func theLastReferenceToAPartnerWins() throws {
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

  /// An identifier of another model can have the number of an existing row and must be rejected.
  @Test func identifiersOfOtherModelsAreRejected() throws {
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

  /// A snapshot of the base class does not contain all values of a dog, so every store rejects it.
  @Test func errorsNameTheSubclassOfARow() throws {
    for container in try Self.stores() {
      let context = ModelContext(container)
      try context.insert(contentsOf: [Dog.Snapshot(name: "Rex", breed: "pug")])
      let animals = try context.fetchSnapshots(as: Animal.Snapshot.self)
      let error = failure { try context.upsert(contentsOf: animals) }
      #expect(error?.details.first?.reason.contains("is a Dog") == true)
      #expect(error?.details.first?.reason.contains("'Dog.Snapshot'") == true)
      // Without an identifier, it is another animal with an equal name.
      let other = failure { try context.upsert(contentsOf: [Animal.Snapshot(name: "Rex", legs: 3)]) }
      #expect(other?.details.first?.rule == .unique)
      #expect(try context.all(Dog.self).map(\.legs) == [4] && context.count(Animal.self) == 1)
    }
  }

  /// Moving the last members from a list with a minimum count is an error, as with models.
  @Test func theFormerOwnerIsValidated() throws {
    for container in try Self.stores() {
      let context = ModelContext(container)
      for title in ["x", "y"] {
        context.insert(Party(title: title, guests: [Guest(name: "\(title)1"), Guest(name: "\(title)2")]))
      }
      try context.save()
      let parties = try context.fetch(FetchDescriptor<Party>(sortBy: [SortDescriptor(\.title)]))
      let (x, y) = (parties[0].persistentModelID, parties[1].persistentModelID)
      func guests(of party: PersistentIdentifier, movedTo other: PersistentIdentifier?) throws -> [Guest.Snapshot] {
        try ModelContext(container).fetchSnapshots(as: Guest.Snapshot.self).filter { $0.party == party }
          .map { guest in
            var guest = guest
            guest.party = other
            return guest
          }
      }
      for target in [y, nil] {
        let all = try guests(of: x, movedTo: target)
        #expect(all.count == 2)
        let error = failure { try ModelContext(container).upsert(contentsOf: all) }
        #expect(error?.details.map(\.rule) == [.minimumModelCount], "\(error as Any)")
        #expect(error?.details.map(\.model) == [x] && error?.details.map(\.properties) == [["guests"]])
        #expect(error?.details.first?.reason == "holds 0 models, at least 1 are required")
      }
      // One member can be removed, and all members if others are added.
      try context.upsert(contentsOf: Array(guests(of: x, movedTo: y).prefix(1)))
      try context.upsert(contentsOf: guests(of: x, movedTo: y) + [Guest.Snapshot(name: "new", party: x)])
      let other = ModelContext(container)
      let lists = try other.fetch(
        FetchDescriptor<Party>(sortBy: [SortDescriptor(\.title)]))
      #expect(lists.map(\.guests.count) == [1, 4] && lists[0].guests[0].name == "new")
    }
  }

  /// The check also applies to rows that are matched by a unique value, with and without an index that detects the
  /// conflict.
  @Test(arguments: [false, true]) func theFormerOwnerIsValidatedForRowsMatchedByUniqueValues(isHidden: Bool) throws {
    for container in try Self.stores() {
      let context = ModelContext(container)
      let composed = "caf\u{e9}"
      let decomposed = "cafe\u{301}"
      context.insert(Crew(title: "x", sailors: [Sailor(name: isHidden ? decomposed : composed)]))
      context.insert(Crew(title: "y", sailors: [Sailor(name: "other")]))
      try context.save()
      let crews = try context.fetch(FetchDescriptor<Crew>(sortBy: [SortDescriptor(\.title)]))
      let ids = crews.map(\.persistentModelID)
      let error = failure {
        try context.upsert(contentsOf: [Sailor.Snapshot(name: composed, crew: ids[1])])
      }
      #expect(error?.details.map(\.model) == [ids[0]], "\(error as Any)")
      #expect(error?.details.map(\.rule) == [.minimumModelCount])
      // A save of models is checked, too.
      let other = ModelContext(container)
      other.insert(Sailor(name: composed, crew: other.model(for: ids[1]) as? Crew))
      #expect(failure { try other.save() }?.details.map(\.model) == [ids[0]])
      // With a replacement in the list, the member can be moved, and becomes the last one.
      try context.upsert(contentsOf: [
        Sailor.Snapshot(name: "new", crew: ids[0]), Sailor.Snapshot(name: composed, crew: ids[1]),
        Sailor.Snapshot(name: "last", crew: ids[1]),
      ])
      let after = try ModelContext(container).fetch(FetchDescriptor<Crew>(sortBy: [SortDescriptor(\.title)]))
      #expect(after.map { $0.sailors.map(\.name) } == [["new"], ["other", composed, "last"]])
    }
  }

  /// Members that an upsert moves to another ordered list become the last ones.
  @Test func movedMembersAreAppended() throws {
    let fixture = try BatchFixture()
    let clubs = try fixture.context.insert(
      contentsOf: ["x", "y"].map { Club.Snapshot(title: $0) }
    ).identifiers
    try fixture.context.insert(
      contentsOf: (0..<6).map { Match.Snapshot(place: "\($0)", number: $0, club: clubs[$0 / 3]) })
    // Matched by unique values, by identifier, and one member that stays.
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

  /// An in-memory store has one connection, which the sequence can query. Rows that are rolled back must be removed
  /// from caches before their keys are reused.
  @Test(arguments: [false, true]) func rowsOfAFailedBatchAreRemovedFromCaches(inMemory: Bool) throws {
    struct Stop: Error {}
    let fixture = try BatchFixture(inMemory: inMemory)
    let context = fixture.context
    var seen: [Reading] = []
    #expect(throws: Stop.self) {
      try context.insert(
        contentsOf: (0..<5).lazy.map { number in
          seen = (try? context.all(Reading.self)) ?? []
          return Reading.Snapshot(place: "lost \(number)", value: 0)
        }, chunkSize: 5
      ) { _ in throw Stop() }
    }
    try context.insert(contentsOf: (0..<5).map { Reading.Snapshot(place: "\($0)", value: 1) })
    for reading in seen { reading.value = 9 }
    try context.save()
    let readings = try context.fetch(FetchDescriptor<Reading>(sortBy: [SortDescriptor(\.place)]))
    #expect(readings.map(\.place) == ["0", "1", "2", "3", "4"])
    #expect(try fixture.other.all(Reading.self).allSatisfy { $0.value == 1 })
  }

  @Test func savingWithinABatchThrowsContextInUse() throws {
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

  /// Rows in stores without constraints are matched by their current values.
  @Test func renamedRowsAreNotMatchedByTheirOldName() throws {
    let container = try BatchFixture.container(
      SnapshotStore.Configuration(name: UUID().uuidString))
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

  /// JSON cannot express NaN, so the batch is rejected.
  @Test func nanDecimalsInCollectionsAreRejected() throws {
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
