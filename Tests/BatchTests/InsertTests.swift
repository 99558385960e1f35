import Foundation
import Testing
import Trellis

@Suite struct InsertTests {
  @Test(arguments: [false, true]) func batchesInsertRows(inMemory: Bool) throws {
    let fixture = try BatchFixture(inMemory: inMemory)
    let result = try fixture.context.insert(
      contentsOf: (0..<10_000).lazy.map {
        Reading.Snapshot(place: "p\($0)", value: Double($0), note: $0 % 2 == 0 ? nil : "n")
      })
    #expect(result.count == 10_000)
    #expect(result.insertedCount == 10_000)
    #expect(result.updatedCount == 0)
    let readings = try fixture.context.all(Reading.self)
    #expect(readings.count == 10_000)
    for (number, reading) in readings.enumerated() {
      #expect(reading.place == "p\(number)" && reading.value == Double(number))
      #expect(reading.note == (number % 2 == 0 ? nil : "n"))
      #expect(result.identifiers[number] == reading.persistentModelID)
    }
    #expect(!fixture.context.hasChanges)
  }

  @Test func errorsLeaveNoRows() throws {
    struct Stop: Error {}
    let fixture = try BatchFixture()
    #expect(throws: Stop.self) {
      try fixture.context.insert(
        contentsOf: (0..<1_000).lazy.map { Reading.Snapshot(place: "p\($0)", value: 0) },
        chunkSize: 100
      ) { if $0 >= 500 { throw Stop() } }
    }
    #expect(try fixture.context.count(Reading.self) == 0)
    // Unused keys are used now.
    let result = try fixture.context.insert(contentsOf: [Reading.Snapshot(place: "x", value: 1)])
    #expect(try fixture.context.all(Reading.self).map(\.persistentModelID) == Array(result.identifiers))
  }

  @Test func progressReportsRowCounts() throws {
    let fixture = try BatchFixture()
    var counts: [Int] = []
    try fixture.context.insert(
      contentsOf: (0..<25).map { Reading.Snapshot(place: "\($0)", value: 0) }, chunkSize: 10
    ) { counts.append($0) }
    #expect(counts == [10, 20])
  }

  /// After about a second without progress, people think that a program hangs.
  @Test func progressOfSlowSequencesIsReportedEverySecond() throws {
    let fixture = try BatchFixture()
    var counts: [Int] = []
    try fixture.context.insert(
      contentsOf: (0..<5).lazy.map { number in
        if number == 3 { usleep(1_050_000) }
        return Reading.Snapshot(place: "\(number)", value: 0)
      }
    ) { counts.append($0) }
    #expect(counts == [4])
  }

  @Test func emptyBatchesAreAccepted() throws {
    let fixture = try BatchFixture()
    let result = try fixture.context.insert(contentsOf: [Reading.Snapshot]())
    #expect(result.count == 0)
    #expect(Array(result.identifiers).isEmpty)
  }

  @Test func referencesWithinABatchCanPointBothWays() throws {
    let fixture = try BatchFixture()
    // Each person refers to the next one, and every tenth to a distant one.
    let identifiers = (0..<9_000).map { Person.Snapshot(name: "p\($0)").persistentIdentifier }
    let people = (0..<9_000).map { number in
      Person.Snapshot(
        persistentIdentifier: identifiers[number], name: "p\(number)",
        mentor: number % 10 == 3
          ? identifiers[number / 2] : number + 1 < 9_000 ? identifiers[number + 1] : nil)
    }
    try fixture.context.insert(contentsOf: people)
    let saved = try fixture.other.fetch(
      FetchDescriptor<Person>(sortBy: [SortDescriptor(\.persistentModelID)]))
    #expect(saved.count == 9_000)
    let byName = Dictionary(uniqueKeysWithValues: saved.map { ($0.name, $0) })
    for number in 0..<9_000 {
      let expected =
        number % 10 == 3 ? "p\(number / 2)" : number + 1 < 9_000 ? "p\(number + 1)" : nil
      #expect(byName["p\(number)"]?.mentor?.name == expected)
    }
  }

  @Test func danglingReferencesAreRejected() throws {
    let fixture = try BatchFixture()
    let stranger = Person.Snapshot(name: "nobody")
    let error = failure {
      try fixture.context.insert(
        contentsOf: [Person.Snapshot(name: "a", mentor: stranger.persistentIdentifier)])
    }
    #expect(error == .modelValidationFailure)
    #expect(error?.explanation?.contains("same batch") == true, "\(String(describing: error))")
    #expect(try fixture.context.count(Person.self) == 0)
    // One reference has a deleted destination.
    let gone = Person(name: "gone")
    fixture.context.insert(gone)
    try fixture.context.save()
    let identifier = gone.persistentModelID
    fixture.context.delete(gone)
    try fixture.context.save()
    let second = failure {
      try fixture.context.insert(contentsOf: [Person.Snapshot(name: "a", mentor: identifier)])
    }
    #expect(second?.details.first?.rule == .required)
    #expect(try fixture.context.count(Person.self) == 0)
  }

  @Test func missingRequiredReferencesAreRejected() throws {
    let fixture = try BatchFixture()
    let error = failure {
      try fixture.context.insert(contentsOf: [
        Line.Snapshot(text: "a", order: nil), Line.Snapshot(text: "b", order: nil),
      ])
    }
    #expect(error?.details.count == 2)
    #expect(error?.details.allSatisfy { $0.rule == .required && $0.property == "order" } == true)
  }

  @Test func modelCountsAreValidated() throws {
    let fixture = try BatchFixture()
    let orders = try fixture.context.insert(contentsOf: [
      Order.Snapshot(number: 1), Order.Snapshot(number: 2),
    ]).identifiers
    try fixture.context.insert(
      contentsOf: (0..<3).map { Line.Snapshot(text: "\($0)", order: orders[0]) })
    let error = failure {
      try fixture.context.insert(
        contentsOf: (0..<4).map { Line.Snapshot(text: "\($0)", order: orders[$0 == 0 ? 0 : 1]) })
    }
    #expect(error?.details.map(\.model) == [orders[0]])
    #expect(error?.details.first?.rule == .maximumModelCount)
    #expect(try fixture.context.count(Line.self) == 3)
    let lonely = failure {
      try fixture.context.insert(contentsOf: [Party.Snapshot(title: "a")])
    }
    #expect(lonely?.details.first?.rule == .minimumModelCount)
  }

  @Test func listsDerivedFromAnInverseAreRejected() throws {
    let fixture = try BatchFixture()
    let member = Match(place: "x")
    fixture.context.insert(member)
    try fixture.context.save()
    let error = failure {
      try fixture.context.insert(
        contentsOf: [Club.Snapshot(title: "a", matches: [member.persistentModelID])])
    }
    #expect(error?.details.first?.property == "matches")
    #expect(error?.details.first?.reason.contains("'club'") == true)
  }

  @Test func manyToManyListsAreWritten() throws {
    let fixture = try BatchFixture()
    let people = try fixture.context.insert(
      contentsOf: ["a", "b", "c"].map { Person.Snapshot(name: $0) }
    ).identifiers
    try fixture.context.insert(contentsOf: [
      Club.Snapshot(title: "x", members: [people[0], people[2]]),
      Club.Snapshot(title: "y", members: [people[2]]), Club.Snapshot(title: "z"),
    ])
    let clubs = try fixture.other.fetch(FetchDescriptor<Club>(sortBy: [SortDescriptor(\.title)]))
    #expect(clubs.map { Set($0.members.map(\.name)) } == [["a", "c"], ["c"], []])
    let c = try fixture.other.fetch(
      FetchDescriptor<Person>(predicate: #Predicate { $0.name == "c" }))
    #expect(Set(c[0].clubs.map(\.title)) == ["x", "y"])
  }

  @Test func membersAreAppendedToOrderedLists() throws {
    let fixture = try BatchFixture()
    let club = Club(title: "a", matches: [Match(place: "second"), Match(place: "first")])
    fixture.context.insert(club)
    try fixture.context.save()
    #expect(club.matches.map(\.place) == ["second", "first"])
    try fixture.context.insert(
      contentsOf: ["third", "fourth"].map {
        Match.Snapshot(place: $0, club: club.persistentModelID)
      })
    #expect(club.matches.map(\.place) == ["second", "first", "third", "fourth"])
    let other = try fixture.other.all(Club.self)
    #expect(other[0].matches.map(\.place) == ["second", "first", "third", "fourth"])
    // The members keep their order after a later change.
    club.matches.swapAt(0, 3)
    try fixture.context.save()
    #expect(
      try fixture.other.all(Club.self)[0].matches.map(\.place)
        == ["fourth", "first", "third", "second"])
  }

  @Test func oneToOneReferencesReplaceEarlierPartners() throws {
    let fixture = try BatchFixture()
    let ada = Person(name: "Ada", passport: Passport(number: "old"))
    let ben = Person(name: "Ben")
    fixture.context.insert(ada)
    fixture.context.insert(ben)
    try fixture.context.save()
    let old = try #require(ada.passport)
    try fixture.context.insert(contentsOf: [
      Passport.Snapshot(number: "lost", owner: ben.persistentModelID),
      Passport.Snapshot(number: "new", owner: ada.persistentModelID),
      Passport.Snapshot(number: "last", owner: ben.persistentModelID),
    ])
    #expect(ada.passport?.number == "new")
    #expect(ben.passport?.number == "last")
    #expect(old.owner == nil)
    let passports = try fixture.other.fetch(
      FetchDescriptor<Passport>(sortBy: [SortDescriptor(\.number)]))
    #expect(passports.map(\.number) == ["last", "lost", "new", "old"])
    #expect(passports.map { $0.owner?.name } == ["Ben", nil, "Ada", nil])
    #expect(passports.map { $0.owner?.passport?.number } == ["last", nil, "new", nil])
  }

  @Test func externalDataIsWrittenToFiles() throws {
    let fixture = try BatchFixture()
    let images = (0..<5).map { Data(repeating: UInt8($0), count: 200_000 * $0) }
    try fixture.context.insert(
      contentsOf: images.enumerated().map {
        Scan.Snapshot(
          title: "\($0.offset)", image: $0.element, tags: ["t"],
          place: Place(latitude: 1, longitude: Double($0.offset)))
      })
    let scans = try fixture.other.fetch(FetchDescriptor<Scan>(sortBy: [SortDescriptor(\.title)]))
    #expect(scans.map(\.image) == images)
    #expect(scans.map { $0.place?.longitude } == [0, 1, 2, 3, 4])
    #expect(scans.allSatisfy { $0.preview == nil && $0.tags == ["t"] })
  }

  @Test func subclassesShareTheTableOfTheirHierarchy() throws {
    let fixture = try BatchFixture()
    let mother = Dog.Snapshot(name: "Bella", breed: "Beagle")
    try fixture.context.insert(contentsOf: [
      Dog.Snapshot(
        name: "Rex", breed: "Beagle", isTrained: true, mother: mother.persistentIdentifier),
      mother,
    ])
    try fixture.context.insert(contentsOf: [Animal.Snapshot(name: "Tom")])
    let animals = try fixture.other.fetch(FetchDescriptor<Animal>(sortBy: [SortDescriptor(\.name)]))
    #expect(animals.map(\.name) == ["Bella", "Rex", "Tom"])
    let rex = try #require(animals[1] as? Dog)
    #expect(rex.isTrained && rex.mother?.name == "Bella" && rex.legs == 4)
    #expect(rex.mother?.puppies == [rex])
  }

  @Test func savedIdentifiersAreRejectedByInsert() throws {
    let fixture = try BatchFixture()
    let reading = try fixture.context.insert(contentsOf: [Reading.Snapshot(place: "a", value: 1)])
    let error = failure {
      try fixture.context.insert(contentsOf: [
        Reading.Snapshot(persistentIdentifier: reading.identifiers[0], place: "b", value: 2)
      ])
    }
    #expect(error?.details.first?.reason.contains("upsert(contentsOf:)") == true)
  }

  @Test func rowsFromAnotherStoreGetNewIdentifiers() throws {
    let first = try BatchFixture()
    let second = try BatchFixture()
    let there = try first.context.insert(contentsOf: [Reading.Snapshot(place: "a", value: 1)])
    let here = try second.context.insert(contentsOf: [
      Reading.Snapshot(persistentIdentifier: there.identifiers[0], place: "a", value: 1)
    ])
    #expect(here.identifiers[0] != there.identifiers[0])
    #expect(try second.context.all(Reading.self).map(\.place) == ["a"])
  }
}
