import Foundation
import InheritanceGolden
import Observation
import Testing

@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

@Suite struct PartialFetchTests {
  private func filled(_ kind: FetchFixture.Kind = .tables) throws -> FetchFixture {
    let fixture = try FetchFixture(kind)
    let guide = Guide(name: "g")
    try fixture.fill(10) { number, excursion in
      excursion.photo = Data([UInt8(number)])
      excursion.start = Spot(name: "p\(number)", height: number)
      excursion.difficulty = number % 2 == 0 ? .easy : .hard
      excursion.guide = guide
      excursion.legs = [Leg(number: number)]
    }
    return fixture
  }

  private var titles: FetchDescriptor<Excursion> {
    var descriptor = FetchDescriptor<Excursion>(
      predicate: #Predicate { $0.length >= 2 }, sortBy: [SortDescriptor(\.length, order: .reverse)])
    descriptor.propertiesToFetch = [\.title, \.code]
    return descriptor
  }

  /// The stored values, read by a new context without partial fetches.
  private func stored(_ fixture: FetchFixture) throws -> [[String]] {
    try fixture.fresh().fetch(.byCode).map { row($0) }
  }

  private func row(_ model: Excursion) -> [String] {
    [
      model.code, model.title, "\(model.length)", model.summary, "\(model.photo?.first ?? 99)",
      model.difficulty.rawValue, model.start?.name ?? "", model.guide?.name ?? "",
      "\(model.legs.map(\.number))",
    ]
  }

  @Test func S079_propertiesToFetchLimitsTheLoadedProperties() throws {
    let fixture = try filled()
    let context = fixture.context
    var excursions: [Excursion] = []
    let fetch = try fixture.queries { excursions = try context.fetch(titles) }
    #expect(fetch.count == 1)
    let columns = try #require(fetch.first?.prefix { $0 != "W" }).split(separator: "FROM")[0]
    #expect(columns.contains("\"title\"") && columns.contains("\"code\""))
    #expect(columns.contains("\"guide\"") && columns.contains("\"difficulty\""))
    for name in ["length", "summary", "photo", "start"] {
      #expect(!columns.contains("\"\(name)\""), "\(columns)")
    }
    let known = try fixture.queries { () throws in
      #expect(excursions.map(\.code) == (2..<10).reversed().map(code))
      #expect(excursions.map(\.title).first == "t0")
    }
    #expect(known == [])
    // Another property needs one more query for all models.
    let unknown = try fixture.queries { () throws in
      #expect(excursions.map(\.length) == (2..<10).reversed())
      #expect(excursions.map(\.photo) == (2..<10).reversed().map { Data([UInt8($0)]) })
      #expect(excursions[0].start?.height == 9 && excursions[0].summary == "summary of e009")
    }
    #expect(unknown.count == 1)
    #expect(context.tables.values.allSatisfy { $0.probe.incompleteModels == 0 })
    #expect(!context.hasChanges)
  }

  @Test(arguments: FetchFixture.Kind.allCases)
  func S079_savingAPartiallyFetchedModelLosesNothing(_ kind: FetchFixture.Kind) throws {
    let fixture = try filled(kind)
    var expected = try stored(fixture)
    let context = fixture.fresh()
    let excursions = try context.fetch(titles)
    excursions[0].title = "written, fetched"
    excursions[1].summary = "written, not fetched"
    excursions[2].legs = []
    excursions[3].guide = nil
    excursions[4].photo = nil
    excursions[5].length = 77
    context.rollback()
    try context.save()
    #expect(try stored(fixture) == expected)

    let again = try fixture.fresh().fetch(titles)
    let second = try #require(again.first?.modelContext)
    again[0].title = "written, fetched"
    again[1].summary = "written, not fetched"
    again[3].guide = nil
    again[4].photo = nil
    second.delete(again[7])
    try second.save()
    expected[9][1] = "written, fetched"
    expected[8][3] = "written, not fetched"
    expected[6][7] = ""
    expected[5][4] = "99"
    expected.remove(at: 2)
    #expect(try stored(fixture) == expected)
    #expect(again.prefix(7).map { row($0) } == expected.suffix(7).reversed())
  }

  @Test func completeFetchesCompletePartialModels() throws {
    let fixture = try filled()
    let excursions = try fixture.context.fetch(titles)
    let queries = try fixture.queries { _ = try fixture.context.fetch(.byCode) }
    #expect(queries.count == 1)
    let later = try fixture.queries { () throws in
      #expect(excursions.map(\.length) == (2..<10).reversed())
    }
    #expect(later == [])
    // In the reverse order, no value is lost.
    _ = try fixture.context.fetch(titles)
    #expect(try fixture.queries { _ = excursions.map(\.summary) } == [])
  }

  @Test func savesElsewhereAndUpsertsCompletePartialModels() throws {
    let fixture = try filled()
    let context = fixture.fresh()
    let excursions = try context.fetch(titles)
    let other = fixture.fresh()
    for excursion in try other.fetch(.byCode) { excursion.length += 100 }
    try other.save()
    #expect(excursions[0].code == "e009")
    _ = try context.fetchCount(.byCode)
    #expect(excursions.map(\.length) == (102..<110).reversed())
    #expect(excursions[0].summary == "summary of e009")

    let third = fixture.fresh()
    let partial = try third.fetch(titles)
    let replacing = Excursion(code: "e009", title: "upsert", length: 5)
    third.insert(replacing)
    try third.save()
    #expect(partial[0].title == "upsert" && partial[0].length == 5)
    #expect(partial[1].length == 108 && partial[1].summary == "summary of e008")
  }

  @Test func partialModelsAreCompletedAfterTheContextIsReleased() throws {
    let fixture = try filled()
    let before = try stored(fixture)
    var excursion: Excursion?
    do {
      let context = ModelContext(fixture.container)
      excursion = try context.fetch(titles).first
    }
    let model = try #require(excursion)
    model.title = "changed outside"
    let context = fixture.fresh()
    context.insert(model)
    try context.save()
    var expected = before
    expected[9][1] = "changed outside"
    #expect(try stored(fixture) == expected)
  }

  @Test func partialModelsOfDeletedRowsShowLoadedValuesAndRejectWrites() throws {
    let fixture = try filled()
    let excursions = try fixture.context.fetch(titles)
    let store = try #require(
      fixture.container.core.stores.first?.store as? DefaultStore)
    try store.pool.exclusively { connection in
      try connection.execute("DELETE FROM \"Leg\"")
      try connection.execute("DELETE FROM \"Excursion\" WHERE \"code\" = 'e009'")
    }
    #expect(excursions[0].code == "e009" && excursions[0].summary == "")
    excursions[0].title = "refused"
    #expect(excursions[0].title == "t0" && !fixture.context.hasChanges)
    #expect(excursions[1].summary == "summary of e008")
  }

  @Test func observersOfPartiallyFetchedModelsAreNotified() throws {
    let fixture = try filled()
    let excursions = try fixture.context.fetch(titles)
    final class Flag: @unchecked Sendable { var isUp = false }  // used on one thread
    let flag = Flag()
    withObservationTracking {
      #expect(excursions[0].summary == "summary of e009")
      #expect(excursions[0].title == "t0")
    } onChange: {
      flag.isUp = true
    }
    #expect(!flag.isUp)
    excursions[0].title = "new"
    #expect(flag.isUp)
  }

  @Test func subclassesCanBeFetchedPartially() throws {
    let container = try ModelContainer(
      for: Journey.self, BusinessJourney.self, ConferenceJourney.self,
      configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let writing = ModelContext(container)
    writing.insert(BusinessJourney(name: "b", company: "c", allowance: 7))
    writing.insert(Journey(name: "a"))
    try writing.save()
    let context = ModelContext(container)
    var descriptor = FetchDescriptor<Journey>(sortBy: [SortDescriptor(\.name)])
    descriptor.propertiesToFetch = [\.name]
    let journeys = try context.fetch(descriptor)
    #expect(journeys.map(\.name) == ["a", "b"])
    let business = try #require(journeys[1] as? BusinessJourney)
    #expect(business._$state.side?.missing != nil)
    #expect(business.company == "c" && business.allowance == 7)
    business.company = "d"
    try context.save()
    let stored = try ModelContext(container).fetch(FetchDescriptor<BusinessJourney>())
    #expect(stored.map(\.allowance) == [7])
  }

  @Test func keyPathsOfOtherMembersAreRejected() throws {
    let fixture = try FetchFixture()
    var descriptor = FetchDescriptor<Excursion>()
    descriptor.propertiesToFetch = [\.guide?.name]
    #expect(throws: SwiftDataError.unsupportedKeyPath) { try fixture.context.fetch(descriptor) }
  }
}
