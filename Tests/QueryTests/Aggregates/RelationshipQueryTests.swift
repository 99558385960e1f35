import Foundation
import RelationshipsGolden
import TestSupport
import Testing
import Trellis

@testable import TestWorlds

/// A relationship query returns the contents of the array without loading it.
@Suite struct RelationshipQueryTests {
  let fixture: AggregateFixture

  init() throws {
    fixture = try AggregateFixture()
    let context = fixture.fresh()
    for (name, count) in [("North", 5), ("South", 0), ("East", 2)] {
      let station = Station(name: name)
      context.insert(station)
      for index in 0..<count { context.insert(Self.measurement(index, station)) }
      for keeper in ["Zoe", "Adam", "Mia"].prefix(count) {
        let keeper = Keeper(name: keeper)
        context.insert(keeper)
        station.keepers.append(keeper)
      }
    }
    try context.save()
  }

  static func measurement(_ index: Int, _ station: Station?) -> Probe {
    let measurement = Probe(
      number: index * 10, small: 1, unsigned: 0, ratio: 0.5, price: 2,
      taken: Date(timeIntervalSinceReferenceDate: Double(100 - index)), label: "m\(index)",
      mark: "a", isValid: index % 2 == 0, grade: .low, token: UUID())
    measurement.station = station
    return measurement
  }

  private func station(_ name: String, _ context: ModelContext) throws -> Station {
    try #require(
      try context.fetch(FetchDescriptor<Station>(predicate: #Predicate { $0.name == name })).first)
  }

  @Test func countsWithoutLoading() throws {
    let context = fixture.fresh()
    let north = try station("North", context)
    let list = north.related(\.measurements)
    #expect(try list.count == 5)
    #expect(try !list.isEmpty)
    #expect(try list.filter(#Predicate { $0.isValid }).count == 3)
    #expect(try list.filter(#Predicate { $0.isValid }).filter(#Predicate { $0.number > 0 }).count == 2)
    #expect(try list.filter(#Predicate { $0.number > 100 }).isEmpty)
    #expect(try list.aggregate(.sum(\.number)) == 100)
    #expect(try north.related(\.keepers).count == 3)
    #expect(try station("South", context).related(\.measurements).isEmpty)
    let byValidity = try list.groups(by: \.isValid, computing: .count)
    #expect(byValidity.map(\.1) == [2, 3])
    // Only the station is registered.
    #expect(context.debugDescription.hasSuffix("registered: 1)"))
  }

  @Test func countsForAPageOfModels() throws {
    let context = fixture.fresh()
    let sorted = FetchDescriptor<Station>(sortBy: [SortDescriptor(\.name)])
    var stations = try context.fetch(sorted)
    #expect(stations.map(\.name) == ["East", "North", "South"])
    #expect(try context.counts(of: \.measurements, in: stations) == [2, 5, 0])
    #expect(try context.counts(of: \.keepers, in: stations) == [2, 3, 0])
    #expect(context.debugDescription.hasSuffix("registered: 3)"))
    // A pending member, an uninserted model and a model of another context.
    context.insert(Self.measurement(9, stations[2]))
    stations.append(Station(name: "Draft"))
    stations += try fixture.fresh().fetch(sorted).prefix(1)
    #expect(try context.counts(of: \.measurements, in: stations) == [2, 5, 1, 0, 2])
    #expect(try context.counts(of: \.measurements, in: [Station]()).isEmpty)
  }

  @Test func latestMember() throws {
    let context = fixture.fresh()
    let north = try station("North", context)
    let latest = try north.related(\.measurements)
      .first(sortedBy: SortDescriptor(\.taken, order: .reverse))
    #expect(latest?.label == "m0")
    #expect(context.debugDescription.hasSuffix("registered: 2)"))
    #expect(try north.related(\.measurements).first()?.label == "m0")
  }

  @Test func anOrderedListKeepsItsOrder() throws {
    let keepers = try station("North", fixture.fresh()).related(\.keepers)
    #expect(try keepers.fetch().map(\.name) == ["Zoe", "Adam", "Mia"])
    #expect(try keepers.first()?.name == "Zoe")
    #expect(try keepers.first(sortedBy: SortDescriptor(\.name))?.name == "Adam")
    #expect(try keepers.filter(#Predicate { $0.name != "Zoe" }).fetch().map(\.name) == ["Adam", "Mia"])
  }

  @Test func pendingChangesAreIncluded() throws {
    let context = fixture.fresh()
    let north = try station("North", context)
    let list = north.related(\.measurements)
    context.insert(Self.measurement(9, north))
    #expect(try list.count == 6)
    #expect(try list.aggregate(.maximum(\.number)) == 90)
    let first = try #require(try list.first())
    context.delete(first)
    #expect(try list.count == 5)
    let second = try #require(try list.first())
    second.station = nil
    #expect(try list.count == 4)
    try context.save()
    #expect(try list.count == 4)
    #expect(try station("North", fixture.fresh()).related(\.measurements).count == 4)
  }

  @Test func unrelatedChangesDoNotLoadTheList() throws {
    let context = fixture.fresh()
    let north = try station("North", context)
    context.insert(Self.measurement(1, nil))
    north.name = "Far North"
    #expect(try north.related(\.measurements).count == 5)
    #expect(context.debugDescription.hasSuffix("registered: 2)"))
  }

  @Test func changedValuesAreIncluded() throws {
    let context = fixture.fresh()
    let north = try station("North", context)
    let list = north.related(\.measurements)
    try list.first()?.number = 1000
    #expect(try list.aggregate(.sum(\.number)) == 1100)
    #expect(try list.filter(#Predicate { $0.number == 1000 }).count == 1)
  }

  @Test func draftsAndDeletedModels() throws {
    let draft = Station(name: "Draft")
    let measurement = Self.measurement(3, draft)
    #expect(try draft.related(\.measurements).count == 1)
    #expect(try draft.related(\.measurements).aggregate(.sum(\.number)) == 30)
    #expect(try draft.related(\.measurements).first() === measurement)
    #expect(try Station(name: "Empty").related(\.keepers).isEmpty)

    let context = fixture.fresh()
    let north = try station("North", context)
    let list = north.related(\.measurements)
    context.delete(north)
    #expect(try list.count == north.measurements.count)
    try context.save()
    #expect(try list.count == north.measurements.count)
    #expect(try list.aggregate(.count) == north.measurements.count)
    #expect(try list.first()?.label == north.measurements.first?.label)
  }

  @Test func rolledBackInsertion() throws {
    let context = fixture.fresh()
    let station = Station(name: "New")
    context.insert(station)
    context.insert(Self.measurement(1, station))
    #expect(try station.related(\.measurements).count == 1)
    context.rollback()
    #expect(try station.related(\.measurements).count == station.measurements.count)
  }

  @Test func savesOfAnotherContextAreSeen() throws {
    let context = fixture.fresh()
    let list = try station("North", context).related(\.measurements)
    #expect(try list.count == 5)
    let other = fixture.fresh()
    other.insert(Self.measurement(7, try station("North", other)))
    try other.save()
    #expect(try list.count == 6)
  }

  @Test func optionalLists() throws {
    let context = fixture.fresh()
    let region = Region(name: "All")
    context.insert(region)
    for name in ["North", "South"] { try station(name, context).region = region }
    try context.save()
    let other = fixture.fresh()
    let found = try #require(try other.fetch(FetchDescriptor<Region>()).first)
    #expect(try found.related(\.stations).count == 2)
    #expect(try found.related(\.stations).fetch().map(\.name) == ["North", "South"])
  }

  @Test func otherStoresReturnEqualResults() throws {
    let context = ModelContext(try ListStore.container())
    let station = Station(name: "North")
    context.insert(station)
    for index in 0..<3 { context.insert(Self.measurement(index, station)) }
    try context.save()
    let other = ModelContext(context.container)
    let list = try self.station("North", other).related(\.measurements)
    #expect(try list.count == 3)
    #expect(try list.filter(#Predicate { $0.isValid }).aggregate(.sum(\.number)) == 20)
    #expect(
      try list.first(sortedBy: SortDescriptor(\.number, order: .reverse))?.label == "m2")
  }

  @Test func cyclesOfLists() throws {
    let container = try ModelContainer(
      for: Library.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let (ann, bob) = (Reader(name: "Ann", friends: []), Reader(name: "Bob", friends: []))
    context.insert(ann)
    ann.friends = [bob]
    bob.mentor = ann
    try context.save()
    let other = ModelContext(container)
    for reader in try other.fetch(FetchDescriptor<Reader>()) {
      #expect(try reader.related(\.friends).count == reader.friends.count)
      #expect(try reader.related(\.friends).fetch().map(\.name) == reader.friends.map(\.name))
      #expect(try reader.related(\.pupils).count == reader.pupils.count)
      #expect(try reader.related(\.written).isEmpty)
    }
  }

  /// Random lists, edits and queries: the query and the array must agree.
  @Test func queriesAgreeWithArrays() throws {
    var dice = SeededGenerator(seed: SeededGenerator.seed("queriesAgreeWithArrays"))
    let context = fixture.fresh()
    for round in 0..<150 {
      let stations = try context.fetch(FetchDescriptor<Station>())
      let all = try context.fetch(FetchDescriptor<Probe>())
      let station = dice.pick(stations)
      switch Int.random(in: 0..<8, using: &dice) {
      case 0: context.insert(Self.measurement(round, dice.pick([nil, station])))
      case 1: all.randomElement(using: &dice)?.station = dice.pick([nil, station])
      case 2: all.randomElement(using: &dice).map(context.delete)
      case 3: all.randomElement(using: &dice)?.isValid.toggle()
      case 4: station.measurements = Array(all.prefix(3))
      case 5: try context.save()
      case 6: context.rollback()
      default: context.insert(Station(name: "s\(round)"))
      }
      // Evaluate the queries first, because reading an array loads it.
      let asked = dice.pick(try context.fetch(FetchDescriptor<Station>()))
      let list = asked.related(\.measurements)
      let valid = list.filter(#Predicate { $0.isValid })
      let answers = (
        try list.count, try list.isEmpty, try valid.count, try list.aggregate(.sum(\.number)),
        try list.fetch().map(\.label).sorted()
      )
      let array = asked.measurements
      let comment: Comment = "round \(round)"
      #expect(answers.0 == array.count, comment)
      #expect(answers.1 == array.isEmpty, comment)
      #expect(answers.2 == array.count { $0.isValid }, comment)
      #expect(answers.3 == array.reduce(0) { $0 + $1.number }, comment)
      #expect(answers.4 == array.map(\.label).sorted(), comment)
    }
  }
}
