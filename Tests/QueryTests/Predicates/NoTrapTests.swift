import Foundation
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Predicates that trap in other implementations return a result or throw a typed error.
@Suite struct NoTrapTests {
  let fixture: FilmFixture

  init() throws { fixture = try FilmFixture() }

  /// Checks that all kinds of queries throw, because the predicate has no result.
  private func expectFailure(
    _ predicate: Predicate<Film>, _ word: String, at location: SourceLocation = #_sourceLocation
  ) throws {
    let context = fixture.fresh()
    let descriptor = FetchDescriptor(predicate: predicate)
    let asks: [(String, () throws -> Void)] = [
      ("fetch", { _ = try context.fetch(descriptor) }),
      ("count", { _ = try context.fetchCount(descriptor) }),
      ("identifiers", { _ = try context.fetchIdentifiers(descriptor) }),
      ("delete", { try context.delete(model: Film.self, where: predicate) }),
    ]
    for changes in [false, true] {
      if changes { context.insert(Person(name: "new")) }
      for (name, ask) in asks {
        let error = #expect(
          throws: SwiftDataError.self, "\(name)", sourceLocation: location, performing: ask)
        #expect(error == .unsupportedPredicate, sourceLocation: location)
        #expect(
          error?.explanation?.contains(word) == true, "\(String(describing: error))",
          sourceLocation: location)
      }
    }
    #expect(context.deletedModelsArray.isEmpty, sourceLocation: location)
  }

  @Test func S085_integerOverflow() throws {
    let (most, least) = (Int.max, Int.min)
    try expectFailure(#Predicate { $0.count + most > 0 }, "cannot represent")
    try expectFailure(#Predicate { $0.count - least > 0 }, "cannot represent")
    try expectFailure(#Predicate { $0.count * most > 0 }, "cannot represent")
    try expectFailure(#Predicate { ($0.count - $0.count + least) / (-1) > 0 }, "cannot represent")
    try expectFailure(#Predicate { -($0.count * 0 + least) > 0 }, "cannot represent")
    let (one, two) = (UInt64(1), Int8(2))
    try expectFailure(#Predicate { $0.big - one > 0 }, "cannot represent")
    try expectFailure(#Predicate { $0.small * two > 0 }, "cannot represent")
    try expectFailure(#Predicate { most + 1 == $0.count }, "cannot represent")
    // The error is equal if the expression is evaluated in memory only.
    try expectFailure(#Predicate { !$0.shout.isEmpty || $0.count + most > 0 }, "cannot represent")
    try expectFailure(#Predicate { $0.scores.contains { $0 + most > most } }, "cannot represent")
    try expectFailure(#Predicate { $0.scenes.allSatisfy { $0.weight + most > 0 } }, "cannot represent")
    try expectFailure(
      #Predicate { $0.optCount.flatMap { $0 + most > 0 } ?? false }, "cannot represent")
    let nested = #Expression<Film, Int> { $0.count + most }
    try expectFailure(#Predicate { nested[$0] > 0 }, "cannot represent")
  }

  @Test func S085_divisionByZero() throws {
    let zero = 0
    try expectFailure(#Predicate { 10 / $0.count == 2 }, "by zero")
    try expectFailure(#Predicate { 10 % $0.count == 2 }, "by zero")
    try expectFailure(#Predicate { $0.count / zero == 2 }, "by zero")
    try expectFailure(#Predicate { 1 / zero == $0.count }, "by zero")
  }

  @Test func aGuardBeforeADivisionIsSufficient() throws {
    try fixture.check(#Predicate { $0.count != 0 && 10 / $0.count == 2 }, .sql)
    try fixture.check(#Predicate { $0.count == 0 || 10 % $0.count == 1 }, .sql)
    try fixture.check(#Predicate { ($0.count == 0 ? 0 : 10 / $0.count) == 2 }, .sql)
    let most = Int.max
    try fixture.check(#Predicate { $0.count < 1 && $0.count + most > 0 }, .sql)
    let zero = 0
    try fixture.check(#Predicate { zero != 0 && $0.count / zero == 0 }, .sql, isSelective: false)
  }

  /// The checked evaluation and Foundation's evaluation agree unless the latter traps.
  @Test func checkedEvaluationMatchesFoundation() throws {
    let (two, names, text) = (2, ["alpha", "beta"], "ALP")
    let predicates: [Predicate<Film>] = [
      #Predicate { $0.count + two == 4 && $0.name == "alpha" },
      #Predicate { $0.scenes.filter { $0.weight * two > 2 }.count == 1 || $0.flag },
      #Predicate { $0.optCount.flatMap { $0 - 1 == 0 } ?? true },
      #Predicate { $0.studio?.rank == nil && -$0.count < 0 },
      #Predicate { names.contains($0.name) && (1...$0.count + 3).contains(two) },
      #Predicate { $0.name.localizedStandardContains(text) || $0.count % two == 1 },
      #Predicate { ($0.flag ? $0.count * two : 1) == 8 },
      #Predicate { $0.labels["k", default: 0] + two == 3 },
      #Predicate { $0.scores.count > 1 && $0.scores[$0.scores.count - 1] == 2 },
      #Predicate { $0.optCount != nil && $0.optCount! + 1 >= two },
      #Predicate { $0.date <= $0.date && $0.size / 2.0 < 0.5 && $0.count + 1 != 0 },
    ]
    for predicate in predicates {
      let filter = MemoryFilter(predicate)
      let expected = try fixture.films.map(predicate.evaluate)
      #expect(try fixture.films.map(filter.matches) == expected, "\(predicate)")
      #expect(Set(expected).count == 2, "\(predicate)")
    }
  }

  @Test func S085_elementsBeyondTheEndAndReversedRanges() throws {
    try expectFailure(#Predicate { $0.scores[$0.count] == 1 }, "beyond the end")
    try expectFailure(#Predicate { $0.tags[7] == "x" }, "beyond the end")
    try expectFailure(#Predicate { $0.scores[1..<9].isEmpty }, "beyond the end")
    try expectFailure(#Predicate { (3...$0.count).contains(2) }, "lower bound")
    try expectFailure(#Predicate { (3..<$0.count).contains(2) }, "lower bound")
    let (low, high) = (3, 1)
    try expectFailure(#Predicate { (low...high).contains($0.count) }, "lower bound")
  }

  @Test func relationshipsThatTrapElsewhere() throws {
    try fixture.check(#Predicate { $0.studio == nil || $0.studio?.country == nil }, .sql)
    try fixture.check(#Predicate { $0.prequel?.prequel == nil }, .sql)
    try fixture.check(#Predicate { $0.prequel?.prequel?.prequel == nil }, .sql, isSelective: false)
    try fixture.check(#Predicate { $0.sequels?.isEmpty == false }, .sql)
    try fixture.check(#Predicate { $0.sequels == nil }, .memory, isSelective: false)
    try fixture.check(
      #Predicate { $0.genres.allSatisfy { $0.films.allSatisfy { !$0.name.isEmpty || $0.flag } } },
      .sql)
    try fixture.check(
      #Predicate { $0.studio?.films.contains { $0.sequels?.isEmpty == false } ?? false }, .sql)
    try fixture.check(
      #Predicate { $0.director.films.allSatisfy { $0.studio?.country?.leader?.name != "Bo" } },
      .sql, isSelective: false)
  }

  @Test func arraysOfIrregularText() throws {
    let context = fixture.fresh()
    let films = try context.fetch(FetchDescriptor<Film>())
    films[0].tags = ["Cafe\u{301}", "\u{1F600}", "quote\" \\u0041"]
    films[1].words = ["a", "\u{7F}/"]
    try context.save()
    let (composed, smile, quote) = ("Caf\u{E9}", "\u{1F600}", "quote\" \\u0041")
    func count(_ predicate: Predicate<Film>) throws -> Int {
      #expect(try fixture.sql(predicate).contains("json_each"))
      return try context.fetchCount(FetchDescriptor(predicate: predicate))
    }
    #expect(try count(#Predicate { $0.tags.contains(composed) }) == 1)
    #expect(try count(#Predicate { $0.tags.contains(smile) && $0.tags.contains(quote) }) == 1)
    #expect(try count(#Predicate { $0.words.contains("\u{7F}/") }) == 1)
    // SQLite would read "ab", so the predicate is evaluated in memory.
    films[2].tags = ["ab\u{0}c"]
    try context.save()
    #expect(try count(#Predicate { $0.tags.contains("ab") }) == 0)
    #expect(try count(#Predicate { $0.tags.contains("ab\u{0}c") }) == 1)
  }

  /// Deletions in the store are included.
  @Test func S085_deletionInTheStore() throws {
    let container = try ModelContainer(
      for: Lone.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
    let context = ModelContext(container)
    for number in 0..<3 { context.insert(Lone(number: number)) }
    try context.save()
    let store = try #require(container.core.stores.first?.store as? DefaultStore)
    let state = EditingState()
    #expect(throws: DataStoreError.preferInMemoryFilter) {
      try store.delete(
        DataStoreBatchDeleteRequest<Lone>(
          predicate: #Predicate { 6 / $0.number == 3 }, includeSubclasses: true, editingState: state))
    }
    try store.delete(
      DataStoreBatchDeleteRequest<Lone>(
        predicate: #Predicate { $0.number * 2 == 4 }, includeSubclasses: true, editingState: state))
    #expect(try ModelContext(container).fetchCount(FetchDescriptor<Lone>()) == 2)
  }

  @Test func irregularText() throws {
    let context = fixture.fresh()
    let film = try #require(try context.fetch(FetchDescriptor<Film>()).first)
    film.name = "Cafe\u{301}"
    try context.save()
    let (composed, part, letter) = ("Caf\u{E9}", "f\u{E9}", "e")
    func count(_ predicate: Predicate<Film>) throws -> Int {
      try context.fetchCount(FetchDescriptor(predicate: predicate))
    }
    #expect(try count(#Predicate { $0.name == composed }) == 1)
    #expect(try count(#Predicate { $0.name.contains(part) }) == 1)
    #expect(try count(#Predicate { $0.name.contains("Caf") && $0.name.contains(letter) }) == 0)
    #expect(try count(#Predicate { $0.name.localizedUppercase == "CAF\u{C9}" }) == 1)
    let list = [composed]
    #expect(try count(#Predicate { list.contains($0.name) }) == 1)
  }
}
