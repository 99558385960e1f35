import Foundation
import TestSupport
import Trellis

/// A context's incorrect result.
struct Difference: Error, CustomStringConvertible {
  var description: String
}

/// Compares a context's results with results computed from all models.
final class DifferentialRun {
  private let context: ModelContext
  private let all: [DiffRow]
  private var grammar: DifferentialGrammar
  private let sorts: [DifferentialSort]
  private let seed: UInt64
  private(set) var explained = 0
  private(set) var inMemory = 0
  private var rounds = 0
  private var matches = 0
  private var reasons: [String: Int] = [:]

  init(_ context: ModelContext, irregular: Bool, seed: UInt64, _ dice: SeededGenerator) throws {
    self.context = context
    self.seed = seed
    all = try context.fetch(FetchDescriptor<DiffRow>())
    sorts = DifferentialSort.all(.forward) + DifferentialSort.all(.reverse)
    let absent = DifferentialWorld.row(DiffOwner(name: "")).persistentModelID
    grammar = DifferentialGrammar(
      dice: dice, texts: irregular ? DiffPool.texts : DiffPool.plainTexts + ["e\u{301}", "\u{212A}"],
      identifiers: all.prefix(3).map(\.persistentModelID) + [absent])
  }

  var summary: String {
    let worst = reasons.sorted { $0.value > $1.value }.prefix(12).map { "  \($0.value) × \($0.key)" }
    return """
      \(rounds) fetches of \(all.count) rows, \(matches) matches; \(inMemory) of \(explained) \
      explained run in memory:
      \(worst.joined(separator: "\n"))
      """
  }

  func compare(_ rounds: Int) throws {
    for round in 0..<rounds {
      var descriptor = FetchDescriptor<DiffRow>()
      if grammar.dice.roll(8) > 0 { descriptor.predicate = grammar.predicate() }
      let chosen = (0..<grammar.dice.roll(4)).map { _ in grammar.dice.pick(sorts) }
      descriptor.sortBy = chosen.map(\.descriptor)
      if grammar.dice.roll(3) == 0 { descriptor.fetchLimit = grammar.dice.roll(12) }
      if grammar.dice.roll(3) == 0 { descriptor.fetchOffset = grammar.dice.roll(8) }
      try check(descriptor, chosen, round)
    }
  }

  private func check(
    _ descriptor: FetchDescriptor<DiffRow>, _ sorts: [DifferentialSort], _ round: Int
  ) throws {
    rounds += 1
    let expected = try expected(descriptor, sorts).map(\.persistentModelID)
    matches += expected.count
    let fetched = try context.fetch(descriptor).map(\.persistentModelID)
    // Alternate between count and identifiers, which share the same code.
    let count = round % 2 == 0 ? try context.fetchCount(descriptor) : expected.count
    let identifiers = round % 2 == 1 ? try context.fetchIdentifiers(descriptor) : expected
    if round % 10 == 0 { try note(descriptor) }
    if fetched == expected, count == expected.count, identifiers == expected { return }
    throw Difference(
      description: """
        TRELLIS_SEED=\(seed), round \(round): expected \(expected), fetched \(fetched), \
        count \(count), identifiers \(identifiers)
        \(descriptor.predicate.map { "\($0)" } ?? "")
        \(descriptor.sortBy.compactMap(\.keyPath)) \(descriptor.sortBy.map(\.order))
        \(descriptor.fetchLimit as Any) \(descriptor.fetchOffset as Any)
        \(try descriptor.explain(in: context))
        """)
  }

  private func expected(
    _ descriptor: FetchDescriptor<DiffRow>, _ sorts: [DifferentialSort]
  ) throws -> [DiffRow] {
    var rows = all
    if let predicate = descriptor.predicate { rows = try rows.filter(predicate.evaluate) }
    // `all` is sorted by key, which breaks ties.
    let sorted = rows.enumerated().sorted { lhs, rhs in
      for sort in sorts {
        let result = sort.compare(lhs.element, rhs.element)
        if result != .orderedSame { return result == .orderedAscending }
      }
      return lhs.offset < rhs.offset
    }.map(\.element)
    let rest = sorted.dropFirst(descriptor.fetchOffset ?? 0)
    return descriptor.fetchLimit.map { Array(rest.prefix($0)) } ?? Array(rest)
  }

  private func note(_ descriptor: FetchDescriptor<DiffRow>) throws {
    let explanation = try descriptor.explain(in: context)
    explained += 1
    guard !explanation.runsInStore else { return }
    inMemory += 1
    for part in explanation.parts {
      if let reason = part.reason { reasons["\(part.kind): \(reason)", default: 0] += 1 }
    }
  }
}
