import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// Typical predicates of programs, 32–48: relationships and lists.
@Suite struct ShapesOfRows {
  let fixture: FilmFixture

  init() throws { fixture = try FilmFixture() }

  private let name = "Nord"

  @Test func shape32_identityThroughOptional() throws {
    let id = fixture.studios[1].id
    try fixture.check(#Predicate { $0.studio?.id == id }, .sql)
    let row: PersistentIdentifier? = fixture.studios[1].persistentModelID
    try fixture.check(#Predicate { $0.studio?.persistentModelID == row }, .sql)
    try fixture.check(#Predicate { $0.studio?.id == id && $0.flag == false }, .sql)
    let none: PersistentIdentifier? = nil
    try fixture.check(#Predicate { $0.studio?.persistentModelID == none }, .sql)
    let film = fixture.films[4].persistentModelID
    try fixture.check(#Predicate { $0.prequel?.id == film }, .sql)
  }

  @Test func shape33_valueThroughOptional() throws {
    try fixture.check(#Predicate { $0.studio?.name == name }, .sql)
    try fixture.check(#Predicate { $0.studio?.name != name }, .sql)
  }

  @Test func shape34_valueThroughOptionalAndMore() throws {
    let mood = Mood.calm
    try fixture.check(#Predicate { $0.studio?.name == name && $0.mood == mood }, .sql)
    try fixture.check(#Predicate { $0.studio?.name == name && $0.archived == false }, .sql)
  }

  @Test func shape35_twoReferences() throws {
    let (studio, person) = (fixture.studios[0].persistentModelID, fixture.people[1].id)
    try fixture.check(
      #Predicate { $0.studio?.persistentModelID == studio && $0.director.id == person }, .sql)
    try fixture.check(#Predicate { $0.studio?.name == name || $0.prequel?.name == "Ålesund" }, .sql)
  }

  @Test func shape36_messageList() throws {
    let mood = Mood.dark
    try fixture.check(
      #Predicate {
        $0.studio?.name == "Ost" && $0.note != nil && $0.archived == false && $0.mood != mood
      }, .sql)
  }

  @Test func shape37_flagThroughOptional() throws {
    try fixture.check(#Predicate { $0.studio?.flag != true }, .sql)
    try fixture.check(#Predicate { $0.studio?.flag == true }, .sql)
  }

  @Test func shape38_nestedUnwrap() throws {
    try fixture.check(
      #Predicate {
        if let studio = $0.studio, let country = studio.country {
          country.leader?.name == "Ada" && studio.flag
        } else {
          false
        }
      }, .sql)
    try fixture.check(
      #Predicate {
        if let studio = $0.studio, let country = studio.country {
          country.name == "Chile"
        } else {
          true
        }
      }, .sql)
  }

  @Test func shape39_flatMap() throws {
    let names = ["Nord", "nord"]
    try fixture.check(
      #Predicate { $0.studio.flatMap { names.contains($0.name) } ?? false }, .sql)
    try fixture.check(
      #Predicate { $0.studio.flatMap { names.contains($0.name) } ?? true }, .sql)
  }

  @Test func shape40_twoLevels() throws {
    try fixture.check(#Predicate { $0.studio?.country?.name == "Norge" }, .sql)
    try fixture.check(#Predicate { $0.studio?.country?.name != "Norge" }, .sql)
    try fixture.check(#Predicate { $0.studio?.country?.leader?.name == "Ada" }, .sql)
    try fixture.check(#Predicate { $0.studio?.country?.leader == nil }, .sql)
    try fixture.check(#Predicate { $0.prequel?.prequel?.studio?.name == "nord" }, .sql)
  }

  @Test func shape41_throughRequired() throws {
    try fixture.check(#Predicate { $0.director.name == "Ada" }, .sql)
    try fixture.check(#Predicate { $0.director.name == "Ada" && $0.note == nil }, .sql)
  }

  @Test func shape42_mixedChains() throws {
    try fixture.check(#Predicate { $0.director.agency?.name == "Ost" }, .sql)
    try fixture.check(
      #Predicate { if let agency = $0.director.agency { agency.code > 1 } else { false } }, .sql)
    try fixture.check(#Predicate { $0.director.agency?.country?.name == "Chile" }, .sql)
  }

  @Test func shape43_containsWhere() throws {
    try fixture.check(#Predicate { $0.scenes.contains { $0.title == "chase" } }, .sql)
    try fixture.check(#Predicate { $0.genres.contains { $0.name == "noir" } }, .sql)
    try fixture.check(#Predicate { !$0.scenes.contains { $0.lead?.name == "Bo" } }, .sql)
  }

  @Test func shape44_searchInMembers() throws {
    let text = "CHASE"
    try fixture.check(
      #Predicate {
        $0.name.contains("ray") || $0.scenes.contains { $0.title.localizedStandardContains(text) }
      }, .sql)
  }

  @Test func shape45_emptyAndCount() throws {
    try fixture.check(#Predicate { $0.scenes.isEmpty }, .sql)
    try fixture.check(#Predicate { !$0.scenes.isEmpty }, .sql)
    try fixture.check(#Predicate { $0.scenes.isEmpty == false }, .sql)
    try fixture.check(#Predicate { $0.scenes.count == 2 && $0.genres.count == 2 }, .sql)
    try fixture.check(#Predicate { $0.sequels?.isEmpty == false }, .sql)
    try fixture.check(#Predicate { ($0.sequels?.count ?? 0) > 1 }, .sql)
  }

  @Test func shape46_sumsOfExpressions() throws {
    let (titles, names) = (["intro", "end"], ["noir", "drama"])
    let wanted = #Expression<[Scene], Int> { $0.filter { titles.contains($0.title) }.count }
    let genres = #Expression<[Genre], Int> { $0.filter { names.contains($0.name) }.count }
    try fixture.check(#Predicate { wanted[$0.scenes] == 1 }, .sql)
    try fixture.check(#Predicate { wanted[$0.scenes] + genres[$0.genres] == 2 }, .sql)
    let led = ["Ada", "Bo"]
    let leads = #Expression<[Scene], Int> {
      $0.filter { $0.lead.flatMap { led.contains($0.name) } ?? false }.count
    }
    try fixture.check(#Predicate { leads[$0.scenes] + wanted[$0.scenes] > 2 }, .sql)
  }

  @Test func shape47_expressionsOfLists() throws {
    let isLong = #Expression<[Scene], Bool> { $0.contains { ($0.length ?? 0) > 8 } }
    let count = #Expression<[Scene], Int> { $0.count }
    try fixture.check(#Predicate { !isLong[$0.scenes] && count[$0.scenes] == 1 }, .sql)
  }

  @Test func shape48_arrayAttribute() throws {
    let tag = "t1"
    try fixture.check(#Predicate { $0.tags.contains(tag) }, .sql)
    try fixture.check(#Predicate { $0.scores.contains(2) }, .sql)
  }
}
