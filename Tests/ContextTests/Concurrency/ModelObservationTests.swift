import Foundation
import Observation
import Testing
import Trellis

/// S001: models are observable, and a change notifies exactly the readers of the changed property.
@Suite(.timeLimit(.minutes(60))) struct ModelObservationTests {
  let stage: Stage
  let context: ModelContext
  let band: Band
  let other: Band
  let gig: Gig

  init() throws {
    stage = try Stage()
    context = stage.context()
    band = Band(name: "Abba", genre: "pop")
    other = Band(name: "Europe")
    gig = Gig(city: "Malmö")
    band.gigs = [gig]
    context.insert(band)
    context.insert(other)
    try context.save()
  }

  /// The number of notifications of each reader during `change`.
  private func told(
    _ readers: [() -> Void], during change: () throws -> Void
  ) rethrows -> [Int] {
    let counts = readers.map { read in
      let count = Counter()
      withObservationTracking(read) { count.add() }
      return count
    }
    try change()
    return counts.map { $0.count }
  }

  /// The numbers of notifications for the observers of a band's name, genre, gigs and manager, and of another band's
  /// name.
  private func told(during change: () throws -> Void) rethrows -> [Int] {
    try told(
      [
        { _ = band.name }, { _ = band.genre }, { _ = band.gigs }, { _ = band.manager },
        { _ = other.name },
      ], during: change)
  }

  @Test func S001_onlyTheChangedPropertyNotifiesOnce() {
    #expect(told { band.name = "ABBA" } == [1, 0, 0, 0, 0])
    #expect(told { band.genre = "disco" } == [0, 1, 0, 0, 0])
    #expect(told { band.founded = 1972 } == [0, 0, 0, 0, 0])
    #expect(told { other.name = "The Final Countdown" } == [0, 0, 0, 0, 1])
  }

  @Test func S001_bothEndsOfARelationshipNotify() {
    let second = Gig(city: "Lund")
    #expect(told { band.gigs.append(second) } == [0, 0, 1, 0, 0])
    #expect(told([{ _ = second.band }]) { band.gigs.removeAll { $0 === second } } == [1])
    #expect(told { second.band = band } == [0, 0, 1, 0, 0])
    let manager = Manager(name: "Stig")
    context.insert(manager)
    #expect(told([{ _ = manager.bands }, { _ = band.manager }]) { band.manager = manager } == [1, 1])
    #expect(told { manager.bands = [] } == [0, 0, 0, 1, 0])
  }

  @Test func S001_rollbackNotifiesForRevertedProperties() {
    band.name = "ABBA"
    #expect(told { context.rollback() } == [1, 0, 0, 0, 0])
    band.gigs = []
    #expect(told { context.rollback() } == [0, 0, 1, 0, 0])
    band.name = "x"
    band.name = "Abba"
    #expect(told { context.rollback() } == [0, 0, 0, 0, 0])
  }

  @Test func S001_commitsOfOtherContextsNotifyForChangedProperties() throws {
    let id = band.persistentModelID
    let look = { _ = try context.fetchCount(FetchDescriptor<Account>()) }
    let commits: [(expected: [Int], edit: (Band) -> Void)] = [
      ([1, 0, 0, 0, 0], { $0.name = "ABBA" }),
      ([0, 1, 0, 0, 0], { $0.genre = "disco" }),
      ([0, 0, 0, 0, 0], { $0.notes = "!" }),
      ([0, 0, 1, 0, 0], { $0.gigs.append(Gig(city: "Lund")) }),
      ([0, 0, 0, 0, 0], { $0.gigs[0].fee += 1 }),
      ([0, 0, 0, 1, 0], { $0.manager = Manager(name: "Stig") }),
      ([0, 0, 1, 0, 0], { $0.gigs.removeLast() }),
    ]
    for (number, commit) in commits.enumerated() {
      let told = try told {
        try stage.edit(id, commit.edit)
        try look()
      }
      #expect(told == commit.expected, "commit \(number)")
    }
    #expect(band.gigs.count == 1 && band.name == "ABBA")
    // Changes of another band's gigs do not notify this observer.
    let elsewhere = try told {
      try stage.edit(other.persistentModelID) { $0.gigs.append(Gig(city: "Stockholm")) }
      try look()
    }
    #expect(elsewhere == [0, 0, 0, 0, 0])
    #expect(other.gigs.count == 1)
  }

  @Test func S001_deletionNotifies() throws {
    #expect(told { context.delete(gig) } == [0, 0, 1, 0, 0])
    #expect(band.gigs.isEmpty)
    #expect(told { context.rollback() } == [0, 0, 1, 0, 0])
    #expect(band.gigs.count == 1)
    #expect(told([{ _ = gig.band }]) { context.delete(band) } == [1])
  }

  @Test func S001_computedPropertiesNotifyThroughTheirDependencies() {
    #expect(told([{ _ = band.title }]) { band.genre = "disco" } == [1])
    #expect(told([{ _ = band.title }]) { band.founded = 1 } == [0])
  }

  @Test func S001_inheritedPropertiesNotify() throws {
    let festival = Festival(name: "Roskilde", stages: 7)
    context.insert(festival)
    try context.save()
    let readers: [() -> Void] = [{ _ = festival.name }, { _ = festival.stages }]
    #expect(told(readers) { festival.name = "R" } == [1, 0])
    #expect(told(readers) { context.rollback() } == [1, 0])
    let edited = try told(readers) {
      try stage.edit(festival.persistentModelID, as: Festival.self) { $0.name = "Orange" }
      _ = try context.fetchCount(FetchDescriptor<Account>())
    }
    #expect(edited == [1, 0])
    #expect(festival.name == "Orange")
    // The inverse of an inherited list is updated, too.
    let gig = Gig(city: "Roskilde")
    #expect(told([{ _ = festival.gigs }]) { gig.band = festival } == [1])
  }

  @Test func trackingOnceNotifiesOnce() {
    let count = Counter()
    withObservationTracking {
      _ = band.name
    } onChange: {
      count.add()
    }
    for number in 0..<5 { band.name = "\(number)" }
    #expect(count.count == 1)
  }

  @Test @MainActor func observationsDeliverValues() async throws {
    let stage = try Stage()
    let context = stage.container.mainContext
    let band = Band(name: "first")
    context.insert(band)
    let started = StopFlag()
    let names = Task { @MainActor in
      var names: [String] = []
      for await name in Observations({ band.name }) {
        names.append(name)
        started.raise()
        if name == "last" { break }
      }
      return names
    }
    while !started.isRaised { await Task.yield() }
    band.name = "last"
    let seen = await names.value
    #expect(seen.first == "first" && seen.last == "last")
  }
}
