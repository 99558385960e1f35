import Foundation
import TestSupport
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// Predicates with the same signature share a statement but have separate results.
@Suite struct FormTests {
  let fixture: FilmFixture
  let store: DefaultStore
  /// The films in key order.
  let films: [Film]

  init() throws {
    fixture = try FilmFixture()
    store = try fixture.store()
    films = fixture.films.sorted { $0.persistentModelID < $1.persistentModelID }
  }

  /// Executes a predicate with each value twice in a new context.
  ///
  /// - Parameter shares: True if the predicates share statements; nil if some of them do.
  private func check<V>(
    _ values: [V], shares: Bool? = true, at location: SourceLocation = #_sourceLocation,
    _ make: (V) -> Predicate<Film>
  ) throws {
    for (index, value) in (values + values.reversed()).enumerated() {
      let predicate = make(value)
      let expected = try films.filter(predicate.evaluate).map(\.persistentModelID)
      var descriptor = FetchDescriptor(predicate: predicate)
      let context = fixture.fresh()
      // Some values, such as invalid dates, cannot be printed.
      let note = Comment(rawValue: "value \(index)")
      #expect(try context.fetchIdentifiers(descriptor) == expected, note, sourceLocation: location)
      #expect(try context.fetchCount(descriptor) == expected.count, note, sourceLocation: location)
      #expect(
        try context.fetch(descriptor).map(\.persistentModelID) == expected, note,
        sourceLocation: location)
      let isShared = try SharedStatement.check(descriptor, store)
      if let shares { #expect(isShared == shares, note, sourceLocation: location) }
      (descriptor.fetchLimit, descriptor.fetchOffset) = (expected.count / 2, 1)
      #expect(
        try context.fetchIdentifiers(descriptor)
          == Array(expected.dropFirst().prefix(expected.count / 2)), note, sourceLocation: location)
      _ = try SharedStatement.check(descriptor, store)
    }
  }

  /// A value whose raw value does not determine the other properties.
  private struct Bound: RawRepresentable, Codable, Sendable {
    var rawValue = true
    var limit = 0

    init(limit: Int) { self.limit = limit }
    init?(rawValue: Bool) { self.rawValue = rawValue }
  }

  @Test func propertiesOfCapturedValues() throws {
    try check([Bound(limit: 1), Bound(limit: 3)], shares: false) { bound in #Predicate { $0.count < bound.limit } }
  }

  @Test func otherValues() throws {
    try check([0, 3, -1, .max, .min]) { count in #Predicate { $0.count == count } }
    try check([0, 3, -1, .max, .min]) { count in #Predicate { $0.count + 1 > count } }
    try check(["alpha", "Ålesund", "A\u{30A}lesund", "nobody", "'\"?\0"]) { name in
      #Predicate { $0.name == name }
    }
    try check([0.5, -0.0, 0, .infinity, -.infinity, 1e300]) { size in #Predicate { $0.size < size } }
    try check([0, 3600, 1e9].map { FilmFixture.day.addingTimeInterval($0) }) { date in
      #Predicate { $0.date > date }
    }
    try check((0..<4).map(FilmFixture.uuid)) { uid in #Predicate { $0.uid == uid } }
  }

  @Test func nilAndValues() throws {
    try check([nil, 0, 1, 2, 7]) { count in #Predicate { $0.optCount == count } }
    try check([nil, 0, 1, 2, 7]) { count in #Predicate { $0.optCount != count } }
    try check([nil, "x", "", "alpha"]) { note in #Predicate { $0.note == note } }
    try check([nil, FilmFixture.uuid(1), FilmFixture.uuid(9)]) { uid in
      #Predicate { $0.optUID == uid }
    }
    try check([nil, FilmFixture.day]) { date in #Predicate { $0.optDate != date } }
    // Values that are computed outside of the predicate prevent a shared statement.
    try check([nil, 0, 1, 2], shares: false) { count in #Predicate { $0.count == count ?? 2 } }
  }

  @Test func nanValues() throws {
    try check([0.5, .nan, 1.5]) { size in #Predicate { $0.size == size } }
    try check([0.5, .nan, 1.5]) { size in #Predicate { $0.size <= size } }
    try check([0, .nan].map { Date(timeIntervalSinceReferenceDate: $0) }) { date in
      #Predicate { $0.date >= date }
    }
    let film = try #require(fixture.context.fetch(FetchDescriptor<Film>()).first)
    film.size = .nan
    try fixture.context.save()
    try check([0.5, .nan, 1.5]) { size in #Predicate { $0.size == size } }
    try check([0.5, .nan, 1.5]) { size in #Predicate { $0.size <= size } }
  }

  @Test func texts() throws {
    try check(["alpha", "a", "Å"]) { part in #Predicate { $0.name.contains(part) } }
    try check(["alpha", "", "a", ""], shares: nil) { part in #Predicate { $0.name.contains(part) } }
    try check(["alpha", "", "a"], shares: nil) { part in #Predicate { $0.name.starts(with: part) } }
    try check(["alpha", "beta", "Å"]) { name in #Predicate { $0.name == name } }
    // Text in another normalization form changes how all text is compared.
    let film = try #require(fixture.context.fetch(FetchDescriptor<Film>()).first)
    film.name = "A\u{30A}lesund"
    try fixture.context.save()
    try check(["alpha", "Ålesund", "A\u{30A}lesund"]) { name in #Predicate { $0.name == name } }
    try check(["", "a"], shares: nil) { text in #Predicate { text.isEmpty || $0.name == text } }
  }

  @Test func cases() throws {
    try check(Mood.allCases) { mood in #Predicate { $0.mood == mood } }
    try check(Mood.allCases + [nil]) { mood in #Predicate { $0.optMood == mood } }
    try check(Rating.allCases) { grade in #Predicate { $0.grade != grade } }
    try check([true, false]) { flag in #Predicate { $0.flag == flag } }
    try check([true, false, nil]) { flag in #Predicate { $0.optFlag == flag } }
    try check([true, false], shares: nil) { flag in #Predicate { flag || $0.count == 3 } }
    try check([true, false], shares: nil) { flag in #Predicate { $0.count == 3 && flag } }
    try check([true, false], shares: false) { flag in #Predicate { !flag || $0.count == 3 } }
  }

  @Test func collections() throws {
    try check([[], [1], [1, 2, 3], [7]], shares: false) { counts in
      #Predicate { counts.contains($0.count) }
    }
    try check([[], [nil], [1, nil], [1, 2]] as [[Int?]], shares: false) { counts in
      #Predicate { counts.contains($0.optCount) }
    }
    try check([1..<3, 0..<0, 2..<9], shares: false) { range in
      #Predicate { range.contains($0.count) }
    }
  }

  @Test func identities() throws {
    let unsaved = Film(
      name: "", date: FilmFixture.day, uid: UUID(), place: Place(city: ""), director: Person(name: ""))
    let ids = [films[3], films[29], unsaved].map(\.persistentModelID)
    let foreign = fixture.studios[0].persistentModelID
    // Identifiers of other tables and unsaved models are translated separately.
    for id in ids + [foreign, ids[0]] {
      let predicate = #Predicate<Film> { $0.persistentModelID == id }
      let context = fixture.fresh()
      let expected = films.filter { $0.persistentModelID == id }.map(\.persistentModelID)
      let descriptor = FetchDescriptor(predicate: predicate)
      #expect(try context.fetchCount(descriptor) == expected.count)
      #expect(try context.fetchIdentifiers(descriptor) == expected)
      #expect(try context.fetch(descriptor).map(\.persistentModelID) == expected)
      _ = try SharedStatement.check(descriptor, store)
    }
    try check(fixture.studios.map(\.persistentModelID)) { studio in
      #Predicate { $0.studio?.persistentModelID == studio }
    }
    try check(fixture.studios.map(\.persistentModelID) + [nil]) { studio in
      #Predicate { $0.studio?.persistentModelID == studio }
    }
    for id in [foreign, films[0].persistentModelID, unsaved.persistentModelID, foreign] {
      let predicate = #Predicate<Film> { $0.studio?.persistentModelID == id }
      let expected = try films.filter(predicate.evaluate).map(\.persistentModelID)
      #expect(try fixture.fresh().fetchIdentifiers(FetchDescriptor(predicate: predicate)) == expected)
    }
  }

  /// The type of the expression does not contain operators, key paths and variables.
  @Test func operatorsAndKeyPathsOfEqualTypes() throws {
    try check([0, 1, 3]) { count in #Predicate { $0.count < count } }
    try check([0, 1, 3]) { count in #Predicate { $0.count <= count } }
    try check([0, 1, 3]) { count in #Predicate { $0.count >= count } }
    try check([1, 3]) { number in #Predicate { $0.count * 2 > number } }
    try check([1, 3]) { number in #Predicate { $0.count - 2 > number } }
    try check(["alpha", "x"]) { text in #Predicate { $0.name == text } }
    try check([true, false]) { flag in #Predicate { $0.flag == flag } }
    try check([true, false]) { flag in #Predicate { $0.archived == flag } }
    try check([1, 2]) { weight in
      #Predicate { film in film.scenes.contains { scene in scene.weight > weight } }
    }
    let sequels = #Predicate<Film> { film in
      film.sequels?.contains { sequel in sequel.count > film.count } ?? false
    }
    let turned = #Predicate<Film> { film in
      film.sequels?.contains { sequel in film.count > sequel.count } ?? false
    }
    let alone = #Predicate<Film> { film in
      film.sequels?.contains { sequel in sequel.count > sequel.count } ?? false
    }
    for predicate in [sequels, turned, alone, sequels] {
      let expected = try films.filter(predicate.evaluate).map(\.persistentModelID)
      #expect(try fixture.fresh().fetchIdentifiers(FetchDescriptor(predicate: predicate)) == expected)
    }
    #expect(try fixture.sql(sequels) != fixture.sql(turned))
  }

  @Test func nestedPredicates() throws {
    for count in [0, 3, 9] {
      let inner = #Predicate<Film> { $0.count > count }
      let predicate = #Predicate<Film> { inner[$0] && $0.flag }
      let expected = try films.filter(predicate.evaluate).map(\.persistentModelID)
      #expect(try fixture.fresh().fetchIdentifiers(FetchDescriptor(predicate: predicate)) == expected)
    }
  }

  /// Tests more signatures than the cache keeps.
  @Test func moreSignaturesThanTheCacheKeeps() throws {
    let paths: [any KeyPath<Film, Int> & Sendable] = [\.count, \.count, \.count]
    for _ in 0..<3 {
      for (path, limit) in zip(paths, [0, 1, 2]) {
        for number in 0..<40 {
          // New variables do not change the signature; a new string is a new value.
          let name = "n\(number)"
          let predicate = Predicate<Film> {
            PredicateExpressions.build_Conjunction(
              lhs: PredicateExpressions.build_Comparison(
                lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: path),
                rhs: PredicateExpressions.build_Arg(limit), op: .greaterThan),
              rhs: PredicateExpressions.build_NotEqual(
                lhs: PredicateExpressions.build_KeyPath(root: $0, keyPath: \.name),
                rhs: PredicateExpressions.build_Arg(name)))
          }
          let expected = try films.filter(predicate.evaluate).map(\.persistentModelID)
          let found = try fixture.context.fetchIdentifiers(FetchDescriptor(predicate: predicate))
          #expect(found == expected)
        }
      }
    }
  }

  /// Random predicates: a shared statement must equal the separate translation.
  @Test func sharedStatementsEqualSeparateTranslations() throws {
    let seed = SeededGenerator.seed()
    let rounds = Repetitions.scaled(2_000, upTo: 20_000)
    for irregular in [false, true] {
      var dice = SeededGenerator(seed: seed)
      let context = try DifferentialWorld.context(6, irregular: irregular, &dice)
      let store = try #require(context.container.core.stores.first?.store as? DefaultStore)
      let rows = try context.fetch(FetchDescriptor<DiffRow>())
      let absent = DifferentialWorld.row(DiffOwner(name: "")).persistentModelID
      var grammar = DifferentialGrammar(
        dice: dice, texts: DiffPool.texts,
        identifiers: rows.prefix(3).map(\.persistentModelID) + [absent])
      var shared = 0
      for _ in 0..<rounds {
        var descriptor = FetchDescriptor<DiffRow>(predicate: grammar.predicate())
        if grammar.dice.roll(3) == 0 { descriptor.fetchLimit = 1 + grammar.dice.roll(9) }
        if try SharedStatement.check(descriptor, store) { shared += 1 }
      }
      print("\(shared) of \(rounds) share a statement")
      #expect(shared > rounds / 16)
    }
  }
}
