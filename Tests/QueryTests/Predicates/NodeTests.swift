import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// One test for each kind of predicate node on Linux that the other suites do not cover.
@Suite struct NodeTests {
  let fixture: FilmFixture

  init() throws { fixture = try FilmFixture() }

  // MARK: Numbers

  @Test func nodeArithmetic() throws {
    let two = 2
    try fixture.check(#Predicate { $0.count + two == 5 }, .sql)
    try fixture.check(#Predicate { $0.count - two < 0 }, .sql)
    try fixture.check(#Predicate { $0.count * two > 5 }, .sql)
    try fixture.check(#Predicate { ($0.optCount ?? 0) + $0.count == 3 }, .sql)
    let half = 0.5
    try fixture.check(#Predicate { $0.size * half > 0.5 }, .sql)
    try fixture.check(#Predicate { $0.size - half == 0 }, .sql)
    let (price, ratio) = (Decimal(1), Float(2))
    try fixture.check(#Predicate { $0.price + price > price }, .memory)
    try fixture.check(#Predicate { $0.ratio * ratio > ratio }, .memory)
    let (big, small) = (UInt64(1), Int8(7))
    try fixture.check(
      #Predicate { $0.big > big && $0.big - big == 9_223_372_036_854_775_807 }, .sql)
    try fixture.check(#Predicate { $0.small + small == 7 }, .sql)
  }

  @Test func nodeIntDivision() throws {
    let two = 2
    try fixture.check(#Predicate { $0.count / two == 1 }, .sql)
    let minusTwo: Int8 = -2
    try fixture.check(#Predicate { $0.small / minusTwo == 8 }, .sql)
  }

  @Test func nodeIntRemainder() throws {
    let two = 2
    try fixture.check(#Predicate { $0.count % two == 1 }, .sql)
    let five: Int8 = 5
    try fixture.check(#Predicate { $0.small % five == -2 }, .sql)
  }

  @Test func nodeFloatDivision() throws {
    let (zero, two, infinity) = (0.0, 2.0, Double.infinity)
    try fixture.check(#Predicate { $0.size / two == 0.75 }, .sql)
    // Infinity and NaN are not errors.
    try fixture.check(#Predicate { $0.size / zero == infinity }, .sql)
    try fixture.check(#Predicate { $0.size / zero != $0.size / zero }, .sql)
  }

  @Test func nodeUnaryMinus() throws {
    let one = 1
    try fixture.check(#Predicate { -$0.count < -one }, .sql)
    try fixture.check(#Predicate { -$0.size > 1.0 }, .sql)
    try fixture.check(#Predicate { $0.count > -one }, .sql, isSelective: false)
  }

  // MARK: Ranges

  @Test func nodeRanges() throws {
    let (low, high) = (1, 3)
    try fixture.check(#Predicate { (low..<high).contains($0.count) }, .sql)
    try fixture.check(#Predicate { (low...high).contains($0.count) }, .sql)
    let (from, through, upTo) = (2..., ...2, ..<2)
    try fixture.check(#Predicate { from.contains($0.count) }, .sql)
    try fixture.check(#Predicate { through.contains($0.count) }, .sql)
    try fixture.check(#Predicate { upTo.contains($0.count) }, .sql)
    let names = "B"..."b"
    try fixture.check(#Predicate { names.contains($0.name) }, .sql)
    // Bounds that depend on the row.
    try fixture.check(#Predicate { (0...$0.count).contains(3) }, .memory)
    try fixture.check(#Predicate { (0..<$0.count).contains($0.optCount ?? 9) }, .memory)
  }

  // MARK: Sequences

  @Test func nodeAllSatisfy() throws {
    try fixture.check(#Predicate { $0.scenes.allSatisfy { $0.weight < 3 } }, .sql)
    try fixture.check(#Predicate { $0.scenes.allSatisfy { $0.lead?.name != "Bo" } }, .sql)
    try fixture.check(#Predicate { $0.genres.allSatisfy { $0.films.count > 10 } }, .sql)
    try fixture.check(#Predicate { $0.scores.allSatisfy { $0 < 2 } }, .memory)
    let names = ["alpha", "Alpha"]
    try fixture.check(#Predicate { film in names.allSatisfy { $0 != film.name } }, .memory)
  }

  @Test func nodeContainsWhere() throws {
    try fixture.check(
      #Predicate { film in film.genres.contains { $0.name == "drama" && film.flag } }, .sql)
    try fixture.check(#Predicate { $0.scores.contains { $0 == 2 } }, .memory)
    try fixture.check(
      #Predicate { $0.genres.contains { $0.films.contains { $0.prequel != nil } } }, .sql)
  }

  @Test func nodeFilter() throws {
    try fixture.check(#Predicate { $0.scenes.filter { $0.weight > 1 }.count == 2 }, .sql)
    try fixture.check(#Predicate { $0.scenes.filter { $0.weight > 1 }.isEmpty }, .sql)
    try fixture.check(
      #Predicate { !$0.scenes.filter { $0.weight > 1 }.filter { $0.lead != nil }.isEmpty }, .sql)
    try fixture.check(
      #Predicate {
        $0.genres.filter { !$0.films.filter { $0.prequel != nil }.isEmpty }.count == 1
      }, .sql)
    try fixture.check(
      #Predicate { $0.scenes.filter { $0.weight > 1 }.contains { $0.title == "end" } }, .sql)
    try fixture.check(#Predicate { $0.scores.filter { $0 > 0 }.count == 1 }, .memory)
  }

  @Test func nodeMinimumAndMaximum() throws {
    try fixture.check(#Predicate { $0.scores.max() == 1 }, .memory)
    try fixture.check(#Predicate { $0.scores.min() == nil }, .memory)
    let numbers = [1, 3, 2]
    try fixture.check(#Predicate { $0.count == numbers.max() ?? 0 }, .sql)
    try fixture.check(#Predicate { $0.count == numbers.min() ?? 0 }, .sql)
  }

  @Test func nodeSequenceContains() throws {
    let (tag, letter) = ("t1", Character("p"))
    try fixture.check(#Predicate { $0.tags.contains(tag) }, .sql)
    try fixture.check(#Predicate { $0.words.contains("w") }, .sql)
    try fixture.check(#Predicate { $0.name.contains(letter) }, .sql)
    try fixture.check(#Predicate { $0.data.contains(1) }, .memory)
  }

  @Test func nodeContainsCollection() throws {
    let pair = [0, 1]
    try fixture.check(#Predicate { $0.scores.contains(pair) }, .memory)
    try fixture.check(#Predicate { $0.name.contains($0.note ?? "zzz") }, .sql)
  }

  @Test func nodeStartsWith() throws {
    let (start, accent) = ("al", "Å")
    try fixture.check(#Predicate { $0.name.starts(with: start) }, .sql)
    try fixture.check(#Predicate { $0.name.starts(with: accent) }, .sql)
    try fixture.check(#Predicate { $0.note?.starts(with: start) ?? true }, .sql)
    let numbers = [0, 1]
    try fixture.check(#Predicate { $0.scores.starts(with: numbers) }, .memory)
  }

  @Test func nodeRegex() throws {
    let pattern = /^[ab]/
    try fixture.check(#Predicate { $0.name.contains(pattern) }, .memory)
  }

  @Test func nodeSubscripts() throws {
    let (key, index) = ("k", 1)
    try fixture.check(#Predicate { $0.labels[key] == 1 }, .memory)
    try fixture.check(#Predicate { $0.labels["k", default: 7] == 7 }, .memory)
    try fixture.check(#Predicate { !$0.tags.isEmpty && $0.tags[index] == "common" }, .memory)
    try fixture.check(#Predicate { $0.scores.count > 2 && $0.scores[0..<2].count == 2 }, .memory)
    let (list, numbers) = (["zero", "alpha"], ["alpha": 4])
    try fixture.check(#Predicate { $0.name == list[index] }, .sql)
    try fixture.check(#Predicate { $0.count == numbers["alpha"] ?? 0 }, .sql)
    try fixture.check(#Predicate { $0.count == numbers["none", default: 2] }, .sql)
    try fixture.check(#Predicate { numbers[$0.name] == 4 }, .memory)
  }

  // MARK: Conditions and optionals

  @Test func nodeConditional() throws {
    try fixture.check(#Predicate { $0.flag ? $0.count > 2 : $0.archived }, .sql)
    try fixture.check(#Predicate { ($0.flag ? $0.count : 1) == 1 }, .sql)
    try fixture.check(#Predicate { if $0.flag { $0.count > 2 } else { $0.archived } }, .sql)
  }

  @Test func nodeOptionalBinding() throws {
    try fixture.check(
      #Predicate { film in
        if let count = film.optCount { count == film.count } else { film.flag }
      }, .sql)
    try fixture.check(
      #Predicate { if let place = $0.optPlace { place.city == "Lima" } else { false } }, .memory)
  }

  @Test func nodeOptionalFlatMap() throws {
    try fixture.check(#Predicate { $0.note.flatMap { $0 == "x" } ?? true }, .sql)
    try fixture.check(#Predicate { $0.note.flatMap { $0.isEmpty } == nil }, .sql)
    try fixture.check(
      #Predicate { $0.note.flatMap { !$0.isEmpty } != false }, .sql,
      isSelective: false)
  }

  @Test func nodeNilCoalesce() throws {
    try fixture.check(#Predicate { ($0.optCount ?? 2) == 2 }, .sql)
    try fixture.check(#Predicate { ($0.optCount ?? $0.count) == 2 }, .sql)
    try fixture.check(#Predicate { ($0.optMood ?? $0.mood).rawValue == "wild" }, .sql)
    try fixture.check(#Predicate { ($0.prequel?.studio?.name ?? $0.name) == "alpha" }, .sql)
  }

  @Test func nodeForcedUnwrap() throws {
    try fixture.check(#Predicate { $0.optCount != nil && $0.optCount! > 0 }, .sql)
    try fixture.check(#Predicate { $0.studio != nil && $0.studio!.name == "Nord" }, .sql)
    // Without a guard, Swift throws for a row without the value, and so does every fetch.
    let predicate = #Predicate<Film> { $0.optCount! > 0 }
    let context = fixture.fresh()
    #expect(throws: PredicateError.self) { try context.fetch(FetchDescriptor(predicate: predicate)) }
    #expect(throws: PredicateError.self) {
      try context.fetchCount(FetchDescriptor(predicate: predicate))
    }
    #expect(throws: PredicateError.self) { try context.delete(model: Film.self, where: predicate) }
    #expect(!context.hasChanges)
  }

  // MARK: Types

  /// Casts of models are tested in `InheritanceTests`. The compiler warns about casts of values.
  @Test func nodeTypeCheckAndCasts() throws {
    typealias Name = PredicateExpressions.KeyPath<PredicateExpressions.Variable<Film>, String>
    let isNumber = Predicate<Film> {
      PredicateExpressions.TypeCheck<Name, Int>(
        PredicateExpressions.build_KeyPath(root: $0, keyPath: \.name))
    }
    try fixture.check(isNumber, .memory, isSelective: false)
    let cast = Predicate<Film> {
      PredicateExpressions.build_Equal(
        lhs: PredicateExpressions.ConditionalCast<Name, String>(
          PredicateExpressions.build_KeyPath(root: $0, keyPath: \.name)),
        rhs: PredicateExpressions.build_Arg(Optional("alpha")))
    }
    try fixture.check(cast, .memory)
    let forced = Predicate<Film> {
      PredicateExpressions.build_Equal(
        lhs: PredicateExpressions.ForceCast<Name, Int>(
          PredicateExpressions.build_KeyPath(root: $0, keyPath: \.name)),
        rhs: PredicateExpressions.build_Arg(1))
    }
    #expect(throws: PredicateError.self) {
      try fixture.fresh().fetch(FetchDescriptor(predicate: forced))
    }
  }

  // MARK: Members of values

  @Test func nodeKeyPathsOfText() throws {
    try fixture.check(#Predicate { $0.name.isEmpty }, .sql)
    try fixture.check(#Predicate { $0.name.count == 5 }, .sql)
    let letter: Character? = "a"
    try fixture.check(#Predicate { $0.name.first == letter }, .sql)
    try fixture.check(#Predicate { $0.name.last == letter }, .sql)
    try fixture.check(#Predicate { $0.name.localizedLowercase == "alpha" }, .sql)
    try fixture.check(#Predicate { $0.name.localizedUppercase == "ÅLESUND" }, .sql)
    try fixture.check(#Predicate { $0.note?.localizedLowercase == "zürich" }, .sql)
  }

  @Test func nodeKeyPathsOfCollections() throws {
    try fixture.check(#Predicate { $0.tags.isEmpty }, .sql)
    try fixture.check(#Predicate { $0.tags.count == 2 }, .sql)
    try fixture.check(#Predicate { $0.labels.isEmpty }, .memory)
    try fixture.check(#Predicate { $0.scores.first == 0 }, .memory)
    try fixture.check(#Predicate { $0.data.isEmpty }, .sql)
    try fixture.check(#Predicate { $0.data.count == 2 }, .sql)
    try fixture.check(#Predicate { $0.scenes.first == nil }, .memory)
  }

  @Test func nodeKeyPathsOfValues() throws {
    try fixture.check(#Predicate { $0.place.city == "Oslo" }, .memory)
    try fixture.check(#Predicate { $0.optPlace?.floor == 1 }, .memory)
    try fixture.check(#Predicate { $0.mood.title == "WILD" }, .memory)
    try fixture.check(#Predicate { $0.uid.uuidString.contains("0F1") }, .sql)
    try fixture.check(
      #Predicate { $0.date.timeIntervalSinceReferenceDate > 867_600.0 }, .sql)
    try fixture.check(#Predicate { $0.link?.absoluteString == "https://example.org/1" }, .memory)
    try fixture.check(#Predicate { $0.shout == "ALPHA" }, .memory)
  }
}
