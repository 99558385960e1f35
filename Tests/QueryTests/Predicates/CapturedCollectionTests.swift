import Foundation
import TestSupport
import Testing

@testable import TestWorlds
@testable import Trellis

/// Captured collections of any size are one parameter with fast lookups.
@Suite struct CapturedCollectionTests {
  let fixture: FilmFixture

  init() throws { fixture = try FilmFixture() }

  /// Half of it in a short run, which is also more than the number of parameters that SQLite allows.
  private static let size = Repetitions.isThorough ? 100_000 : 50_000

  /// The CPU time of this thread, which excludes other tests and programs.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(Int(time.tv_sec)) + .nanoseconds(Int(time.tv_nsec))
  }

  /// The limit is generous for a debug build. A scan per row would take minutes.
  private func check(
    _ predicate: Predicate<Film>, at location: SourceLocation = #_sourceLocation
  ) throws {
    let context = fixture.fresh()
    let expected = try fixture.films.filter(predicate.evaluate).map(\.persistentModelID)
    #expect(!expected.isEmpty && expected.count < 30, sourceLocation: location)
    #expect(try fixture.sql(predicate).contains("json_each"), sourceLocation: location)
    let start = Self.processorTime
    let found = try context.fetchIdentifiers(FetchDescriptor(predicate: predicate))
    #expect(Self.processorTime - start < .seconds(5), sourceLocation: location)
    #expect(Set(found) == Set(expected), sourceLocation: location)
  }

  @Test func hundredThousandIntegers() throws {
    let numbers = Set(3..<Self.size)
    try check(#Predicate { numbers.contains($0.count) })
    try check(#Predicate { !numbers.contains($0.count) })
  }

  @Test func hundredThousandTexts() throws {
    let texts = Set((0..<Self.size).map { "text \($0)" } + ["alpha", "A\u{30A}lesund"])
    try check(#Predicate { texts.contains($0.name) })
  }

  @Test func hundredThousandUUIDs() throws {
    let uids = Set((0..<Self.size).map { _ in UUID() } + [FilmFixture.uuid(3), FilmFixture.uuid(7)])
    try check(#Predicate { uids.contains($0.uid) })
  }

  @Test func hundredThousandDates() throws {
    let dates = Set((0..<Self.size).map { FilmFixture.day.addingTimeInterval(Double($0) + 0.5) })
      .union([FilmFixture.day])
    try check(#Predicate { dates.contains($0.date) })
  }

  @Test func hundredThousandOptionals() throws {
    let numbers = Set<Int?>((1..<Self.size).map { $0 })
    try check(#Predicate { numbers.contains($0.optCount) })
    let withNil = numbers.union([nil])
    try check(#Predicate { withNil.contains($0.optCount) })
    try check(#Predicate { !withNil.contains($0.optCount) })
  }

  @Test func hundredThousandIdentifiers() throws {
    let token = IdentifierToken.interned(store: try fixture.store().identifier, entity: "Film")
    let ids = Set((28..<Int64(Self.size + 28)).map { PersistentIdentifier(token: token, row: $0) })
    try check(#Predicate { ids.contains($0.persistentModelID) })
    try check(#Predicate { !ids.contains($0.id) })
    let prequels = Set(ids.map(Optional.some)).union([fixture.films[3].id])
    try check(#Predicate { prequels.contains($0.prequel.flatMap { $0.persistentModelID }) })
  }

  @Test func hundredThousandEnums() throws {
    let moods = (0..<Self.size).map { $0 % 2 == 0 ? Mood.wild : .dark }
    let context = fixture.fresh()
    let count = try context.fetchCount(
      FetchDescriptor<Film>(predicate: #Predicate { moods.contains($0.mood) }))
    #expect(count == 20)
  }

  @Test func emptyCollections() throws {
    let (texts, ids, uids) = ([String](), Set<PersistentIdentifier>(), [UUID]())
    try fixture.check(#Predicate { texts.contains($0.name) }, .sql, isSelective: false)
    try fixture.check(#Predicate { !ids.contains($0.id) }, .sql, isSelective: false)
    try fixture.check(#Predicate { uids.contains($0.uid) || $0.flag }, .sql)
    let nothing: [String?] = [nil, nil]
    try fixture.check(#Predicate { nothing.contains($0.note) }, .sql)
  }

  @Test func nilAmongIdentifiers() throws {
    let ids: [PersistentIdentifier?] = [nil, fixture.films[4].id]
    try fixture.check(#Predicate { ids.contains($0.prequel.flatMap { $0.persistentModelID }) }, .sql)
    try fixture.check(#Predicate { !ids.contains($0.prequel.flatMap { $0.persistentModelID }) }, .sql)
  }

  @Test func otherKindsOfCaptures() throws {
    let range = 2..<4
    let slice = ["x", "alpha", "beta"][1...]
    let dictionary = ["alpha": 1, "beta": 2]
    let keys = dictionary.keys
    try fixture.check(#Predicate { range.contains($0.count) }, .sql)
    let names = Array(slice)
    try fixture.check(#Predicate { names.contains($0.name) && $0.flag }, .sql)
    let set = Set(keys)
    try fixture.check(#Predicate { set.contains($0.name) }, .sql)
    let prices: [Decimal] = [9.5, Decimal(string: "10.00") ?? 0]
    try fixture.check(#Predicate { prices.contains($0.price) }, .sql)
    let sizes = [0.5, .nan, -.infinity]
    try fixture.check(#Predicate { sizes.contains($0.size) }, .sql)
    let blobs = [Data([1]), Data()]
    try fixture.check(#Predicate { blobs.contains($0.data) }, .sql)
    let links = [URL(string: "https://example.org/1")]
    try fixture.check(#Predicate { links.contains($0.link) }, .sql)
    let places = [Place(city: "Oslo")]
    try fixture.check(#Predicate { places.contains($0.place) }, .memory)
    let zero = ["a\u{0}b", "alpha"]
    try fixture.check(#Predicate { zero.contains($0.name) }, .memory)
  }

  @Test func identifiersOfOtherRows() throws {
    let unsaved = Film.temporary()
    let foreign = try FilmFixture().films[3].persistentModelID
    try fixture.check(#Predicate { $0.persistentModelID == unsaved }, .sql, isSelective: false)
    try fixture.check(#Predicate { $0.persistentModelID != unsaved }, .sql, isSelective: false)
    let ids = [unsaved, foreign, fixture.films[4].id]
    try fixture.check(#Predicate { ids.contains($0.id) }, .sql)
    try fixture.check(#Predicate { $0.prequel?.persistentModelID == unsaved }, .sql, isSelective: false)
  }
}

extension Film {
  /// The identifier of an unsaved film.
  fileprivate static func temporary() -> PersistentIdentifier {
    Person(name: "").persistentModelID
  }
}
