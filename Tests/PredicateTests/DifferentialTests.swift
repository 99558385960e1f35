import Foundation
import Testing

@testable import Trellis

/// A fetch answers what filtering and sorting all models with Foundation's own tools answers:
/// random predicates, sorts and pages, through a context, over the default store.
///
///     TRELLIS_SEED=7 TRELLIS_ROUNDS=100000 swift test --filter DifferentialTests
@Suite struct DifferentialTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let rounds = environment["TRELLIS_ROUNDS"].flatMap(Int.init) ?? 10_000
  private static let seed =
    environment["TRELLIS_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64.max)

  @Test(arguments: [false, true])
  func aFetchIsWhatSwiftWouldFindAndSort(irregular: Bool) throws {
    print("TRELLIS_SEED=\(Self.seed) irregular=\(irregular)")
    var dice = DiffDice(state: Self.seed)
    let context = try DifferentialWorld.context(32, irregular: irregular, &dice)
    let run = try DifferentialRun(context, irregular: irregular, seed: Self.seed, dice)
    try run.compare(Self.rounds)
    print(run.summary)
    #expect(run.inMemory < run.explained / 2)
  }

  @Test func pendingChangesCount() throws {
    print("TRELLIS_SEED=\(Self.seed) pending")
    var dice = DiffDice(state: Self.seed)
    let context = try DifferentialWorld.context(24, irregular: false, &dice)
    let rows = try context.fetch(FetchDescriptor<DiffRow>())
    let owner = try #require(rows.first).owner
    for row in rows where dice.roll(4) == 0 {
      DifferentialWorld.fill(row, irregular: false, DiffPool.plainTexts, [0, 1, -1], &dice)
    }
    for row in rows where dice.roll(6) == 0 { context.delete(row) }
    for _ in 0..<4 {
      let row = DifferentialWorld.row(owner)
      DifferentialWorld.fill(row, irregular: false, DiffPool.plainTexts, [0, 1, -1], &dice)
      context.insert(row)
    }
    let run = try DifferentialRun(context, irregular: false, seed: Self.seed, dice)
    try run.compare(Self.rounds / 20)
    print(run.summary)
  }
}

/// Compares a context's answers with what follows from all of its models.
private final class DifferentialRun {
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

  init(_ context: ModelContext, irregular: Bool, seed: UInt64, _ dice: DiffDice) throws {
    self.context = context
    self.seed = seed
    all = try context.fetch(FetchDescriptor<DiffRow>())
    sorts = DifferentialSort.all(.forward) + DifferentialSort.all(.reverse)
    let absent = PersistentIdentifier(
      token: .interned(store: context.container.stores[0].identifier, entity: "DiffRow"),
      row: 9_999)
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
      guard try agrees(descriptor, chosen, round) else { return }
    }
  }

  private func agrees(
    _ descriptor: FetchDescriptor<DiffRow>, _ sorts: [DifferentialSort], _ round: Int
  ) throws -> Bool {
    rounds += 1
    let expected = try expected(descriptor, sorts).map(\.persistentModelID)
    matches += expected.count
    let fetched = try context.fetch(descriptor).map(\.persistentModelID)
    let count = try context.fetchCount(descriptor)
    let identifiers = try context.fetchIdentifiers(descriptor)
    if round % 10 == 0 { try note(descriptor) }
    if fetched == expected, count == expected.count, identifiers == expected { return true }
    Issue.record(
      """
      seed \(seed), round \(round): expected \(expected.map(\.row)), fetched \(fetched.map(\.row)), \
      count \(count), identifiers \(identifiers.map(\.row))
      \(descriptor.predicate.map { "\($0)" } ?? "")
      \(descriptor.sortBy.compactMap(\.keyPath)) \(descriptor.sortBy.map(\.order))
      \(descriptor.fetchLimit as Any) \(descriptor.fetchOffset as Any)
      \(try descriptor.explain(in: context))
      """)
    return false
  }

  private func expected(
    _ descriptor: FetchDescriptor<DiffRow>, _ sorts: [DifferentialSort]
  ) throws -> [DiffRow] {
    var rows = all
    if let predicate = descriptor.predicate { rows = try rows.filter(predicate.evaluate) }
    // `all` is in the order of the keys, and sorting is stable.
    rows.sort { lhs, rhs in
      for sort in sorts {
        let result = sort.compare(lhs, rhs)
        if result != .orderedSame { return result == .orderedAscending }
      }
      return false
    }
    let rest = rows.dropFirst(descriptor.fetchOffset ?? 0)
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
