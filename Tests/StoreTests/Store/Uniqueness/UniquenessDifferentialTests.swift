import Foundation
import PostgresSupport
import TestSupport
import Testing
import Trellis

/// A store of snapshots and a PostgreSQL store must have the rows and errors of a SQLite store.
@Suite struct UniquenessDifferentialTests {
  @Test func randomSavesHaveEqualResults() throws {
    var dice = SeededGenerator(seed: SeededGenerator.seed())
    var refused = 0
    var merged = 0
    for world in 0..<Repetitions.scaled(2, upTo: 40) {
      let database = try CoinWorld(ModelConfiguration(isStoredInMemoryOnly: true))
      let shelf = try CoinWorld(
        world % 2 == 0 ? ShelfConfiguration() : PostgresServer.shared.get().configuration())
      for step in 0..<25 {
        let before = dice
        let count = try ModelContext(database.container).fetchCount(FetchDescriptor<Coin>())
        let former = try database.text(in: ModelContext(database.container))
        let expected = try database.step(&dice)
        dice = before
        let outcome = try shelf.step(&dice)
        try #require(
          outcome == expected, "world \(world), step \(step): after \(database.actions) on \(former)")
        let rows = try database.text(in: ModelContext(database.container))
        for (place, context) in [
          ("other store", ModelContext(shelf.container)), ("database's context", database.context),
          ("other store's context", shelf.context),
        ] {
          let seen = try database.text(in: context)
          let differing =
            seen.filter { !rows.contains($0) } + ["instead of"]
            + rows.filter { !seen.contains($0) }
          try #require(
            seen == rows, "world \(world), step \(step), \(place): \(differing) after \(database.actions) on \(former)")
        }
        if outcome != "saved" { refused += 1 } else if rows.count <= count { merged += 1 }
      }
    }
    // Without rejected saves, the test would be meaningless. A short run may have none.
    #expect(refused > 15 || !Repetitions.isThorough)
  }

  /// A pair of values for each type, and whether they are equal.
  static let pairs: [(String, @Sendable (Stub, Bool) -> Void, isSame: Bool)] = [
    ("text", { $0.text = $1 ? "e\u{301}" : "\u{E9}" }, true),
    ("texts", { $0.text = $1 ? "e" : "E" }, false),
    ("letter", { $0.letter = $1 ? "e\u{301}" : "\u{E9}" }, true),
    ("zeros", { $0.real = $1 ? 0 : -0.0 }, true),
    ("NaN", { $0.real = $1 ? .nan : -.nan }, true),
    ("real", { $0.real = $1 ? 0.1 : 0.1.nextUp }, false),
    ("ratio", { $0.ratio = $1 ? 0.1 : 0.1 }, true),
    ("date", { $0.date = Date(timeIntervalSinceReferenceDate: $1 ? 1 : 1) }, true),
    ("dates", { $0.date = Date(timeIntervalSinceReferenceDate: $1 ? 1 : 1.0.nextUp) }, false),
    ("uid", { stub, _ in stub.uid = UUID(uuidString: "8A1B3C5D-0000-4000-8000-0123456789AB") }, true),
    ("price", { $0.price = $1 ? Decimal(string: "1.50") : Decimal(string: "1.5") }, true),
    ("prices", { $0.price = $1 ? Decimal(string: "1.51") : Decimal(string: "1.5") }, false),
    ("link", { stub, _ in stub.link = URL(string: "https://example.com/a") }, true),
    ("links", { $0.link = URL(string: $1 ? "https://example.com/a" : "https://example.com/A") }, false),
    ("data", { stub, _ in stub.data = Data([1, 2]) }, true),
    ("flag", { stub, _ in stub.flag = false }, true),
    ("big", { stub, _ in stub.big = .max }, true),
    ("bigs", { $0.big = $1 ? .max : 1 << 63 }, false),
    ("small", { stub, _ in stub.small = -1 }, true),
    ("tier", { stub, _ in stub.tier = .high }, true),
    ("tiers", { $0.tier = $1 ? .low : .high }, false),
    ("form", { stub, _ in stub.form = .round(width: 2) }, true),
    ("forms", { $0.form = .round(width: $1 ? 2 : 3) }, false),
    ("seat", { stub, _ in stub.seat = Stub.Seat(row: 5, letter: "e\u{301}") }, true),
    ("seats", { $0.seat = Stub.Seat(row: 5, letter: $1 ? "e" : "f") }, false),
    ("other", { $0.other = Stub.Seat(row: 5, letter: $1 ? "e" : "f") }, true),
    ("nil", { stub, _ in stub.other = nil }, false),
  ]

  @Test(arguments: [false, true])
  func everyTypeComparesLikeItsColumn(_ isDatabase: Bool) throws {
    for (name, set, isSame) in Self.pairs {
      let configuration: any DataStoreConfiguration =
        isDatabase ? ModelConfiguration(isStoredInMemoryOnly: true) : ShelfConfiguration()
      let container = try ModelContainer(for: Stub.self, configurations: configuration)
      for isSecond in [false, true] {
        let context = ModelContext(container)
        let stub = Stub(label: isSecond ? 2 : 1, seat: Stub.Seat(row: isSecond ? 2 : 1))
        set(stub, isSecond)
        context.insert(stub)
        try context.save()
      }
      let left = try ModelContext(container).fetch(FetchDescriptor<Stub>())
      #expect(left.count == (isSame ? 1 : 2), "\(name)")
      if isSame { #expect(left.first?.label == 2, "\(name)") }
    }
  }
}
