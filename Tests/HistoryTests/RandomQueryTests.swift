import Foundation
import TestSupport
import Testing
import Trellis

/// Random predicates, sort orders and limits give the same results in SQL and in Swift.
struct RandomQueryTests {
  private typealias Transaction = DefaultHistoryTransaction
  private typealias Root = PredicateExpressions.Variable<DefaultHistoryTransaction>
  private typealias Condition = any StandardPredicateExpression<Bool>

  private struct Source {
    let all: [Transaction]
    let other: DefaultHistoryToken
    var random: SeededGenerator

    init(_ all: [Transaction], _ random: SeededGenerator) throws {
      self.all = all
      self.random = random
      // One position in this store and one in a store that does not exist.
      let last = all[all.count / 2]
      let known = String(decoding: try JSONEncoder().encode(last.token), as: UTF8.self).dropFirst()
      other = try JSONDecoder().decode(DefaultHistoryToken.self, from: Data(#"{"0":3,\#(known)"#.utf8))
    }

    mutating func some<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    mutating func condition(_ root: Root, depth: Int) -> Condition {
      guard depth > 0 else { return leaf(root) }
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: return and(condition(root, depth: depth - 1), condition(root, depth: depth - 1))
      case 2: return or(condition(root, depth: depth - 1), condition(root, depth: depth - 1))
      case 3: return not(condition(root, depth: depth - 1))
      default: return leaf(root)
      }
    }

    private func and(_ lhs: some StandardPredicateExpression<Bool>, _ rhs: some StandardPredicateExpression<Bool>)
      -> Condition
    {
      PredicateExpressions.build_Conjunction(lhs: lhs, rhs: rhs)
    }

    private func or(_ lhs: some StandardPredicateExpression<Bool>, _ rhs: some StandardPredicateExpression<Bool>)
      -> Condition
    {
      PredicateExpressions.build_Disjunction(lhs: lhs, rhs: rhs)
    }

    private func not(_ condition: some StandardPredicateExpression<Bool>) -> Condition {
      PredicateExpressions.build_Negation(condition)
    }

    private mutating func compared<T: Comparable & Codable & Sendable>(
      _ root: Root, _ path: any KeyPath<Transaction, T> & Sendable, _ value: T
    ) -> Condition {
      let property = PredicateExpressions.build_KeyPath(root: root, keyPath: path)
      let constant = PredicateExpressions.build_Arg(value)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return PredicateExpressions.build_Equal(lhs: property, rhs: constant)
      case 1: return PredicateExpressions.build_NotEqual(lhs: constant, rhs: property)
      case 2: return PredicateExpressions.build_Comparison(lhs: property, rhs: constant, op: .lessThan)
      case 3: return PredicateExpressions.build_Comparison(lhs: property, rhs: constant, op: .lessThanOrEqual)
      case 4: return PredicateExpressions.build_Comparison(lhs: constant, rhs: property, op: .greaterThan)
      case 5: return PredicateExpressions.build_Comparison(lhs: property, rhs: constant, op: .greaterThanOrEqual)
      case 6: return PredicateExpressions.build_Comparison(lhs: constant, rhs: property, op: .lessThan)
      default: return PredicateExpressions.build_Comparison(lhs: property, rhs: constant, op: .greaterThan)
      }
    }

    private mutating func contained<T: Equatable & Codable & Sendable>(
      _ root: Root, _ path: any KeyPath<Transaction, T> & Sendable, _ values: [T]
    ) -> Condition {
      PredicateExpressions.build_contains(
        PredicateExpressions.build_Arg(Array(values.prefix(Int.random(in: 0...values.count, using: &random)))),
        PredicateExpressions.build_KeyPath(root: root, keyPath: path))
    }

    private mutating func leaf(_ root: Root) -> Condition {
      let one = some(all)
      switch Int.random(in: 0..<14, using: &random) {
      case 0, 1: return compared(root, \.token, one.token)
      case 2: return compared(root, \.token, other)
      case 3: return compared(root, \.id, some([one.id, 0, 7, .max]))
      case 4: return compared(root, \.timestamp, some([one.timestamp, .distantPast, .distantFuture]))
      case 5:
        let author: String? = some([nil, "app", "widget", "caf\u{E9}", ""])
        return PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.build_KeyPath(root: root, keyPath: \.author),
          rhs: PredicateExpressions.build_Arg(author))
      case 6:
        let count = Int.random(in: 1...3, using: &random)
        return PredicateExpressions.build_Comparison(
          lhs: PredicateExpressions.build_KeyPath(
            root: PredicateExpressions.build_KeyPath(root: root, keyPath: \.changes), keyPath: \.count),
          rhs: PredicateExpressions.build_Arg(count), op: .greaterThan)
      case 7: return compared(root, \.storeIdentifier, some([one.storeIdentifier, "nobody's"]))
      case 8: return compared(root, \.processIdentifier, some([one.processIdentifier, "0"]))
      case 9: return compared(root, \.bundleIdentifier, some([one.bundleIdentifier, "a", "\u{E9}"]))
      case 10: return contained(root, \.id, [one.id, some(all).id, -1, .max])
      case 11: return contained(root, \.author, [one.author, some(all).author, "caf\u{E9}"])
      case 12: return contained(root, \.token, [one.token, some(all).token, other])
      default:
        return PredicateExpressions.build_Equal(
          lhs: PredicateExpressions.build_KeyPath(root: root, keyPath: \.isComplete),
          rhs: PredicateExpressions.build_Arg(Bool.random(using: &random)))
      }
    }

    mutating func order() -> [SortDescriptor<Transaction>] {
      var order: [SortDescriptor<Transaction>] = []
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let direction: SortOrder = Bool.random(using: &random) ? .forward : .reverse
        switch Int.random(in: 0..<6, using: &random) {
        case 0: order.append(SortDescriptor(\.author, order: direction))
        case 1: order.append(SortDescriptor(\.timestamp, order: direction))
        case 2: order.append(SortDescriptor(\.transactionIdentifier, order: direction))
        case 3: order.append(SortDescriptor(\.id, order: direction))
        case 4: order.append(SortDescriptor(\.bundleIdentifier, order: direction))
        default: order.append(SortDescriptor(\.storeIdentifier, order: direction))
        }
      }
      return order
    }
  }

  @Test(arguments: StoreKind.allCases) func sqlAndSwiftAgree(kind: StoreKind) throws {
    let seed = SeededGenerator.seed()
    var random = SeededGenerator(seed: seed)
    let fixture = try HistoryFixture(kind)
    for number in 0..<40 {
      fixture.context.author = [nil, "app", "widget", "cafe\u{301}"].randomElement(using: &random) ?? nil
      fixture.context.recordsHistory = Int.random(in: 0..<6, using: &random) > 0
      for _ in 0...Int.random(in: 0...3, using: &random) { fixture.context.insert(Label(text: "\(number)")) }
      try fixture.context.save()
    }
    var source = try Source(fixture.all(), random)
    for round in 0..<Repetitions.scaled(80, upTo: 4_000) {
      let predicate = Predicate<Transaction> { source.condition($0, depth: 3) }
      let order = source.order()
      var descriptor = HistoryDescriptor(predicate: predicate, sortBy: order)
      descriptor.fetchLimit = source.some([0, 0, 1, 5, .max])
      // Sort by each key from the least significant one. The sort is stable.
      var expected = try source.all.filter { try predicate.evaluate($0) }
      for descriptor in order.reversed() {
        expected = expected.enumerated().sorted { lhs, rhs in
          let result = descriptor.compare(lhs.element, rhs.element)
          return result == .orderedSame ? lhs.offset < rhs.offset : result == .orderedAscending
        }.map(\.element)
      }
      if descriptor.fetchLimit > 0 { expected = Array(expected.prefix(Int(clamping: descriptor.fetchLimit))) }
      let found = try fixture.context.fetchHistory(descriptor)
      #expect(found.map(\.id) == expected.map(\.id), "seed \(seed), round \(round): \(predicate), \(order)")
    }
  }
}
