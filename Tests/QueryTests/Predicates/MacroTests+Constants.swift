import Foundation
import Testing
import Trellis

@testable import TestWorlds

/// Constants and lists in predicates. They have the same values as in Swift.
extension MacroTests {
  /// A constant only hides an outer name in the code that follows it.
  @Test func namesOfConstants() throws {
    let number = 2
    try check(
      #Predicate {
        if $0.flag { return $0.count == number }; let number = 3; return $0.count == number
      }
    ) {
      $0.count == ($0.flag ? 2 : 3)
    }
    try check(
      #Predicate {
        if let note = $0.note, note == "alpha" { return $0.count > number }
        let number = 100
        return $0.count < number
      }
    ) { $0.note == "alpha" ? $0.count > 2 : $0.count < 100 }
    try check(
      #Predicate {
        if $0.flag {
          let number = 3
          return $0.count == number
        } else if $0.count == number + 1 {
          return true
        }
        let number = number - 1
        return $0.count == number
      }
    ) { $0.flag ? $0.count == 3 : $0.count == 3 || $0.count == 1 }
    try check(
      #Predicate {
        $0.scenes.contains {
          if $0.weight > 3 { return number == 2 }; let number = 1; return $0.weight == number
        }
      }
    ) {
      $0.scenes.contains { $0.weight > 3 || $0.weight == 1 }
    }
    try check(
      #Predicate {
        let number = number + 1; let text = "\(number)"; return $0.name == text || $0.count == number
      }
    ) {
      $0.count == 3
    }
  }

  /// All values in a capture list are read outside the closure.
  @Test func captureLists() throws {
    let (one, two) = (1, 2)
    try check(#Predicate { [one = two, two = one] in $0.count == one && two == 1 }) { $0.count == 2 }
    try check(#Predicate { [two = 3, three = two] in $0.count == three && two == 3 }) { $0.count == 2 }
    try check(#Predicate { $0.scenes.contains { [two = one] in $0.weight == two } }) {
      $0.scenes.contains { $0.weight == 1 }
    }
  }

  /// The literals in a constant's value have the constant's type.
  @Test func typesOfConstants() throws {
    try check(
      #Predicate {
        let half: Double = $0.flag ? 7 : 2; return half / 2 > 3 && $0.count > 0
      }
    ) {
      $0.flag && $0.count > 0
    }
    try check(
      #Predicate {
        let half: Double? = $0.flag ? nil : 7; return (half ?? 1) / 2 > 3
      }
    ) { !$0.flag }
    try check(
      #Predicate {
        let size: Double = if $0.flag { 3 } else { 4 }; return size / 2 > 1.6
      }
    ) { !$0.flag }
    // An optional type makes the value optional.
    try check(
      #Predicate {
        let name: String? = $0.name; return name != $0.note
      }
    ) { $0.name != $0.note }
    try check(
      #Predicate {
        let count: Int? = $0.flag ? $0.count : nil; return count != nil && count == $0.optCount
      }
    ) { $0.flag && $0.count == $0.optCount }
    try check(
      #Predicate {
        let count: Int? = ($0.flag ? nil : $0.count + 1); return (count ?? 3) == 3
      }
    ) { $0.flag || $0.count == 2 }
  }

  /// An expression that a condition excludes does not stop the program.
  @Test func valuesAfterConditions() throws {
    let (none, empty, zero, big): (Int?, [Int], Int, Int) = (nil, [], 0, .max)
    try check(
      #Predicate {
        guard none != nil else { return $0.flag }; let n = none!; return $0.count == n
      }
    ) { $0.flag }
    try check(
      #Predicate {
        if !empty.isEmpty { let n = empty[0]; return $0.count == n }; return $0.flag
      }
    ) { $0.flag }
    try check(
      #Predicate {
        guard zero != 0 else { return $0.flag }; let n = 9 / zero; return $0.count == n
      }
    ) { $0.flag }
    try check(#Predicate { $0.flag || zero != 0 && $0.optCount == big + 1 }) { $0.flag }
    try check(#Predicate { $0.flag || zero != 0 && $0.optCount == -(big + 1) }) { $0.flag }
    try check(#Predicate { $0.flag || zero != 0 && $0.optCount == 9 / zero }) { $0.flag }
    // The closure of an empty list is not called.
    try check(
      #Predicate {
        $0.flag
          || !empty.isEmpty
            && $0.scenes.contains {
              let first = empty[0]; return $0.weight > first
            }
      }
    ) { $0.flag }
    // Constants that other constants depend on.
    try check(
      #Predicate {
        guard !empty.isEmpty else { return $0.flag }
        let first = empty[0]
        let next = first + 1
        let last: Int? = next
        let same = last == $0.optCount
        return $0.count == first || $0.optCount == next || $0.count > next * first || same
      }
    ) { $0.flag }
    let list = [1, 2]
    try check(
      #Predicate {
        guard !list.isEmpty else { return $0.flag }
        let first = list[0]
        let next = first + 1
        let half: Double = 3 / 2
        return $0.count == first || $0.optCount == next || $0.size < half && $0.count > next * first
      }
    ) { $0.count == 1 || $0.optCount == 2 || $0.size < 1.5 && $0.count > 2 }
  }

  /// A calculated value compared with an optional.
  @Test func calculatedValues() throws {
    let (one, list, film) = (1, [2, 3], fixture.films[5])
    try check(#Predicate { $0.optCount == one + 1 }, isSelective: false) { $0.optCount == 2 }
    try check(#Predicate { $0.optCount == list.first! + one }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { $0.optCount == list[1] }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { $0.optCount != -list[0] }, isSelective: false) { $0.optCount != -2 }
    try check(#Predicate { $0.optCount == 7 / 2 }, isSelective: false) { $0.optCount == 3 }
    try check(#Predicate { $0.optCount == film.count - one }, isSelective: false) { $0.optCount == film.count - 1 }
    try check(#Predicate { $0.note == "a" + "l" + "p" + "ha" }) { $0.note == "alpha" }
    try check(
      #Predicate { $0.size > film.size * 2 + film.size / 3 - Double(film.optCount ?? 1) * 4 }, isSelective: false
    ) {
      $0.size > film.size * 2 + film.size / 3 - Double(film.optCount ?? 1) * 4
    }
  }

  /// An optional property of the model compared with a value of the model.
  @Test func optionalsNextToValues() throws {
    try check(#Predicate { $0.optCount == $0.count }) { $0.optCount == $0.count }
    try check(#Predicate { $0.name != $0.note }) { $0.name != $0.note }
    try check(
      #Predicate {
        let next = $0.count + 1; return $0.optCount == next || next == $0.optCount
      }, isSelective: false
    ) { $0.optCount == $0.count + 1 }
    try check(
      #Predicate { if let count = $0.optCount { count == $0.prequel?.count } else { false } }, isSelective: false
    ) {
      $0.optCount != nil && $0.optCount == $0.prequel?.count
    }
    try check(#Predicate { if let other = $0.prequel { other == other.prequel?.prequel } else { $0.flag } }) {
      $0.prequel == nil && $0.flag
    }
    try check(#Predicate { if let other = $0.prequel { $0.studio == other.studio && $0 != other } else { $0.flag } }) {
      if let other = $0.prequel { $0.studio == other.studio && $0 != other } else { $0.flag }
    }
  }

  @Test func listsOfModels() throws {
    let (film, other, studio) = (fixture.films[5], fixture.films[2], fixture.studios[1])
    let person = fixture.people[0]
    try check(#Predicate { [film].contains($0) }) { $0 == film }
    try check(#Predicate { [film, other].contains($0) }) { $0 == film || $0 == other }
    try check(#Predicate { [person].contains($0.director) }) { $0.director == person }
    try check(#Predicate { [studio, nil].contains($0.studio) }) { $0.studio == nil || $0.studio == studio }
    try check(#Predicate { [.wild, .calm].contains($0.mood) }) { $0.mood == .wild || $0.mood == .calm }
    try check(#Predicate { [1, film.count].contains($0.count) }) { $0.count == 1 || $0.count == film.count }
    let numbers = [1, 2, 3]
    try check(#Predicate { numbers.prefix(2).contains($0.count) }) { $0.count == 1 || $0.count == 2 }
    try check(
      #Predicate {
        let rest = numbers[1...], one = 1; return rest.contains($0.count + one)
      }
    ) { $0.count == 1 || $0.count == 2 }
  }
}
