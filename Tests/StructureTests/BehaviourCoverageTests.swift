import Foundation
import Testing

/// Each documented behaviour of SwiftData has a number, which the names of its tests contain.
@Suite struct BehaviourCoverageTests {
  /// The groups that are complete, with the numbers of their behaviours.
  static let groups: [(name: String, numbers: [Int])] = [
    ("models and attributes", Array(1...22)),
    ("relationships", Array(23...36)),
    ("container and configuration", Array(37...48)),
    ("context life cycle", Array(49...73)),
    ("fetching", Array(74...88)),
    ("identifiers", Array(89...91)),
    ("data stores", Array(92...103)),
    ("concurrency", Array(127...129)),
    ("inheritance", Array(130...135)),
  ]

  /// The numbers in tests, read once for all groups.
  private static let found = Result { try shown() }

  @Test(arguments: groups.map(\.name))
  func everyBehaviourHasATestWithItsNumber(_ group: String) throws {
    let shown = try Self.found.get()
    let numbers = Self.groups.first { $0.name == group }?.numbers ?? []
    let missing = numbers.filter { !shown.contains($0) }
    #expect(missing.isEmpty, "no test shows \(missing.map { "S\($0)" }.joined(separator: ", "))")
  }

  /// Returns the numbers in the names of test functions. For example, `S058_S059_…` contains two numbers.
  static func shown() throws -> Set<Int> {
    var numbers = Set<Int>()
    for file in try SourceTree.files(below: "Tests") {
      for line in file.lines {
        guard let start = line.range(of: "func S") else { continue }
        for part in line[start.lowerBound...].dropFirst(5).split(separator: "_") {
          guard part.count == 4, part.first == "S", let number = Int(part.dropFirst()) else { break }
          numbers.insert(number)
        }
      }
    }
    return numbers
  }

  @Test func numbersAreParsed() throws {
    let shown = try Self.shown()
    #expect(shown.contains(37) && shown.contains(98) && !shown.contains(0))
  }
}
