import Foundation
import Testing

@testable import Trellis

/// SQL finds the rows that `Predicate.evaluate` finds, or the predicate is not translated at all.
@Suite struct PredicateDifferentialTests {
  @Test(arguments: [false, true])
  func randomPredicates(irregular: Bool) throws {
    let seed =
      ProcessInfo.processInfo.environment["PREDICATE_SEED"].flatMap(UInt64.init)
      ?? .random(in: 0...UInt64.max)
    let rounds =
      ProcessInfo.processInfo.environment["PREDICATE_ROUNDS"].flatMap(Int.init) ?? 1_000
    print("PREDICATE_SEED=\(seed) irregular=\(irregular)")
    var dice = Dice(state: seed)
    let store = try PredicateStore()
    try store.fill(60, irregular: irregular, &dice)
    var grammar = PredicateGrammar(
      dice: dice, texts: irregular ? Pool.texts : Pool.plainTexts + ["e\u{301}", "K"])
    var refused: [String: Int] = [:]
    for round in 0..<rounds {
      let predicate = grammar.predicate()
      do {
        let sql = try store.sql(predicate)
        let expected = try store.items.filter(predicate.evaluate).compactMap(\._$identifier.row)
        let found = try store.rows(predicate)
        // The evaluation that never stops the process is Foundation's where that does not either.
        let checked = try store.items.filter { item in
          var bindings = PredicateBindings()
          bindings[predicate.variable] = item
          return try predicate.expression.checkedValue(bindings)
        }
        #expect(checked.compactMap(\._$identifier.row) == expected, "seed \(seed), round \(round)")
        #expect(
          found == expected,
          "seed \(seed), round \(round): \(sql.text) \(sql.values)")
        if found != expected { return }
      } catch let error as Untranslatable {
        refused[error.reason, default: 0] += 1
      }
    }
    print("refused:", refused)
    #expect(refused.values.reduce(0, +) < rounds / 4)
  }
}
