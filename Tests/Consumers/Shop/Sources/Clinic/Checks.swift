import Foundation
import SwiftData

/// Counts the checks of a run and keeps the failures.
final class Checks {
  let program: String
  private var count = 0
  private var countAtSection = 0
  private var failures: [String] = []
  private(set) var predicates = 0
  /// The number of predicates that some models satisfy and others do not.
  private(set) var selective = 0

  init(_ program: String) {
    self.program = program
  }

  func expect(_ name: String, _ condition: Bool) {
    count += 1
    if !condition { failures.append(name) }
  }

  func equal<Value: Equatable>(_ name: String, _ found: Value, _ wanted: Value) {
    count += 1
    if found != wanted { failures.append("\(name): found \(found), not \(wanted)") }
  }

  /// Compares two lists and records the lines that differ.
  func sameLines(_ name: String, _ found: [String], _ wanted: [String]) {
    count += 1
    if found != wanted {
      let extra = found.filter { !wanted.contains($0) }.prefix(3)
      let missing = wanted.filter { !found.contains($0) }.prefix(3)
      failures.append("\(name): found \(Array(extra)), missing \(Array(missing))")
    }
  }

  /// Compares the models that a predicate finds with those that a closure selects.
  func check<Model: PersistentModel>(
    _ name: String, _ predicate: Predicate<Model>, in context: ModelContext, _ expected: (Model) -> Bool
  ) {
    predicates += 1
    do {
      let all = try context.fetch(FetchDescriptor<Model>())
      let wanted = Set(all.filter(expected).map(\.persistentModelID))
      let descriptor = FetchDescriptor<Model>(predicate: predicate)
      let found = try context.fetch(descriptor).map(\.persistentModelID)
      equal(name, Set(found), wanted)
      equal(name + ", count", [found.count, try context.fetchCount(descriptor)], [wanted.count, wanted.count])
      if !wanted.isEmpty, wanted.count < all.count { selective += 1 }
    } catch {
      fail("\(name): \(error)")
    }
  }

  func fail(_ text: String) {
    count += 1
    failures.append(text)
  }

  func endSection(_ title: String) {
    print("\(title): \(count - countAtSection) checks")
    countAtSection = count
  }

  func finish() -> Never {
    if failures.isEmpty {
      print("\(program): ok, \(count) checks")
      exit(0)
    }
    for failure in failures { print("failed: \(failure)") }
    print("\(program): \(failures.count) of \(count) checks failed")
    exit(1)
  }
}
