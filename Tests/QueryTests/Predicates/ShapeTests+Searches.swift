import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// Typical predicates of programs, 49–62: searches, filters, composition, types.
@Suite struct ShapesOfSearches {
  let fixture: FilmFixture

  init() throws { fixture = try FilmFixture() }

  private let text = "ALP"
  private let none = ""

  @Test func shape49_localizedSearch() throws {
    try fixture.check(#Predicate { $0.name.localizedStandardContains(text) }, .sql)
    let accent = "alesund"
    try fixture.check(#Predicate { $0.name.localizedStandardContains(accent) }, .sql)
  }

  @Test func shape50_twoSearches() throws {
    try fixture.check(
      #Predicate {
        $0.name.localizedStandardContains(text)
          || $0.director.name.localizedStandardContains(text)
      }, .sql)
    try fixture.check(#Predicate { $0.note?.localizedStandardContains(text) ?? false }, .sql)
  }

  @Test func shape51_contains() throws {
    let part = "lp"
    try fixture.check(#Predicate { $0.name.contains(part) }, .sql)
    try fixture.check(#Predicate { $0.studio?.name == "Nord" && $0.name.contains(part) }, .sql)
    // The wildcards of LIKE are ordinary characters.
    let (percent, line) = ("%", "_")
    try fixture.check(#Predicate { $0.name.contains(percent) }, .sql)
    try fixture.check(#Predicate { $0.name.contains(line) }, .sql)
    let upper = "LP"
    try fixture.check(#Predicate { $0.name.contains(upper) }, .sql, isSelective: false)
  }

  @Test func shape52_ifSearchIsEmpty() throws {
    try fixture.check(
      #Predicate { if none.isEmpty { true } else { $0.name.localizedStandardContains(none) } },
      .sql, isSelective: false)
    try fixture.check(
      #Predicate { if text.isEmpty { true } else { $0.name.localizedStandardContains(text) } },
      .sql)
  }

  @Test func shape53_ternarySearch() throws {
    try fixture.check(
      #Predicate {
        text.isEmpty
          ? true
          : ($0.name.localizedStandardContains(text)
            || $0.director.name.localizedStandardContains(text))
      }, .sql)
  }

  @Test func shape54_optionalFilters() throws {
    let kind = 0
    try fixture.check(
      #Predicate {
        (kind == 0 || $0.count == kind) && $0.flag == true
          && (text == "" || $0.name.localizedStandardContains(text))
      }, .sql)
  }

  @Test func shape55_searchInList() throws {
    let day = FilmFixture.day
    try fixture.check(
      #Predicate {
        if text.isEmpty {
          $0.date > day
        } else {
          $0.date > day
            && ($0.name.localizedStandardContains(text)
              || $0.scenes.contains { $0.title.localizedStandardContains(text) })
        }
      }, .sql)
  }

  @Test func shape56_nilOrValueAndSearch() throws {
    let mood = Mood.wild
    try fixture.check(
      #Predicate {
        ($0.optMood == nil || $0.optMood == mood) && $0.name.localizedStandardContains(text)
      }, .sql)
  }

  @Test func shape57_flagDrivenFilter() throws {
    let (hidesFlagged, onlyArchived, onlyCount) = (true, false, true)
    try fixture.check(
      #Predicate {
        (!hidesFlagged || !$0.flag) && (!onlyArchived || $0.archived)
          && (!onlyCount || $0.count == 3) && (!hidesFlagged || !$0.name.isEmpty)
      }, .sql)
  }

  @Test func shape58_ifCollectionIsEmpty() throws {
    let (names, nobody) = (["alpha"], [String]())
    try fixture.check(
      #Predicate { if !names.isEmpty { names.contains($0.name) } else { true } }, .sql)
    try fixture.check(
      #Predicate { if !nobody.isEmpty { nobody.contains($0.name) } else { true } }, .sql,
      isSelective: false)
  }

  @Test func shape59_composition() throws {
    let flagged = #Predicate<Film> { $0.flag }
    let named = #Predicate<Film> { $0.name == "alpha" || $0.name == "beta" }
    let long = #Predicate<Film> { $0.scenes.count > 1 }
    try fixture.check(#Predicate { named[$0] }, .sql)
    try fixture.check(#Predicate { flagged[$0] && named[$0] }, .sql)
    try fixture.check(#Predicate { flagged[$0] && !named[$0] && long[$0] }, .sql)
    // Nested predicates that are used repeatedly.
    let both = #Predicate<Film> { flagged[$0] || long[$0] }
    try fixture.check(#Predicate { !both[$0] && !flagged[$0] && $0.count == 3 }, .sql)
    // Predicates on a destination and on all members of a list.
    let nordic = #Predicate<Studio> { $0.country?.name == "Norge" }
    try fixture.check(#Predicate { $0.studio.flatMap { nordic[$0] } ?? false }, .sql)
    let led = #Predicate<Scene> { $0.lead != nil }
    try fixture.check(#Predicate { $0.scenes.contains { led[$0] } }, .sql)
    // A nested comparison with nil guards the following expression.
    let counted = #Predicate<Film> { $0.optCount != nil && $0.flag }
    try fixture.check(#Predicate { counted[$0] && $0.optCount! > 0 }, .sql)
    // One expression that cannot be translated makes the whole predicate run in memory.
    let loud = #Predicate<Film> { $0.shout == "ALPHA" }
    try fixture.check(#Predicate { loud[$0] && flagged[$0] }, .memory)
    #expect(!"\(both)".isEmpty)
    #expect(try both[fixture.films[0]] == both.evaluate(fixture.films[0]))
  }

  @Test func shape60_combination() throws {
    let names = ["alpha", "beta", "Alpha"]
    let (mood, genre) = (Mood?.none, fixture.genres[0].id)
    try fixture.check(
      #Predicate {
        !$0.archived && names.contains($0.name) && (mood == nil || $0.optMood == mood)
          && $0.genres.contains { $0.id == genre }
      }, .sql)
  }

  @Test func shape62_generatedForm() throws {
    let id: PersistentIdentifier? = fixture.studios[2].persistentModelID
    try fixture.check(#Predicate<Film> { $0.studio?.persistentModelID == id }, .sql)
  }
}
