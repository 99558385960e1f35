import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// Predicates that Trellis's macro accepts and Foundation's macro rejects or interprets differently.
@Suite struct MacroTests {
  let fixture: FilmFixture

  init() throws { fixture = try FilmFixture() }

  /// Checks a predicate in all queries, and compares it with the same condition in Swift.
  func check(
    _ predicate: Predicate<Film>, _ answer: Answer = .sql, isSelective: Bool = true,
    at location: SourceLocation = #_sourceLocation, meaning: (Film) -> Bool
  ) throws {
    try fixture.check(predicate, answer, isSelective: isSelective, at: location)
    #expect(try fixture.films.map(predicate.evaluate) == fixture.films.map(meaning), sourceLocation: location)
  }

  @Test func staticMembers() throws {
    try check(#Predicate { $0.date < Date.now && $0.name == "alpha" }) { $0.name == "alpha" }
    try check(#Predicate { $0.mood == .wild }) { $0.mood == .wild }
    try check(#Predicate { $0.mood == Mood.wild }) { $0.mood == .wild }
    try check(#Predicate { $0.optMood != .wild }) { $0.optMood != .wild }
    try check(#Predicate { $0.grade == .high || $0.uid == FilmFixture.uuid(3) }) {
      $0.grade == .high || $0.uid == FilmFixture.uuid(3)
    }
    try check(#Predicate { $0.count >= Limits.shared.minimum }) { $0.count >= 2 }
  }

  /// Not codable, so a predicate cannot contain the struct itself.
  private struct Limits {
    static let shared = Limits()
    var minimum = 2
    var name = "alpha"
    var isStrict = true
    var names: [String] { ["x", name] }
  }

  @Test func capturedModels() throws {
    let studio = fixture.studios[1]
    let film = fixture.films[5]
    try check(#Predicate { $0.studio == studio }) { $0.studio == studio }
    try check(#Predicate { studio == $0.studio }) { $0.studio == studio }
    try check(#Predicate { $0.studio != studio }) { $0.studio != studio }
    try check(#Predicate { $0 == film }) { $0 == film }
    try check(#Predicate { $0.prequel == film.prequel }) { $0.prequel == film.prequel }
    try check(#Predicate { $0.director == film.director }) { $0.director == film.director }
    try check(#Predicate { $0.studio?.country == studio.country }) { $0.studio?.country == studio.country }
    let none: Studio? = nil
    try check(#Predicate { $0.studio == none }) { $0.studio == nil }
    try check(#Predicate { $0.prequel?.studio == film.prequel?.studio }) { $0.prequel?.studio == film.prequel?.studio }
    try check(#Predicate { none == nil && $0.flag }) { $0.flag }
    try check(#Predicate { film.studio != studio || $0.flag }) { film.studio != studio || $0.flag }
    try check(#Predicate { $0.sequels.flatMap { $0.contains { $0 == film } } ?? false }) {
      ($0.sequels ?? []).contains(film)
    }
    let scene = fixture.films[7].scenes[0]
    try check(#Predicate { $0.scenes.contains(scene) }) { $0.scenes.contains(scene) }
    let people = [fixture.people[0], fixture.people[2]]
    try check(#Predicate { people.contains($0.director) }) { people.contains($0.director) }
    let (some, nothing): (Film?, Film?) = (film, nil)
    try check(#Predicate { $0 == some }) { $0 == some }
    try check(#Predicate { some != $0 }) { $0 != some }
    try check(#Predicate { $0 == nothing }, isSelective: false) { _ in false }
    try check(#Predicate { $0 == film.prequel }, isSelective: false) { $0 == film.prequel }
    let studios = [studio, nil]
    try check(#Predicate { studios.contains($0.studio) }) { studios.contains($0.studio) }
    try check(#Predicate { $0.prequel.flatMap { studios.contains($0.studio) } ?? false }) {
      $0.prequel.map { studios.contains($0.studio) } ?? false
    }
  }

  @Test func propertiesOfCapturedModels() throws {
    let film = fixture.films[5]
    let limits = Limits()
    try check(#Predicate { $0.name == film.name }) { $0.name == film.name }
    try check(#Predicate { $0.count < film.count }) { $0.count < film.count }
    try check(#Predicate { $0.name == film.prequel?.name ?? "" }) { $0.name == film.prequel?.name ?? "" }
    try check(
      #Predicate { $0.note == film.director.name || $0.name == film.director.name.localizedLowercase },
      isSelective: false
    ) {
      $0.note == film.director.name || $0.name == film.director.name.localizedLowercase
    }
    try check(#Predicate { $0.studio?.persistentModelID == film.studio?.persistentModelID }) {
      $0.studio?.persistentModelID == film.studio?.persistentModelID
    }
    let studio = fixture.studios[1]
    try check(#Predicate { $0.studio?.persistentModelID == studio.persistentModelID }) {
      $0.studio?.persistentModelID == studio.persistentModelID
    }
    try check(#Predicate { studio.persistentModelID != $0.studio?.persistentModelID }) {
      studio.persistentModelID != $0.studio?.persistentModelID
    }
    try check(#Predicate { $0.studio?.id == studio.id }) { $0.studio?.id == studio.id }
    try check(#Predicate { $0.note == limits.name }) { $0.note == limits.name }
    try check(#Predicate { limits.names.contains($0.name) }) { limits.names.contains($0.name) }
    try check(#Predicate { limits.isStrict && $0.flag }) { $0.flag }
    try check(#Predicate { film.scenes.isEmpty || $0.flag }) { film.scenes.isEmpty || $0.flag }
  }

  @Test func capturedValues() throws {
    let (text, number, day): (String?, Int?, Date?) = ("alpha", 2, FilmFixture.day)
    let texts = ["x", "alpha"]
    let now = FilmFixture.day.addingTimeInterval(7200)
    try check(#Predicate { $0.note == text! }) { $0.note == text }
    try check(#Predicate { $0.count == number! }) { $0.count == number }
    try check(#Predicate { $0.optDate == day! }) { $0.optDate == day }
    try check(#Predicate { $0.note == texts[1] }) { $0.note == "alpha" }
    try check(#Predicate { $0.name == texts[1] }) { $0.name == "alpha" }
    try check(#Predicate { $0.name == text ?? "" }) { $0.name == "alpha" }
    try check(#Predicate { $0.date > now - 3_600 }) { $0.date > now - 3_600 }
    try check(#Predicate { $0.date == now - 3_600 }) { $0.date == now - 3_600 }
    try check(#Predicate { $0.name == "al" + texts[1].dropFirst(2) }) { $0.name == "alpha" }
    let (al, p, ha) = ("al", "p", "ha")
    try check(#Predicate { $0.name == al + p + ha }) { $0.name == "alpha" }
    try check(#Predicate { $0.name.contains("" + al + "" + p + "") }) { $0.name.contains("alp") }
    let (one, zero) = (1, 0)
    try check(#Predicate { $0.count == one + one + one - zero }) { $0.count == 3 }
    // Expressions that cannot be evaluated are not evaluated when the predicate is created.
    try check(#Predicate { one > 5 && $0.name == texts[9] || $0.flag }) { $0.flag }
    try check(#Predicate { zero != 0 && $0.count == 10 / zero || $0.flag }) { $0.flag }
    try check(#Predicate { $0.count == texts.count + 1 }) { $0.count == 3 }
    try check(#Predicate { (1...).contains($0.count) }) { $0.count >= 1 }
    try check(#Predicate { (...1).contains($0.count) }) { $0.count <= 1 }
  }

  /// Before `??`, Foundation's macro wraps a captured optional in another optional, in which nil is a value.
  @Test func defaultsOfCapturedOptionals() throws {
    let (none, some, rank): (String?, String?, Int?) = (nil, "alpha", nil)
    let (outer, inner): (String??, String??) = (.some(nil), .some("alpha"))
    let name = fixture.films.compactMap(\.note).first ?? ""
    try check(#Predicate { $0.note == none ?? name }, isSelective: false) { $0.note == none ?? name }
    try check(#Predicate { none ?? name == $0.note }, isSelective: false) { $0.note == name }
    try check(#Predicate { $0.note != (none ?? "alpha") }, isSelective: false) { $0.note != "alpha" }
    try check(#Predicate { $0.note == none ?? some ?? "x" }, isSelective: false) { $0.note == some }
    try check(#Predicate { $0.note == none ?? some }, isSelective: false) { $0.note == some }
    try check(#Predicate { $0.note == outer ?? name }, isSelective: false) { $0.note == nil }
    try check(#Predicate { $0.note == inner ?? "x" }, isSelective: false) { $0.note == "alpha" }
    try check(#Predicate { $0.name == none ?? "alpha" }) { $0.name == "alpha" }
    try check(#Predicate { $0.optCount == rank ?? 3 }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { $0.count == rank ?? 3 }, isSelective: false) { $0.count == 3 }
    try check(#Predicate { $0.optCount ?? 0 > rank ?? 1 }, isSelective: false) { $0.optCount ?? 0 > 1 }
    try check(#Predicate { $0.studio?.name == none ?? "Kino" }, isSelective: false) { $0.studio?.name == "Kino" }
    try check(#Predicate { (none ?? "alpha").count == $0.count }, isSelective: false) { $0.count == 5 }
  }

  private struct Choice: Codable, Sendable {
    var count = 3
    var rank: Int?
    var name = "alpha"
    var inner: Inner?
    struct Inner: Codable, Sendable { var rank: Int? }
  }

  /// Optional expressions that do not involve the model, before `??` or after `if let`.
  @Test func defaultsOfCapturedExpressions() throws {
    let (some, none): (Choice?, Choice?) = (Choice(inner: Choice.Inner()), nil)
    let (choice, text, isWanted, rank): (Choice, String?, Bool?, Int?) = (Choice(), "ab", true, nil)
    let three: Int? = 3
    let last = 3
    let (ranks, table): ([Int?], [String: Int]) = ([nil, 5], ["five": 5])
    try check(#Predicate { $0.optCount == ranks[0] ?? 3 }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { $0.optCount == ranks[1] ?? 3 }, isSelective: false) { $0.optCount == 5 }
    try check(#Predicate { $0.optCount == table["six"] ?? 3 }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { (ranks[0] ?? $0.optCount) == nil }, isSelective: false) { $0.optCount == nil }
    try check(#Predicate { $0.count == ranks[0] ?? 3 }) { $0.count == 3 }
    try check(#Predicate { $0.count == some?.count ?? 5 }) { $0.count == 3 }
    try check(#Predicate { $0.count == none?.count ?? 5 }) { $0.count == 5 }
    try check(#Predicate { ($0.optCount ?? some?.count ?? 5) == 3 }) { ($0.optCount ?? 3) == 3 }
    try check(#Predicate { (some?.count ?? $0.count) == 3 }, isSelective: false) { _ in true }
    try check(#Predicate { (none?.count ?? $0.count) == 3 }) { $0.count == 3 }
    try check(#Predicate { ($0.note ?? some?.name ?? "") == "alpha" }, isSelective: false) {
      ($0.note ?? "alpha") == "alpha"
    }
    try check(#Predicate { text?.count ?? $0.count == 2 }, isSelective: false) { _ in true }
    try check(#Predicate { if let some { some.count == 3 } else { $0.flag } }, isSelective: false) { _ in true }
    try check(#Predicate { if let none { none.count == 3 } else { $0.flag } }) { $0.flag }
    try check(#Predicate { if let isWanted { isWanted } else { $0.flag } }, isSelective: false) { _ in true }
    try check(#Predicate { (rank ?? $0.optCount) == 3 }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { (rank ?? $0.optCount) == nil }, isSelective: false) { $0.optCount == nil }
    try check(#Predicate { ((rank ?? $0.optCount) ?? 3) == 3 }, isSelective: false) { ($0.optCount ?? 3) == 3 }
    try check(#Predicate { $0.optCount == ((rank ?? nil) ?? last) }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { $0.optCount == (choice.count > 1 ? rank : three) ?? 3 }, isSelective: false) {
      $0.optCount == 3
    }
    try check(#Predicate { $0.optCount == some?.rank ?? 3 }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { $0.optCount == some?.inner?.rank ?? 3 }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { $0.optCount == choice.rank ?? 3 }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { (choice.rank ?? $0.optCount) == 3 }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { $0.count == choice.rank ?? choice.count }) { $0.count == 3 }
  }

  /// Foundation's macro rejects these literals, or treats strings of one character as characters.
  @Test func literals() throws {
    try check(#Predicate { $0.optCount == -1 }, isSelective: false) { $0.optCount == -1 }
    try check(#Predicate { $0.optCount != -1 }, isSelective: false) { $0.optCount != -1 }
    try check(#Predicate { 2 + 1 == $0.optCount }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { $0.count == 2 * 2 - 1 || $0.count == -1 }) { $0.count == 3 }
    let texts = ["a", "alpha"]
    try check(#Predicate { ["a", "alpha"].contains($0.name) }) { texts.contains($0.name) }
    try check(#Predicate { ["a", "b"].contains($0.name) }, isSelective: false) { _ in false }
    try check(#Predicate { !["a", "l"].contains($0.name) }, isSelective: false) { _ in true }
    try check(#Predicate { ["a", "b"].contains($0.note ?? "b") }, isSelective: false) { $0.note == nil }
  }

  @Test func texts() throws {
    try check(#Predicate { $0.name.hasPrefix("al") }) { $0.name.hasPrefix("al") }
    try check(#Predicate { $0.name.localizedStandardContains("ALPHA") }) { $0.name.localizedStandardContains("ALPHA") }
    try check(#Predicate { $0.name.caseInsensitiveCompare("ALPHA") == .orderedSame }) {
      $0.name.caseInsensitiveCompare("ALPHA") == .orderedSame
    }
  }

  @Test func nestedPredicates() throws {
    let strong = #Predicate<Film> { $0.count > 2 }
    try check(#Predicate { strong.evaluate($0) && $0.flag }) { $0.count > 2 && $0.flag }
    let far = #Predicate<Country> { $0.name == "Chile" }
    try check(#Predicate { ($0.studio?.country).flatMap { far.evaluate($0) } ?? false }) {
      $0.studio?.country?.name == "Chile"
    }
  }

  @Test func optionalsAtAnyDepth() throws {
    try check(#Predicate { ($0.studio?.country?.leader?.agency?.rank ?? $0.optCount ?? 1) > 0 }) {
      ($0.studio?.country?.leader?.agency?.rank ?? $0.optCount ?? 1) > 0
    }
    try check(#Predicate { $0.prequel?.prequel?.studio?.country?.name == nil }) {
      $0.prequel?.prequel?.studio?.country?.name == nil
    }
  }

  @Test func statements() throws {
    try check(
      #Predicate { film in
        let limit = 2
        guard film.count > limit else { return false }
        if let studio = film.studio, studio.flag { return true }
        return film.archived
      }
    ) { film in
      guard film.count > 2 else { return false }
      if let studio = film.studio, studio.flag { return true }
      return film.archived
    }
    try check(
      #Predicate { film in
        if let note = film.note {
          note == "alpha"
        } else if film.flag {
          true
        } else {
          film.count == 1
        }
      }
    ) { film in film.note.map { $0 == "alpha" } ?? (film.flag || film.count == 1) }
    try check(
      #Predicate { film in
        if film.flag {
          return true
        } else if film.count == 3 {
          return true
        }
        return film.archived
      }
    ) { $0.flag || $0.count == 3 || $0.archived }
    try check(
      #Predicate { film in
        if let count = film.optCount {
          if count > 1 { return true }
        }
        return film.archived
      }
    ) { ($0.optCount ?? 0) > 1 || $0.archived }
  }

  /// Backticks are not part of a name.
  @Test func backticks() throws {
    let film = fixture.films[0]
    let note = film.note
    try check(#Predicate { film in `film`.flag && film.note != note }) { $0.flag && $0.note != note }
    try check(#Predicate { x in if let `note` = x.note { note == "alpha" } else { false } }) { $0.note == "alpha" }
  }

  @Test func closures() throws {
    let number = 2
    try check(#Predicate { [number] in $0.count == number }) { $0.count == 2 }
    try check(#Predicate { [limit = number + 1] film in film.count == limit }) { $0.count == 3 }
    try check(#Predicate { (film: Film) -> Bool in film.flag && film.count > 1 }) { $0.flag && $0.count > 1 }
    try check(#Predicate { @Sendable film in film.flag }) { $0.flag }
    try check(#Predicate { $0.scenes.contains(where: { $0.weight > number }) }) { $0.scenes.contains { $0.weight > 2 } }
  }

  /// An ordinary program's conditions in one expression.
  @Test func manyConditions() throws {
    let (text, day) = ("l", FilmFixture.day)
    try check(
      #Predicate {
        $0.name.contains(text) && $0.count > 0 && $0.date >= day && ($0.optCount ?? 0) < 3 && $0.mood != .dark
          && $0.studio?.name != "Ost" && $0.archived == false && $0.optDate != nil
      }
    ) {
      $0.name.contains(text) && $0.count > 0 && $0.date >= day && ($0.optCount ?? 0) < 3 && $0.mood != .dark
        && $0.studio?.name != "Ost" && $0.archived == false && $0.optDate != nil
    }
  }

  @Test func expressions() throws {
    let weight = #Expression<Scene, Int> { $0.weight * 2 }
    try check(#Predicate { $0.scenes.contains { weight.evaluate($0) > 4 } }) {
      $0.scenes.contains { $0.weight * 2 > 4 }
    }
  }

  /// Types that are not models use Foundation's macro.
  @Test func otherTypes() throws {
    #expect(try #Predicate<String> { $0 == "a" }.evaluate("a"))
    #expect(try #Predicate<Int, Int> { $0 > $1 }.evaluate(2, 1))
    #expect(try #Expression<String, Int> { $0.count }.evaluate("abc") == 3)
    let both = #Predicate<Film, Int> { $0.count > $1 }
    #expect(try both.evaluate(fixture.films[5], 4))
  }

  /// A default argument that is visible to other modules requires Foundation's macro.
  static func matching(_ predicate: Predicate<Film> = #Foundation::Predicate<Film> { $0.flag }) -> Predicate<Film> {
    predicate
  }

  @Test func defaultArguments() throws {
    func local(_ predicate: Predicate<Film> = #Predicate<Film> { $0.mood == .wild }) -> Predicate<Film> { predicate }
    try check(local()) { $0.mood == .wild }
    try check(Self.matching()) { $0.flag }
  }
}
