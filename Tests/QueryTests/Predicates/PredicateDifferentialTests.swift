import Foundation
import TestSupport
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisStore
@testable import TrellisModel

/// The store alone must find the rows of `Predicate.evaluate` or leave the predicate to the context. A fetch through a
/// context cannot show the difference.
@Suite struct PredicateDifferentialTests {
  @Test(arguments: [false, true])
  func theStoreAloneMatchesSwift(irregular: Bool) throws {
    let seed = SeededGenerator.seed("irregular=\(irregular) store")
    let rounds = Repetitions.scaled(400)
    var dice = SeededGenerator(seed: seed)
    let context = try DifferentialWorld.context(40, irregular: irregular, &dice)
    let store = try #require(context.container.core.stores.first?.store as? DefaultStore)
    let all = try context.fetch(FetchDescriptor<DiffRow>())
    var grammar = DifferentialGrammar(
      dice: dice, texts: irregular ? DiffPool.texts : DiffPool.plainTexts + ["e\u{301}", "\u{212A}"],
      identifiers: all.prefix(3).map(\.persistentModelID))
    var refused = 0
    for round in 0..<rounds {
      let predicate = grammar.predicate()
      let expected = try all.filter(predicate.evaluate).map(\.persistentModelID)
      // The checked evaluation must equal Foundation's evaluation if the latter does not trap.
      let checked = try all.filter { row in
        var bindings = PredicateBindings()
        bindings[predicate.variable] = row
        return try predicate.expression.checkedValue(bindings)
      }.map(\.persistentModelID)
      #expect(checked == expected, "TRELLIS_SEED=\(seed), round \(round): \(predicate)")
      let filtered = try all.filter(MemoryFilter(predicate).matches).map(\.persistentModelID)
      #expect(filtered == expected, "TRELLIS_SEED=\(seed), round \(round): \(predicate)")
      let request = DataStoreFetchRequest(
        descriptor: FetchDescriptor(predicate: predicate), editingState: context.editingState)
      do {
        let found = try context.container.core.withScope { try store.fetchIdentifiers(request) }
        #expect(found == expected, "TRELLIS_SEED=\(seed), round \(round): \(predicate)")
        if found != expected { return }
        let count = try context.container.core.withScope { try store.fetchCount(request) }
        #expect(count == expected.count, "TRELLIS_SEED=\(seed), round \(round): \(predicate)")
      } catch DataStoreError.preferInMemoryFilter {
        refused += 1
      }
    }
    print("refused: \(refused) of \(rounds)")
    #expect(refused < rounds / 2)
  }
}
