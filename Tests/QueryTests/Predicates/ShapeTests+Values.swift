import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// Typical predicates of programs, 1–31: values of the row.
@Suite struct ShapesOfValues {
  let fixture: FilmFixture

  init() throws { fixture = try FilmFixture() }

  private let name = "alpha"
  private let number = 2
  private let day = FilmFixture.day
  private let uid = FilmFixture.uuid(3)

  @Test func shape01_equal() throws {
    try fixture.check(#Predicate { $0.name == name }, .sql)
    try fixture.check(#Predicate { $0.mood == mood }, .sql)
    try fixture.check(#Predicate { $0.uid == uid }, .sql)
    let (minute, hour) = (Duration.seconds(60), Duration.seconds(3_600))
    try fixture.check(#Predicate { $0.length == minute || $0.length > hour }, .sql)
    let note: String? = "x"
    try fixture.check(#Predicate { $0.note == note }, .sql)
    try fixture.check(#Predicate { $0.note == name }, .sql)
    let place = Place(city: "Oslo", floor: 1)
    try fixture.check(#Predicate { $0.place == place }, .memory)
    let letter = URL(string: "https://example.org/1")
    try fixture.check(#Predicate { $0.link == letter }, .sql)
  }

  private let mood = Mood.wild

  @Test func shape02_id() throws {
    let id = fixture.films[3].persistentModelID
    try fixture.check(#Predicate { $0.id == id }, .sql)
  }

  @Test func shape03_twoEqualities() throws {
    try fixture.check(#Predicate { $0.name == name && $0.flag == true }, .sql)
  }

  @Test func shape04_manyEqualities() throws {
    let small = fixture.films[7].small
    try fixture.check(
      #Predicate { $0.name == name && $0.small == small && $0.mood == mood }, .sql)
    let film = fixture.films[7]
    let (count, date, flag) = (film.count, film.date, film.flag)
    try fixture.check(
      #Predicate {
        $0.name == name && $0.small == small && $0.count == count && $0.date == date
          && $0.flag == flag
      }, .sql)
  }

  @Test func shape05_literal() throws {
    try fixture.check(#Predicate { $0.name == "alpha" }, .sql)
    try fixture.check(#Predicate { $0.note == "alpha" }, .sql)
  }

  @Test func shape06_number() throws {
    try fixture.check(#Predicate { $0.count == 2 }, .sql)
    try fixture.check(#Predicate { $0.size == 0.5 }, .sql)
    try fixture.check(#Predicate { $0.optCount == 2 }, .sql)
  }

  @Test func shape07_notEqual() throws {
    try fixture.check(#Predicate { $0.name != name }, .sql)
    // Nil differs from every value.
    try fixture.check(#Predicate { $0.note != name }, .sql)
    let id = fixture.films[0].id
    try fixture.check(#Predicate { $0.name == name && $0.id != id }, .sql)
  }

  @Test func shape08_oneOfSeveral() throws {
    try fixture.check(
      #Predicate { $0.name == "alpha" || $0.name == "beta" || $0.name == "none" }, .sql)
    let dark = Mood.dark
    try fixture.check(#Predicate { $0.mood == mood || $0.mood == dark }, .sql)
    try fixture.check(#Predicate { $0.name == name || $0.note == name }, .sql)
  }

  @Test func shape09_rawValue() throws {
    let raw = Mood.wild.rawValue
    try fixture.check(#Predicate { $0.moodRaw == raw }, .sql)
    try fixture.check(#Predicate { $0.mood.rawValue == raw }, .sql)
    try fixture.check(#Predicate { $0.optMood?.rawValue == raw }, .sql)
    try fixture.check(#Predicate { $0.optMood == mood }, .sql)
    try fixture.check(#Predicate { $0.grade.rawValue == 1 }, .sql)
  }

  @Test func shape10_collectionLiteral() throws {
    try fixture.check(#Predicate { $0.tags == [] }, .memory)
    try fixture.check(#Predicate { $0.tags.isEmpty }, .sql)
  }

  @Test func shape11_persistentModelID() throws {
    let id = fixture.films[3].persistentModelID
    try fixture.check(#Predicate { $0.persistentModelID == id }, .sql)
    let studio = fixture.studios[1].persistentModelID
    try fixture.check(#Predicate { $0.studio?.persistentModelID == studio }, .sql)
    let person = fixture.people[1].persistentModelID
    try fixture.check(#Predicate { $0.director.persistentModelID == person }, .sql)
    try fixture.check(#Predicate { $0.persistentModelID != id }, .sql)
  }

  @Test func shape12_boolAgainstLiteral() throws {
    try fixture.check(#Predicate { $0.flag == true }, .sql)
    try fixture.check(#Predicate { $0.flag == false }, .sql)
    try fixture.check(#Predicate { $0.optFlag == false }, .sql)
    try fixture.check(#Predicate { $0.optFlag != true }, .sql)
  }

  @Test func shape13_bareBool() throws {
    try fixture.check(#Predicate { $0.flag }, .sql)
    try fixture.check(#Predicate { !$0.flag }, .sql)
    try fixture.check(#Predicate { !$0.flag && !$0.archived && !$0.name.isEmpty }, .sql)
    try fixture.check(#Predicate { $0.optFlag ?? false }, .sql)
    try fixture.check(#Predicate { !($0.optFlag ?? true) }, .sql)
  }

  @Test func shape14_equalityAndBool() throws {
    try fixture.check(#Predicate { $0.name == name && $0.flag == false }, .sql)
    try fixture.check(#Predicate { $0.flag == false && $0.archived == false }, .sql)
  }

  @Test func shape15_constant() throws {
    try fixture.check(#Predicate { _ in true }, .sql, isSelective: false)
    try fixture.check(#Predicate { _ in false }, .sql, isSelective: false)
  }

  @Test func shape16_nil() throws {
    try fixture.check(#Predicate { $0.note != nil }, .sql)
    try fixture.check(#Predicate { $0.note == nil }, .sql)
    try fixture.check(#Predicate { $0.optPlace == nil }, .sql)
    try fixture.check(#Predicate { $0.optMood == nil }, .sql)
    let none: String? = nil
    try fixture.check(#Predicate { $0.note == none }, .sql)
  }

  @Test func shape17_nilOrValue() throws {
    try fixture.check(#Predicate { $0.note == nil || $0.note == name }, .sql)
    try fixture.check(#Predicate { $0.note == nil || $0.note != name }, .sql)
  }

  @Test func shape18_nilOrUnwrapped() throws {
    let late = day.addingTimeInterval(3600)
    try fixture.check(#Predicate { $0.optDate == nil || $0.optDate! < late }, .sql)
    try fixture.check(#Predicate { $0.optDate != nil && $0.optDate! < late }, .sql)
  }

  @Test func shape19_optionalRelationship() throws {
    try fixture.check(#Predicate { $0.studio == nil }, .sql)
    try fixture.check(#Predicate { $0.studio != nil }, .sql)
    try fixture.check(#Predicate { $0.prequel == nil && $0.studio != nil }, .sql)
    try fixture.check(#Predicate { !($0.studio == nil) }, .sql)
  }

  @Test func shape20_nilOrNil() throws {
    try fixture.check(#Predicate { $0.prequel != nil || $0.optMood != nil }, .sql)
    try fixture.check(#Predicate { $0.studio?.rank == nil }, .sql)
    try fixture.check(#Predicate { $0.studio?.country == nil }, .sql)
  }

  @Test func shape21_comparison() throws {
    let late = day.addingTimeInterval(2 * 3600)
    try fixture.check(#Predicate { $0.date >= late }, .sql)
    try fixture.check(#Predicate { $0.date < late }, .sql)
    try fixture.check(#Predicate { $0.count > 2 }, .sql)
    let (small, big) = (Int8(-8), UInt64.max)
    try fixture.check(#Predicate { $0.small <= small }, .sql)
    try fixture.check(#Predicate { $0.big < big }, .sql)
    let (price, ratio) = (Decimal(9), Float(0.25))
    try fixture.check(#Predicate { $0.price > price }, .sql)
    try fixture.check(#Predicate { $0.ratio > ratio }, .sql)
    try fixture.check(#Predicate { $0.name < name }, .sql)
    let grade = Rating.middle
    try fixture.check(#Predicate { $0.grade < grade }, .memory)
  }

  @Test func shape22_betweenDays() throws {
    let (low, high) = (day.addingTimeInterval(3600), day.addingTimeInterval(3 * 3600))
    try fixture.check(#Predicate { $0.date >= low && $0.date < high }, .sql)
    try fixture.check(#Predicate { $0.date >= low && $0.date <= high }, .sql)
  }

  @Test func shape23_keyAndBetween() throws {
    let (low, high) = (day.addingTimeInterval(3600), day.addingTimeInterval(3 * 3600))
    try fixture.check(#Predicate { $0.mood == mood && $0.date >= low && $0.date <= high }, .sql)
    try fixture.check(
      #Predicate { $0.mood == mood && $0.flag && $0.date >= low && $0.date <= high }, .sql)
  }

  @Test func shape24_unwrappedComparison() throws {
    let low = day.addingTimeInterval(3600)
    try fixture.check(
      #Predicate { if let date = $0.optDate { date >= low } else { false } }, .sql)
    try fixture.check(#Predicate { if let date = $0.optDate { date < low } else { true } }, .sql)
    try fixture.check(#Predicate { $0.optDate != nil && $0.optDate! >= low }, .sql)
  }

  @Test func shape25_columnsAndRanges() throws {
    try fixture.check(#Predicate { $0.count > $0.optCount ?? 0 }, .sql)
    try fixture.check(#Predicate { $0.name == $0.note ?? "" }, .sql)
    try fixture.check(#Predicate { (1...3).contains($0.count) }, .sql)
    try fixture.check(#Predicate { (1..<3).contains($0.count) }, .sql)
    let days = day.addingTimeInterval(3600)...day.addingTimeInterval(7200)
    try fixture.check(#Predicate { days.contains($0.date) }, .sql)
    try fixture.check(#Predicate { ($0.count...9).contains(3) }, .memory)
  }

  @Test func shape26_capturedCollection() throws {
    let names = ["alpha", "beta", "none"]
    try fixture.check(#Predicate { names.contains($0.name) }, .sql)
    let moods: Set<Mood> = [.wild, .dark]
    try fixture.check(#Predicate { moods.contains($0.mood) }, .sql)
    let notes: [String?] = [nil, "x"]
    try fixture.check(#Predicate { notes.contains($0.note) }, .sql)
  }

  @Test func shape27_capturedIdentifiers() throws {
    let ids = Set(fixture.films[3..<9].map(\.persistentModelID))
    try fixture.check(#Predicate { ids.contains($0.id) }, .sql)
    try fixture.check(#Predicate { ids.contains($0.persistentModelID) }, .sql)
    let uids = fixture.films[3..<9].map(\.uid)
    try fixture.check(#Predicate { uids.contains($0.uid) }, .sql)
    let counts: [Int64] = [1, 2]
    let bigs: [UInt64] = [1, .max]
    try fixture.check(#Predicate { bigs.contains($0.big) && !counts.isEmpty }, .sql)
  }

  @Test func shape28_missingFromCollection() throws {
    let ids = Set(fixture.films[3..<9].map(\.persistentModelID))
    try fixture.check(#Predicate { !ids.contains($0.id) }, .sql)
    let uids = Set(fixture.films[3..<9].map(\.uid))
    try fixture.check(#Predicate { !uids.contains($0.uid) }, .sql)
  }

  @Test func shape29_keyAndCollection() throws {
    let names = ["alpha", "Alpha"]
    try fixture.check(#Predicate { $0.mood == mood && names.contains($0.name) }, .sql)
  }

  @Test func shape30_twoCollections() throws {
    let (names, others) = (["alpha"], ["beta", "Alpha"])
    try fixture.check(
      #Predicate {
        ($0.flag == true && !names.contains($0.name))
          || ($0.flag == false && !others.contains($0.name))
      }, .sql)
  }

  @Test func shape31_unwrappedInCollection() throws {
    let notes = ["x", "alpha"]
    try fixture.check(
      #Predicate { if let note = $0.note { notes.contains(note) } else { false } }, .sql)
  }
}
