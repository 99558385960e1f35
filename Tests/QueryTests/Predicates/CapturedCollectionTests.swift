import Foundation
import TestSupport
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Captured collections of any size are one parameter with fast lookups.
@Suite struct CapturedCollectionTests {
  let fixture: FilmFixture

  init() throws { fixture = try FilmFixture() }

  /// A short run uses half the size, which still exceeds SQLite's limit on parameters.
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

  private struct Key: Codable, Hashable {
    var name = "alpha"
    var note: String?
    var count = 0
    var optCount: Int?
    var uid = UUID()
    var mood = Mood.calm
    var size = 0.0
    var isValid = true
  }

  /// Foundation's evaluation of a closure for the expected result takes most of the time.
  @Test func thousandsOfKeysOfThreeColumns() throws {
    var keys = (0..<Self.size / 20).map { Key(name: "text \($0)", count: $0) }
    keys += fixture.films[3..<9].map { Key(name: $0.name, note: $0.note, count: $0.count, uid: $0.uid) }
    let all = keys
    try check(
      #Predicate { film in all.contains { $0.name == film.name && film.count == $0.count && $0.note == film.note } })
    try check(#Predicate { film in all.contains { $0.uid == film.uid } })
  }

  /// Nil equals nil and nothing else.
  @Test func keysOfSeveralColumns() throws {
    let none: [Key] = []
    let keys = [
      Key(name: "alpha", note: nil, count: 0, optCount: nil), Key(name: "beta", note: "Zürich", count: 2, optCount: 2),
      Key(name: "gamma ray", note: "x", count: 4, optCount: nil), Key(name: "a\u{30A}", optCount: 1, size: .nan),
      Key(name: "A\u{30A}lesund", note: nil, count: 3, optCount: 0, mood: .wild, size: -2.25, isValid: false),
      Key(name: "alpha", note: "alpha", count: 1, optCount: 1, mood: .wild, size: -0.0),
    ]
    try fixture.check(#Predicate { f in keys.contains { $0.name == f.name && $0.count == f.count } }, .sql)
    try fixture.check(#Predicate { f in keys.contains { $0.note == f.note && $0.optCount == f.optCount } }, .sql)
    try fixture.check(#Predicate { f in !keys.contains { $0.note == f.note && $0.optCount == f.optCount } }, .sql)
    try fixture.check(
      #Predicate { f in keys.contains { $0.note == f.note && $0.optCount == f.optCount && $0.mood == f.mood } }, .sql)
    // A value is compared with an optional.
    try fixture.check(#Predicate { f in keys.contains { $0.count == f.optCount && f.note == $0.name } }, .sql)
    try fixture.check(#Predicate { f in keys.contains { $0.optCount == f.count && f.size == $0.size } }, .sql)
    try fixture.check(#Predicate { f in !keys.contains { $0.mood == f.optMood && $0.note == f.name } }, .sql)
    // Conditions on the key alone, conditions with a constant, and values behind a reference.
    try fixture.check(#Predicate { f in keys.contains { $0.isValid && $0.name == f.name && $0.count != 4 } }, .sql)
    try fixture.check(
      #Predicate { f in keys.contains { $0.size == f.size && f.mood == $0.mood && f.count == 0 } }, .sql)
    try fixture.check(
      #Predicate { f in keys.contains { $0.name == f.name && $0.optCount == f.studio?.rank } }, .sql, isSelective: false
    )
    try fixture.check(
      #Predicate { f in f.scenes.contains { s in keys.contains { $0.count == s.weight && $0.name == f.name } } }, .sql)
    try fixture.check(
      #Predicate { f in none.contains { $0.name == f.name && $0.count == f.count } || f.flag }, .sql)
    // The condition is not a conjunction of equalities.
    try fixture.check(#Predicate { f in keys.contains { $0.name == f.name || $0.count == f.count } }, .memory)
    try fixture.check(#Predicate { f in keys.contains { $0.name == f.name && $0.count < f.count } }, .memory)
    try fixture.check(#Predicate { f in keys.contains { $0.name == f.shout } }, .memory, isSelective: false)
  }

  @Test func explainShowsTheKeys() throws {
    let keys = [Key(name: "alpha"), Key(name: "beta", note: "x", count: 2)]
    let predicate = #Predicate<Film> { film in keys.contains { $0.name == film.name && $0.count == film.count } }
    let explanation = try FetchDescriptor(predicate: predicate).explain(in: fixture.fresh())
    #expect(explanation.runsInStore)
    #expect(
      explanation.sql?.contains(
        """
        ("t0"."name", "t0"."count") IN (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') \
        FROM json_each(?))
        """) == true, "\(explanation)")
    #expect(explanation.queryPlan.contains { $0.contains("json_each") })
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
