import Foundation
import Testing
import Trellis

/// Tests of models that are classes with `@Model` in Swift files.
@Suite struct SwiftModelTests {
  let container: ModelContainer
  let context: ModelContext

  init() throws {
    container = try ModelContainer(
      for: Trip.self, BusinessTrip.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    context = ModelContext(container)
  }

  @Test func createSaveReopenChangeDelete() throws {
    let ada = Person("Ada")
    let trip = Trip(name: "Oslo", stops: [Stop(title: "a"), Stop(title: "b")], leader: ada)
    let business = BusinessTrip(company: "ACME", boss: ada, budget: 7.5)
    context.insert(trip)
    context.insert(business)
    #expect(trip.tell() == 8)
    #expect(trip.stops.allSatisfy { $0.trip === trip } && Set(ada.led.map(\.name)) == ["Oslo", "ACME trip"])
    try context.save()

    let other = ModelContext(container)
    let found = try #require(Trip.named("Oslo", in: other).first)
    #expect(found.days == 3 && found.note == nil && found.kind == .personal && found.cache == ["new"])
    #expect(found.created == Date(timeIntervalSinceReferenceDate: 0))
    #expect(found.tell() == 9 && found.leader?.name == "Ada" && found.title == "OSLO" && !found.isLong)
    #expect(Set(found.stops.map(\.title)) == ["a", "b"])
    let same = try #require(all(BusinessTrip.self, in: other).first)
    #expect(same.company == "ACME" && same.budget == 7.5 && same.boss === found.leader && same.days == 9)
    #expect(same.codes() == 5 && same.isLong && same.name == "ACME trip")
    #expect("\(same.boss!)" == "person Ada")
    found.kind = .business
    found.stops.removeLast()
    other.delete(same)
    try other.save()

    let last = ModelContext(container)
    #expect(try all(Trip.self, in: last).map(\.kind) == [.business])
    #expect(try all(Stop.self, in: last).count(where: { $0.trip != nil }) == 1)
    for trip in try all(Trip.self, in: last) { last.delete(trip) }
    try last.save()
    #expect(try all(Stop.self, in: last).count(where: { $0.trip != nil }) == 0)
    #expect(try all(Person.self, in: last).map(\.led.count) == [0])
  }

  @Test func hierarchyWithProtocols() throws {
    let container = try ModelContainer(
      for: Account.self, Premium.self, Gold.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    let parent = Account("a", required: true)
    let child = Account("b", required: false, parent: parent)
    #expect(parent.visits == 1 && parent.loud == "A" && parent.id != child.id && child.parent === parent)
    #expect(Account(checked: "") == nil && Account(checked: "q")?.required == false)
    #expect(throws: CocoaError.self) { try Account(throwing: "") }
    #expect(try Account(throwing: "t").required && !Account(text: "z").required)
    for model in [parent, child] { context.insert(model) }
    parent.entries?.append(Entry("one"))
    child.entries = [Entry("two")]
    parent.payload = .pair(1, 2)
    parent.address.zip = 9
    (parent.addresses, parent.tags, parent.table, parent.blob) = ([Address()], ["t"], ["k": 2], Data([1, 2]))
    parent.visit()
    (parent.h, parent.renamed, parent.in, parent.computed) = ("hid", 5, 6, 20)
    let high = Premium(level: 5, name: "p", friends: [parent, child])
    let low = Premium(level: 1, name: "q", friends: [parent])
    let gold = Gold()
    for model in [high, low, gold] { context.insert(model) }
    #expect(high.note == "high" && high.level == 5 && high.friends.count == 2 && high.since == .distantPast)
    #expect(low.note == "low" && low.level == -1 && low.friends.isEmpty && low.visits == 1)
    #expect(gold.bars == 8 && gold.level == 9 && gold.note == "high" && gold.name == "gold")
    try context.save()

    let other = ModelContext(container)
    let found = try other.fetch(FetchDescriptor<Account>(sortBy: [SortDescriptor(\.name)]))
    #expect(found.map(\.name) == ["a", "b", "gold", "p", "q!"])
    let first = found[0]
    #expect(first.id == parent.id && first.payload == .pair(1, 2) && first.address.zip == 9 && first.tags == ["t"])
    #expect(first.table == ["k": 2] && first.blob == Data([1, 2]) && first.big == .max && first.price == 1.5)
    #expect(first.visits == 10 && first.h == "hid" && first.renamed == 5 && first.in == 6)
    #expect(first.children.map(\.name) == ["b"] && first.entries?.map(\.title) == ["one"])
    #expect(first.entries?.first?.kind == .plain && first.addresses == [Address()])
    #expect((found[3] as? Premium)?.friends.count == 2 && (found[3] as? Premium)?.note == "high")
    #expect((found[2] as? Gold)?.bars == 8 && (found[4] as? Premium)?.level == -1)
    let entries = FetchDescriptor<Entry>(sortBy: [Entry.byVisits])
    #expect(try other.fetch(entries).map(\.title) == ["one", "two"])
    #expect(try entries.explain(in: other).runsInStore)
  }

  @Test func initializers() throws {
    let trip = Trip(name: "Rome")
    let copy = Trip(copy: trip)
    #expect(copy.name == "Rome copy" && copy.days == 3 && copy.persistentModelID != trip.persistentModelID)
    let person = Person("Bo", friend: Person("Cy"))
    #expect(person.friend?.name == "Cy")
    #expect(BusinessTrip(company: "X", boss: nil, budget: 1).persistentModelID.entityName == "BusinessTrip")
  }

  /// When a model is released, it is closed and its own deinitializer runs.
  @Test func deinitializer() throws {
    do {
      let gone = Trip(name: "gone \(UUID())")
      #expect(gone.days == 3)
      Trip.log = []
    }
    #expect(Trip.log.contains { $0.hasPrefix("gone ") })
  }

  @Test func observation() {
    let trip = Trip(name: "Oslo")
    let changes = Changes()
    withObservationTracking {
      _ = trip.isOpen
    } onChange: {
      changes.count += 1
    }
    trip.isOpen = true
    #expect(changes.count == 1 && trip.isOpen)
  }

  private final class Changes: @unchecked Sendable {  // used on one thread
    var count = 0
  }

  @Test func uniqueAndIndexes() throws {
    context.insert(Trip(name: "same"))
    try context.save()
    let again = Trip(name: "same")
    again.days = 20
    context.insert(again)
    try context.save()
    #expect(try all(Trip.self, in: ModelContext(container)).map(\.days) == [20])
    let entity = try #require(container.schema.entity(for: Trip.self))
    #expect(entity.indices == [["days"], ["name", "days"]])
  }

  @Test func historyNamesProperties() throws {
    context.insert(Trip(name: "Oslo"))
    try context.save()
    let trip = try #require(Trip.named("Oslo", in: context).first)
    trip.days = 4
    try context.save()
    #expect(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 2)
  }
}
