import Foundation
import TestSupport
import Testing
import Trellis

/// Random saves: each transaction must contain exactly the differences between the states before and after it.
struct DifferentialTests {
  private static let rounds = Repetitions.scaled(20, upTo: 240)

  @Test(arguments: StoreKind.allCases) func everyTransactionContainsTheDifferenceOfTwoStates(kind: StoreKind) throws {
    let seed = SeededGenerator.seed()
    let fixture = try HistoryFixture(kind)
    var program = RandomSaves(fixture.container, seed: seed)
    var states = [try StoredState(fixture.container)]
    var allTold: [[PersistentIdentifier: ToldChange]] = []
    var tokens: [DefaultHistoryToken?] = []
    var known = 0
    for round in 0..<Self.rounds {
      let outcome = program.round()
      let after = try StoredState(fixture.container)
      let before = states[states.count - 1]
      let expected = before.changes(to: after)
      let news = try Array(fixture.all().dropFirst(known))
      known += news.count
      let words = "seed \(seed), round \(round): \(program.log.joined(separator: "; "))"
      if outcome.isQuiet {
        // The changes are not recorded, but the gap is.
        #expect(
          news.allSatisfy { $0.changes.isEmpty && !$0.isComplete } && (expected.isEmpty || !news.isEmpty), "\(words)")
      } else {
        let told = news.reduce(into: [PersistentIdentifier: ToldChange]()) { all, transaction in
          for change in transaction.changes {
            let identifier = change.changedPersistentIdentifier
            all[identifier] = all[identifier].map { $0.then(ToldChange(change)) } ?? ToldChange(change)
          }
        }
        let disagreements = Set(told.keys).union(expected.keys).filter { identifier in
          !agree(told[identifier], expected[identifier], outcome, before.keepsOrder(identifier, in: after))
        }
        #expect(disagreements.isEmpty, "\(words)\n\(difference(told, expected))")
        #expect(news.allSatisfy { $0.isComplete && $0.author == outcome.author }, "\(words)")
        for transaction in news {
          let identifiers = transaction.changes.map(\.changedPersistentIdentifier)
          #expect(Set(identifiers).count == identifiers.count, "\(words)")
          #expect(!transaction.changes.isEmpty, "\(words)")
        }
        if !disagreements.isEmpty { return }
        allTold.append(told)
      }
      if outcome.isQuiet { allTold.append(expected) }
      states.append(after)
      tokens.append(try fixture.all().last?.token)
      guard round % 10 == 9 else { continue }
      try checkNet(fixture, states, allTold, tokens, program: words)
    }
    print("\(kind): \(program.saved) saves, \(program.failed) failed, \(known) transactions")
    #expect(program.saved > Self.rounds / (Repetitions.isThorough ? 3 : 6))
  }

  /// Checks that a history from a random position contains at most one net change for each object.
  private func checkNet(
    _ fixture: HistoryFixture, _ states: [StoredState], _ told: [[PersistentIdentifier: ToldChange]],
    _ tokens: [DefaultHistoryToken?], program: String
  ) throws {
    for start in [0, told.count / 2, told.count - 3] where start > 0 {
      let news = try fixture.context.history.changes(since: tokens[start - 1])
      guard news.isComplete else { continue }
      var expected: [PersistentIdentifier: ToldChange?] = [:]
      for changes in told[start...] {
        for (identifier, change) in changes {
          switch expected[identifier] {
          case .some(.some(let earlier)): expected[identifier] = .some(earlier.then(change))
          default: expected[identifier] = .some(change)
          }
        }
      }
      let found = Dictionary(
        uniqueKeysWithValues: news.changes.map { ($0.changedPersistentIdentifier, ToldChange($0)) })
      #expect(found == expected.compactMapValues(\.self), "\(program)")
      let net = states[start].changes(to: states[states.count - 1])
      for (identifier, change) in net {
        switch (change, found[identifier]) {
        case (.update(_, let names), let found):
          guard let rest = change.without("route") else { continue }
          guard case .update(_, let more)? = found else {
            Issue.record("\(rest) is not told: \(program)")
            continue
          }
          #expect(names.subtracting(["route"]).isSubset(of: more), "\(program)")
        case (.delete(let model, _), .delete(let found, _)?): #expect(model == found, "\(program)")
        case (_, let found): #expect(found == change, "\(program)")
        }
      }
    }
  }

  private func agree(
    _ told: ToldChange?, _ expected: ToldChange?, _ outcome: RandomSaves.Outcome, _ keepsOrder: Bool
  ) -> Bool {
    if told == expected { return true }
    // Changes of members through their own relationship are recorded with the members.
    let least = keepsOrder ? expected?.without("route") : expected
    if told == least { return true }
    guard case .update(_, let names)? = told else { return false }
    var more = names
    switch least {
    case nil: break
    case .update(_, let wanted)? where wanted.isSubset(of: names): more.subtract(wanted)
    default: return false
    }
    // A save after a concurrent save, or with two changes of one row, records all written values.
    return outcome.isContended || more.isEmpty
  }

  private func difference(
    _ told: [PersistentIdentifier: ToldChange], _ expected: [PersistentIdentifier: ToldChange]
  ) -> String {
    Set(told.keys).union(expected.keys).filter { told[$0] != expected[$0] }.map { key in
      "\(key): told \(told[key].map { "\($0)" } ?? "nothing"), is \(expected[key].map { "\($0)" } ?? "nothing")"
    }.joined(separator: "\n")
  }
}
