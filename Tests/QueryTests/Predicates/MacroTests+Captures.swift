import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// Values that predicates read from `self` and from types, and the source text around them.
extension MacroTests {
  private struct Limits {
    var (zero, total) = (0, 10)
    var list: [Int] = []
    var (low, high) = (3, 1)
    var isOff = false

    var predicates: [Predicate<Film>] {
      [
        #Predicate { self.zero == 0 ? $0.flag : $0.count > self.total / self.zero },
        #Predicate { $0.flag || !self.list.isEmpty && $0.count == self.list[0] },
        #Predicate { $0.flag || self.isOff && self.total + Int.max > $0.count },
        #Predicate { $0.flag || self.low <= self.high && (self.low...self.high).contains($0.count) },
        #Predicate { film in
          guard self.zero != 0 else { return film.flag }
          return film.count > self.total / self.zero
        },
        #Predicate { film in
          let zero = self.zero
          return zero == 0 ? film.flag : film.count > self.total / zero
        },
        #Predicate { $0.flag || !Config.list.isEmpty && $0.count == Config.list[0] },
        #Predicate { $0.flag || Config.zero != 0 && 10 / Config.zero > $0.count },
        #Predicate { film in
          let List = self.list
          return film.flag || !List.isEmpty && film.count == List[0]
        },
      ]
    }
  }

  private enum Config {
    static let list: [Int] = []
    static let zero = 0
    static let names = ["x", "alpha"]
    static subscript(index: Int) -> Int { index * 2 }
  }

  @Test func membersOfSelfAndTypes() throws {
    for predicate in Limits().predicates { try check(predicate) { $0.flag } }
    try check(#Predicate { $0.name == Config.names[1] }) { $0.name == "alpha" }
    try check(#Predicate { Config.names.contains($0.name) }) { $0.name == "alpha" }
    try check(#Predicate { $0.count == Config[1] }) { $0.count == 2 }
    try check(#Predicate { $0.count == Int.max - (Int.max - 2) }) { $0.count == 2 }
    try check(#Predicate { $0.date > Date.distantPast + 1 && $0.count == -(-Config.names.count) }) { $0.count == 2 }
  }

  /// Properties of the main actor have no key paths.
  @MainActor private final class Screen {
    var limit = 2
    var other: Screen?

    var predicates: [Predicate<Film>] {
      [
        #Predicate { $0.count > self.limit }, #Predicate { $0.count > self.other?.limit ?? 2 },
        #Predicate { $0.count + self.limit > 2 * self.limit },
      ]
    }
  }

  @Test @MainActor func membersOfActors() throws {
    for predicate in Screen().predicates { try check(predicate) { $0.count > 2 } }
  }

  /// The parameter of a closure hides a constant with the same name, even if its type is written.
  @Test func parametersWithTypes() throws {
    let table = ["a": 1, "b": 2]
    try check(
      #Predicate {
        let limit = 3; return [1, 2].map { (limit: Int) in limit + 1 }.contains($0.count) && $0.count <= limit
      }
    ) { $0.count == 2 || $0.count == 3 }
    try check(
      #Predicate { [limit = 3] film in
        [1, 2].map { (limit: Int) -> Int in limit + 1 }.contains(film.count) && film.count < limit
      }
    ) { $0.count == 2 }
    try check(
      #Predicate {
        let key = "b"; let found = table.filter { (key: String, value: Int) in key == "a" }
        return $0.count == found.count && $0.name != key
      }
    ) { $0.count == 1 }
    try check(
      #Predicate {
        let `default` = 3; return $0.count == table["z", default: `default`]
      }
    ) { $0.count == 3 }
  }

  /// A backslash after another backslash does not begin an interpolation.
  @Test func escapedBackslashes() throws {
    try check(
      #Predicate {
        let x = 2; return $0.count < "\\(x)".count - x
      }
    ) { $0.count < 2 }
    try check(#Predicate { film in film.flag && film.note != "C:\\(film)" && film.note != "\\(number!)" }) { $0.flag }
  }
}
