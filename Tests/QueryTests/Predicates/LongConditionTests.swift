import Foundation
import TestSupport
import Testing

@testable import TestWorlds
@testable import Trellis
@testable import TrellisModel

private typealias Condition = any StandardPredicateExpression<Bool>
private typealias P = PredicateExpressions

/// Conditions that programs compose in loops have Foundation's result, whatever limits the database and the stack have.
@Suite struct LongConditionTests {
  let fixture: FilmFixture

  init() throws { fixture = try FilmFixture() }

  // MARK: Runs

  /// `count == 0 || count == 3 || …`, which 10 of 30 films satisfy, or `count != 0 && count != 3 && …`.
  private static func term(_ film: P.Variable<Film>, _ number: Int, isAnd: Bool) -> Condition {
    let count = P.build_KeyPath(root: film, keyPath: \.count)
    let value = P.build_Arg(number * 3)
    return isAnd ? P.build_NotEqual(lhs: count, rhs: value) : P.build_Equal(lhs: count, rhs: value)
  }

  private static func join(_ lhs: Condition, _ rhs: Condition, isAnd: Bool) -> Condition {
    func open<L: StandardPredicateExpression<Bool>, R: StandardPredicateExpression<Bool>>(
      _ lhs: L, _ rhs: R
    ) -> Condition {
      isAnd ? P.build_Conjunction(lhs: lhs, rhs: rhs) : P.build_Disjunction(lhs: lhs, rhs: rhs)
    }
    return open(lhs, rhs)
  }

  private static func negation(_ condition: Condition) -> Condition {
    func open<C: StandardPredicateExpression<Bool>>(_ condition: C) -> Condition { P.build_Negation(condition) }
    return open(condition)
  }

  /// The value plus one.
  private static func successor(
    _ value: any StandardPredicateExpression<Int>
  ) -> any StandardPredicateExpression<Int> {
    func open<V: StandardPredicateExpression<Int>>(_ value: V) -> any StandardPredicateExpression<Int> {
      P.build_Arithmetic(lhs: value, rhs: P.build_Arg(1), op: .add)
    }
    return open(value)
  }

  private static func equality(_ value: any StandardPredicateExpression<Int>, _ number: Int) -> Condition {
    func open<V: StandardPredicateExpression<Int>>(_ value: V) -> Condition {
      P.build_Equal(lhs: value, rhs: P.build_Arg(number))
    }
    return open(value)
  }

  private static func run(
    _ film: P.Variable<Film>, _ count: Int, isAnd: Bool = false, isRightNested: Bool = false
  ) -> Condition {
    (1..<count).reduce(term(film, 0, isAnd: isAnd)) { run, number in
      let next = term(film, number, isAnd: isAnd)
      return isRightNested ? join(next, run, isAnd: isAnd) : join(run, next, isAnd: isAnd)
    }
  }

  /// Compares the results of a context without changes, of a context that evaluates in memory, and of Foundation.
  ///
  /// - Parameter answer: The place of the evaluation; nil if it depends on the database.
  private func check(
    _ predicate: Predicate<Film>, _ answer: Answer?, at location: SourceLocation = #_sourceLocation
  ) throws {
    let expected = try Set(fixture.films.filter(predicate.evaluate).map(\.persistentModelID))
    #expect(!expected.isEmpty && expected.count < fixture.films.count, sourceLocation: location)
    let descriptor = FetchDescriptor(predicate: predicate)
    let context = fixture.fresh()
    let explanation = try descriptor.explain(in: context)
    #expect(
      answer == nil || explanation.runsInStore == (answer == .sql), "\(explanation.parts)", sourceLocation: location)
    #expect(try Set(context.fetchIdentifiers(descriptor)) == expected, sourceLocation: location)
    // The name does not affect the result, but changed films are evaluated in memory.
    for film in try context.fetch(FetchDescriptor<Film>()) { film.name += "!" }
    #expect(try Set(context.fetchIdentifiers(descriptor)) == expected, sourceLocation: location)
  }

  /// SQLite limits the depth of expressions to 1,000.
  @Test(arguments: [false, true]) func runOfConditions(isAnd: Bool) throws {
    let predicate = Predicate<Film> { Self.run($0, 1_010, isAnd: isAnd, isRightNested: isAnd) }
    try check(predicate, .sql)
    guard isAnd else { return }
    let context = fixture.fresh()
    try context.delete(model: Film.self, where: predicate)
    #expect(try context.deletedModelsArray.count == fixture.films.filter(predicate.evaluate).count)
  }

  @Test func runInsideOtherExpressions() throws {
    try check(
      Predicate { film in
        let run = Self.join(Self.run(film, 300), P.build_KeyPath(root: film, keyPath: \.flag), isAnd: true)
        return Self.join(run, Self.negation(Self.run(film, 300)), isAnd: false)
      }, .sql)
    try check(
      Predicate { film in
        func open<C: StandardPredicateExpression<Bool>>(_ run: C) -> Condition {
          P.build_contains(P.build_KeyPath(root: film, keyPath: \.scenes)) { scene in
            P.build_Conjunction(
              lhs: run,
              rhs: P.build_Equal(lhs: P.build_KeyPath(root: scene, keyPath: \.weight), rhs: P.build_Arg(2)))
          }
        }
        let run = Self.run(film, 1_010)
        return open(run)
      }, .sql)
  }

  /// `if` conditions and force-unwrapped values in a run whose earlier operands check that they are not nil.
  @Test func nilChecksInARun() throws {
    try check(
      Predicate { film in
        let optional = P.build_KeyPath(root: film, keyPath: \.optCount)
        let isPresent = P.build_NotEqual(lhs: optional, rhs: P.build_NilLiteral())
        let isOne = P.build_Equal(lhs: P.build_ForcedUnwrap(optional), rhs: P.build_Arg(1))
        let run = Self.join(isPresent, Self.run(film, 400, isAnd: true), isAnd: true)
        return Self.join(run, isOne, isAnd: true)
      }, .sql)
  }

  // MARK: Compositions

  /// Composes a predicate from the previous one repeatedly.
  private func composed(
    _ count: Int, _ step: (Predicate<Film>, Int) -> Predicate<Film>
  ) -> Predicate<Film> {
    (1..<count).reduce(#Predicate<Film> { $0.count == 1 }) { step($0, $1) }
  }

  @Test func compositions() throws {
    try check(
      composed(Repetitions.isThorough ? 3_000 : 1_000) { previous, number in
        let next = #Predicate<Film> { $0.count == number * 3 }
        return #Predicate { previous.evaluate($0) || next.evaluate($0) }
      }, .sql)
    // The sum can trap, so Trellis evaluates it in memory instead of Foundation.
    try check(
      composed(800) { previous, number in #Predicate { $0.count * 5 + number == 7 || previous[$0] } }, .sql)
  }

  /// Each level counts as three nodes.
  @Test func compositionsThatAreNotARun() throws {
    try check(composed(21) { previous, _ in #Predicate { !(previous.evaluate($0) && $0.flag) } }, .sql)
    try check(composed(301) { previous, _ in #Predicate { !(previous.evaluate($0) && $0.flag) } }, .memory)
    try check(composed(301) { previous, _ in #Predicate { !(previous.evaluate($0) && $0.count + 1 > 2) } }, .memory)
    try expectRefusal(composed(1_100) { previous, _ in #Predicate { !(previous.evaluate($0) && $0.flag) } })
  }

  @Test func deepExpressions() throws {
    func negated(_ count: Int) -> Predicate<Film> {
      Predicate { film in
        (0..<count).reduce(Self.term(film, 0, isAnd: false)) { condition, _ in Self.negation(condition) }
      }
    }
    try check(negated(20), .sql)
    // The parser's stack has a hundred levels, except in recent versions of SQLite.
    try check(negated(150), nil)
    try check(negated(901), .memory)
    try expectRefusal(negated(1_100))
    func sum(_ count: Int) -> Predicate<Film> {
      Predicate { film in
        let start: any StandardPredicateExpression<Int> = P.build_KeyPath(root: film, keyPath: \.count)
        return Self.equality((0..<count).reduce(start) { sum, _ in Self.successor(sum) }, count + 2)
      }
    }
    try check(sum(20), .sql)
    try check(sum(200), .memory)
    try expectRefusal(sum(1_100))
  }

  private func expectRefusal(_ predicate: Predicate<Film>, at location: SourceLocation = #_sourceLocation) throws {
    let context = fixture.fresh()
    for _ in 0..<2 {
      let error = #expect(throws: SwiftDataError.self, sourceLocation: location) {
        try context.fetchCount(FetchDescriptor(predicate: predicate))
      }
      #expect(error == .unsupportedPredicate, sourceLocation: location)
      #expect(error?.explanation?.contains("more than 1000 expressions") == true, sourceLocation: location)
      #expect(throws: SwiftDataError.self, sourceLocation: location) {
        try context.delete(model: Film.self, where: predicate)
      }
      context.insert(Person(name: "pending"))
    }
    #expect(try !FetchDescriptor(predicate: predicate).explain(in: fixture.fresh()).runsInStore)
  }
}
