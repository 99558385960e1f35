import Foundation
import TestSupport
import Trellis

private typealias Condition = any StandardPredicateExpression<Bool>
private typealias P = PredicateExpressions

/// Random predicate trees with a single row variable, built from Foundation's nodes.
struct DifferentialGrammar {
  var dice: SeededGenerator
  var texts: [String]
  /// Identifiers of existing rows, and of a row that does not exist.
  var identifiers: [PersistentIdentifier]

  mutating func predicate() -> Predicate<DiffRow> {
    var grammar = self
    defer { dice = grammar.dice }
    return Predicate { item in grammar.test(item, depth: grammar.dice.roll(4)) }
  }

  fileprivate mutating func test(_ item: P.Variable<DiffRow>, depth: Int) -> Condition {
    guard depth > 0 else { return leaf(item) }
    switch dice.roll(7) {
    case 0, 1: return and(test(item, depth: depth - 1), test(item, depth: depth - 1))
    case 2, 3: return or(test(item, depth: depth - 1), test(item, depth: depth - 1))
    case 4: return not(test(item, depth: depth - 1))
    case 5:
      return conditional(
        test(item, depth: depth - 1), test(item, depth: depth - 1), test(item, depth: depth - 1))
    default: return leaf(item)
    }
  }

  private mutating func leaf(_ item: P.Variable<DiffRow>) -> Condition {
    switch dice.roll(41) {
    case 0: return text(P.build_KeyPath(root: item, keyPath: \.name))
    case 1: return ordered(P.build_KeyPath(root: item, keyPath: \.name), texts)
    case 2: return optional(P.build_KeyPath(root: item, keyPath: \.note), texts)
    case 3: return ordered(P.build_KeyPath(root: item, keyPath: \.count), DiffPool.numbers)
    case 4: return ordered(P.build_KeyPath(root: item, keyPath: \.small), DiffPool.small)
    case 5: return ordered(P.build_KeyPath(root: item, keyPath: \.big), DiffPool.big)
    case 6: return optional(P.build_KeyPath(root: item, keyPath: \.optCount), DiffPool.calmNumbers)
    case 7: return P.build_KeyPath(root: item, keyPath: \.flag)
    case 8: return equal(P.build_KeyPath(root: item, keyPath: \.optFlag), [true, false, nil])
    case 9: return ordered(P.build_KeyPath(root: item, keyPath: \.size), DiffPool.reals)
    case 10: return optional(P.build_KeyPath(root: item, keyPath: \.optSize), DiffPool.reals)
    case 11: return ordered(P.build_KeyPath(root: item, keyPath: \.ratio), DiffPool.floats)
    case 12: return ordered(P.build_KeyPath(root: item, keyPath: \.date), DiffPool.dates)
    case 13: return optional(P.build_KeyPath(root: item, keyPath: \.optDate), DiffPool.dates)
    case 14: return ordered(P.build_KeyPath(root: item, keyPath: \.price), DiffPool.decimals)
    case 15: return optional(P.build_KeyPath(root: item, keyPath: \.optPrice), DiffPool.decimals)
    case 16: return ordered(P.build_KeyPath(root: item, keyPath: \.uid), DiffPool.uuids)
    case 17: return optional(P.build_KeyPath(root: item, keyPath: \.optUID), DiffPool.uuids)
    case 18: return equal(P.build_KeyPath(root: item, keyPath: \.link), DiffPool.urls + [nil])
    case 19: return equal(P.build_KeyPath(root: item, keyPath: \.data), DiffPool.blobs)
    case 20: return ordered(P.build_KeyPath(root: item, keyPath: \.letter), DiffPool.letters)
    case 21: return equal(P.build_KeyPath(root: item, keyPath: \.kind), DiffKind.allCases)
    case 22: return equal(P.build_KeyPath(root: item, keyPath: \.optKind), DiffKind.allCases + [nil])
    case 23: return columns(item)
    case 24: return group(item)
    case 25: return owner(item)
    case 26: return parts(item)
    case 27: return arithmetic(item)
    case 28: return labels(item)
    case 29: return optionalText(item)
    case 30: return localized(item)
    case 31: return compared(P.build_KeyPath(root: item, keyPath: \.name))
    case 32: return orderedText(item)
    case 33: return place(item)
    case 34: return P.build_contains(P.build_KeyPath(root: item, keyPath: \.tags), P.build_Arg(dice.pick(texts)))
    case 35:
      let name = P.build_KeyPath(root: item, keyPath: \.shout)
      return P.build_contains(name, P.build_Arg(dice.pick(texts)))
    case 36:
      return equal(
        P.build_KeyPath(root: P.build_KeyPath(root: item, keyPath: \.kind), keyPath: \.rawValue), ["work", "home", "x"])
    case 37, 38: return keys(item)
    case 39: return run(item)
    default:
      return equal(
        P.build_KeyPath(root: item, keyPath: \.persistentModelID), identifiers)
    }
  }

  /// A chain of conditions that is longer than any in source code.
  private mutating func run(_ item: P.Variable<DiffRow>) -> Condition {
    let isAnd = dice.roll(2) == 0
    let notes = P.build_KeyPath(root: item, keyPath: \.note)
    return (0..<20 + dice.roll(20)).reduce(text(P.build_KeyPath(root: item, keyPath: \.name))) { run, _ in
      let next = optional(notes, texts)
      return isAnd ? and(run, or(next, P.build_Negation(P.build_KeyPath(root: item, keyPath: \.flag)))) : or(run, next)
    }
  }

  /// Searches captured keys by two or three columns, or by a column and a condition on the key alone.
  private mutating func keys(_ item: P.Variable<DiffRow>) -> Condition {
    let keys = DiffKey.random(texts, &dice)
    func pair<A: DiffColumn, B: DiffColumn>(_ a: A, _ b: B) -> Condition {
      P.build_contains(P.build_Arg(keys)) { key in
        P.build_Conjunction(lhs: a.equality(key, item), rhs: b.equality(key, item))
      }
    }
    func triple<A: DiffColumn, B: DiffColumn, C: DiffColumn>(_ a: A, _ b: B, _ c: C) -> Condition {
      P.build_contains(P.build_Arg(keys)) { key in
        P.build_Conjunction(
          lhs: a.equality(key, item),
          rhs: P.build_Conjunction(lhs: b.equality(key, item), rhs: c.equality(key, item)))
      }
    }
    func single<A: DiffColumn>(_ a: A) -> Condition {
      P.build_contains(P.build_Arg(keys)) { key in
        P.build_Conjunction(lhs: P.build_KeyPath(root: key, keyPath: \.flag), rhs: a.equality(key, item))
      }
    }
    let columns = (0..<3).map { _ in dice.pick(DiffKey.columns) }
    let (first, second, third) = (columns[0], columns[1], columns[2])
    switch dice.roll(6) {
    case 0, 1: return single(first)
    case 2: return triple(first, second, third)
    default: return pair(first, second)
    }
  }

  // MARK: Values

  private mutating func ordered<E: StandardPredicateExpression>(_ e: E, _ pool: [E.Output])
    -> Condition
  where E.Output: Comparable & Hashable & Codable & Sendable {
    let value = P.build_Arg(dice.pick(pool))
    switch dice.roll(8) {
    case 0: return P.build_Comparison(lhs: e, rhs: value, op: .lessThan)
    case 1: return P.build_Comparison(lhs: e, rhs: value, op: .lessThanOrEqual)
    case 2: return P.build_Comparison(lhs: value, rhs: e, op: .lessThan)
    case 3: return P.build_Comparison(lhs: e, rhs: value, op: .greaterThanOrEqual)
    case 4:
      let bounds = [dice.pick(pool), dice.pick(pool)].filter { $0 == $0 }.sorted()
      guard bounds.count == 2, bounds[0] <= bounds[1] else { return equal(e, pool) }
      return dice.roll(2) == 0
        ? P.build_contains(P.build_Arg(bounds[0]...bounds[1]), e)
        : P.build_contains(
          P.build_Range(lower: P.build_Arg(bounds[0]), upper: P.build_Arg(bounds[1])), e)
    default: return equal(e, pool)
    }
  }

  private mutating func equal<E: StandardPredicateExpression>(_ e: E, _ pool: [E.Output])
    -> Condition
  where E.Output: Hashable & Codable & Sendable {
    let value = P.build_Arg(dice.pick(pool))
    switch dice.roll(5) {
    case 0: return P.build_NotEqual(lhs: e, rhs: value)
    case 1: return P.build_NotEqual(lhs: value, rhs: e)
    case 2: return P.build_contains(P.build_Arg((0..<dice.roll(4)).map { _ in dice.pick(pool) }), e)
    case 3:
      return P.build_contains(P.build_Arg(Set((0..<dice.roll(4)).map { _ in dice.pick(pool) })), e)
    default: return P.build_Equal(lhs: e, rhs: value)
    }
  }

  private mutating func optional<E: StandardPredicateExpression, V>(_ e: E, _ pool: [V])
    -> Condition
  where E.Output == V?, V: Comparable & Hashable & Codable & Sendable {
    let value = dice.pick(pool)
    switch dice.roll(8) {
    case 0: return P.build_Equal(lhs: e, rhs: P.build_NilLiteral())
    case 1: return P.build_NotEqual(lhs: e, rhs: P.build_NilLiteral())
    case 2: return ordered(P.build_NilCoalesce(lhs: e, rhs: P.build_Arg(value)), pool)
    case 3:
      return P.build_Disjunction(
        lhs: P.build_Equal(lhs: e, rhs: P.build_NilLiteral()),
        rhs: P.build_Comparison(
          lhs: P.build_ForcedUnwrap(e), rhs: P.build_Arg(value), op: .lessThan))
    case 4:
      return P.build_Conjunction(
        lhs: P.build_NotEqual(lhs: e, rhs: P.build_NilLiteral()),
        rhs: P.build_Comparison(
          lhs: P.build_ForcedUnwrap(e), rhs: P.build_Arg(value), op: .greaterThan))
    case 5:
      return P.build_NilCoalesce(
        lhs: P.build_flatMap(e) {
          P.build_Comparison(lhs: $0, rhs: P.build_Arg(value), op: .greaterThan)
        }, rhs: P.build_Arg(dice.roll(2) == 0))
    case 6:
      return P.build_NilCoalesce(
        lhs: P.build_flatMap(e) { inner in
          P.build_Disjunction(
            lhs: P.build_Equal(lhs: inner, rhs: P.build_Arg(value)),
            rhs: P.build_Negation(P.build_contains(P.build_Arg(pool), inner)))
        }, rhs: P.build_Arg(dice.roll(2) == 0))
    default: return equal(e, pool.map { $0 } + [nil])
    }
  }

  private mutating func text<E: StandardPredicateExpression>(_ e: E) -> Condition
  where E.Output == String {
    switch dice.roll(6) {
    case 0: return P.build_starts(e, with: P.build_Arg(dice.pick(texts)))
    case 1: return ordered(P.build_KeyPath(root: e, keyPath: \.count), DiffPool.calmNumbers)
    case 2: return P.build_KeyPath(root: e, keyPath: \.isEmpty)
    case 3: return equal(P.build_KeyPath(root: e, keyPath: \.first), DiffPool.letters + [nil])
    case 4: return equal(P.build_KeyPath(root: e, keyPath: \.last), DiffPool.letters + [nil])
    default: return P.build_contains(e, P.build_Arg(dice.pick(texts)))
    }
  }

  private mutating func optionalText(_ item: P.Variable<DiffRow>) -> Condition {
    let note = P.build_KeyPath(root: item, keyPath: \.note)
    let part = dice.pick(texts)
    return P.build_NilCoalesce(
      lhs: P.build_flatMap(note) { P.build_contains($0, P.build_Arg(part)) },
      rhs: P.build_Arg(dice.roll(2) == 0))
  }

  private mutating func columns(_ item: P.Variable<DiffRow>) -> Condition {
    switch dice.roll(5) {
    case 0:
      return P.build_Equal(
        lhs: P.build_KeyPath(root: item, keyPath: \.optDate),
        rhs: P.build_KeyPath(root: item, keyPath: \.optDate))
    case 1:
      return P.build_Comparison(
        lhs: P.build_KeyPath(root: item, keyPath: \.price),
        rhs: P.build_NilCoalesce(
          lhs: P.build_KeyPath(root: item, keyPath: \.optPrice), rhs: P.build_Arg(Decimal(1))),
        op: .lessThan)
    case 2:
      return P.build_NotEqual(
        lhs: P.build_KeyPath(root: item, keyPath: \.size),
        rhs: P.build_KeyPath(root: item, keyPath: \.size))
    case 3:
      return P.build_Comparison(
        lhs: P.build_KeyPath(root: item, keyPath: \.name),
        rhs: P.build_NilCoalesce(
          lhs: P.build_KeyPath(root: item, keyPath: \.note), rhs: P.build_Arg("b")),
        op: .greaterThanOrEqual)
    default:
      return P.build_contains(
        P.build_KeyPath(root: item, keyPath: \.name),
        P.build_NilCoalesce(
          lhs: P.build_KeyPath(root: item, keyPath: \.note), rhs: P.build_Arg("a")))
    }
  }

  private mutating func localized(_ item: P.Variable<DiffRow>) -> Condition {
    let part = P.build_Arg(dice.pick(texts))
    guard dice.roll(2) == 0 else {
      return P.build_localizedStandardContains(P.build_KeyPath(root: item, keyPath: \.name), part)
    }
    return P.build_NilCoalesce(
      lhs: P.build_flatMap(P.build_KeyPath(root: item, keyPath: \.note)) {
        P.build_localizedStandardContains($0, part)
      }, rhs: P.build_Arg(dice.roll(2) == 0))
  }

  private mutating func compared<E: StandardPredicateExpression>(_ e: E) -> Condition
  where E.Output == String {
    let other = P.build_Arg(dice.pick(texts))
    let results = [ComparisonResult.orderedAscending, .orderedSame, .orderedDescending]
    switch dice.roll(3) {
    case 0: return equal(P.build_caseInsensitiveCompare(e, other), results)
    case 1: return equal(P.build_localizedCompare(e, other), results)
    default: return equal(P.build_localizedStandardCompare(e, other), results)
    }
  }

  private mutating func orderedText(_ item: P.Variable<DiffRow>) -> Condition {
    let name = P.build_KeyPath(root: item, keyPath: \.name)
    switch dice.roll(3) {
    case 0:
      return ordered(
        P.build_KeyPath(root: name, keyPath: \.localizedStandard), texts.map(\.localizedStandard))
    case 1:
      return ordered(
        P.build_KeyPath(root: name, keyPath: \.caseInsensitive), texts.map(\.caseInsensitive))
    default:
      return optional(
        P.build_flatMap(P.build_KeyPath(root: item, keyPath: \.note)) {
          P.build_KeyPath(root: $0, keyPath: \.localized)
        }, texts.map(\.localized))
    }
  }

  private mutating func place(_ item: P.Variable<DiffRow>) -> Condition {
    let place = P.build_KeyPath(root: item, keyPath: \.place)
    let maybe = P.build_KeyPath(root: item, keyPath: \.optPlace)
    switch dice.roll(7) {
    case 0: return ordered(P.build_KeyPath(root: place, keyPath: \.city), texts)
    case 1: return optional(P.build_KeyPath(root: place, keyPath: \.floor), DiffPool.calmNumbers)
    case 2: return ordered(P.build_KeyPath(root: place, keyPath: \.height), DiffPool.reals)
    case 3: return P.build_KeyPath(root: place, keyPath: \.isOpen)
    case 4:
      return equal(
        P.build_flatMap(maybe) { P.build_KeyPath(root: $0, keyPath: \.city) }, texts + [nil])
    case 5: return P.build_Equal(lhs: maybe, rhs: P.build_NilLiteral())
    default:
      return equal(P.build_KeyPath(root: place, keyPath: \.title), texts)
    }
  }

  // MARK: Related rows

  private mutating func group(_ item: P.Variable<DiffRow>) -> Condition {
    let group = P.build_KeyPath(root: item, keyPath: \.group)
    let number = dice.pick(DiffPool.calmNumbers)
    switch dice.roll(6) {
    case 0: return P.build_Equal(lhs: group, rhs: P.build_NilLiteral())
    case 1:
      return equal(
        P.build_flatMap(group) { P.build_KeyPath(root: $0, keyPath: \.title) }, texts + [nil])
    case 2:
      return optional(
        P.build_flatMap(group) { P.build_KeyPath(root: $0, keyPath: \.rank) }, DiffPool.calmNumbers)
    case 3:
      return equal(
        P.build_flatMap(group) { P.build_KeyPath(root: $0, keyPath: \.number) }, [0, 1, 2, nil])
    case 4:
      return equal(
        P.build_flatMap(
          P.build_flatMap(group) { P.build_KeyPath(root: $0, keyPath: \.parent) }
        ) { P.build_KeyPath(root: $0, keyPath: \.title) }, texts + [nil])
    default:
      return P.build_NilCoalesce(
        lhs: P.build_flatMap(group) { group in
          P.build_Conjunction(
            lhs: P.build_KeyPath(root: group, keyPath: \.flag),
            rhs: P.build_Comparison(
              lhs: P.build_KeyPath(root: group, keyPath: \.number), rhs: P.build_Arg(number),
              op: .lessThan))
        }, rhs: P.build_Arg(dice.roll(2) == 0))
    }
  }

  private mutating func owner(_ item: P.Variable<DiffRow>) -> Condition {
    let owner = P.build_KeyPath(root: item, keyPath: \.owner)
    switch dice.roll(3) {
    case 0: return text(P.build_KeyPath(root: owner, keyPath: \.name))
    case 1: return optional(P.build_KeyPath(root: owner, keyPath: \.code), texts)
    default:
      return equal(
        P.build_flatMap(P.build_KeyPath(root: owner, keyPath: \.best)) {
          P.build_KeyPath(root: $0, keyPath: \.rank)
        }, DiffPool.calmNumbers.map { $0 } + [nil])
    }
  }

  private mutating func parts(_ item: P.Variable<DiffRow>) -> Condition {
    let parts = P.build_KeyPath(root: item, keyPath: \.parts)
    var inner = self
    defer { dice = inner.dice }
    switch inner.dice.roll(5) {
    case 0: return P.build_KeyPath(root: parts, keyPath: \.isEmpty)
    case 1:
      return inner.ordered(P.build_KeyPath(root: parts, keyPath: \.count), DiffPool.calmNumbers)
    case 2:
      return contains(
        P.build_contains(parts) {
          P.build_Equal(
            lhs: P.build_KeyPath(root: $0, keyPath: \.weight),
            rhs: P.build_KeyPath(root: item, keyPath: \.optCount))
        })
    case 3:
      let value = inner.dice.pick(inner.texts)
      return P.build_allSatisfy(parts) {
        P.build_Disjunction(
          lhs: P.build_NotEqual(
            lhs: P.build_KeyPath(root: $0, keyPath: \.title), rhs: P.build_Arg(value)),
          rhs: P.build_NilCoalesce(
            lhs: P.build_flatMap(P.build_KeyPath(root: $0, keyPath: \.maker)) {
              P.build_contains(P.build_KeyPath(root: $0, keyPath: \.name), P.build_Arg("a"))
            }, rhs: P.build_Arg(false)))
      }
    default:
      let value = inner.dice.pick(DiffPool.calmNumbers)
      let heavy = P.build_filter(parts) {
        P.build_Comparison(
          lhs: P.build_NilCoalesce(
            lhs: P.build_KeyPath(root: $0, keyPath: \.weight), rhs: P.build_Arg(1)),
          rhs: P.build_Arg(value), op: .lessThanOrEqual)
      }
      return inner.ordered(P.build_KeyPath(root: heavy, keyPath: \.count), [0, 1, 2])
    }
  }

  private mutating func labels(_ item: P.Variable<DiffRow>) -> Condition {
    let labels = P.build_KeyPath(root: item, keyPath: \.labels)
    let value = dice.pick(texts)
    return P.build_contains(labels) {
      P.build_Disjunction(
        lhs: P.build_Equal(
          lhs: P.build_KeyPath(root: $0, keyPath: \.text), rhs: P.build_Arg(value)),
        rhs: P.build_Equal(
          lhs: P.build_KeyPath(root: $0, keyPath: \.text),
          rhs: P.build_KeyPath(root: item, keyPath: \.name)))
    }
  }

  private func contains<E: StandardPredicateExpression<Bool>>(_ e: E) -> Condition { e }

  private mutating func arithmetic(_ item: P.Variable<DiffRow>) -> Condition {
    let count = P.build_NilCoalesce(
      lhs: P.build_KeyPath(root: item, keyPath: \.optCount), rhs: P.build_Arg(3))
    let size = P.build_KeyPath(root: item, keyPath: \.size)
    switch dice.roll(6) {
    case 0:
      return ordered(
        P.build_Arithmetic(lhs: count, rhs: P.build_Arg(dice.pick(DiffPool.calmNumbers)), op: .add),
        DiffPool.calmNumbers)
    case 1:
      return ordered(
        P.build_Arithmetic(
          lhs: P.build_Arg(2), rhs: P.build_UnaryMinus(count), op: .multiply), DiffPool.calmNumbers)
    case 2:
      return ordered(P.build_Division(lhs: count, rhs: P.build_Arg(2)), DiffPool.calmNumbers)
    case 3:
      return ordered(P.build_Remainder(lhs: count, rhs: P.build_Arg(-2)), DiffPool.calmNumbers)
    case 4:
      return ordered(
        P.build_Arithmetic(
          lhs: size, rhs: P.build_Arg(dice.pick(DiffPool.reals)),
          op: dice.pick([.add, .subtract, .multiply])),
        DiffPool.reals)
    default:
      return ordered(
        P.build_Division(lhs: P.build_Arg(1.0), rhs: P.build_UnaryMinus(size)), DiffPool.reals)
    }
  }
}

// Opens the existentials of both operands.

private func and(_ a: Condition, _ b: Condition) -> Condition {
  func open<A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Bool>>(
    _ a: A, _ b: B
  ) -> Condition { P.build_Conjunction(lhs: a, rhs: b) }
  return open(a, b)
}

private func or(_ a: Condition, _ b: Condition) -> Condition {
  func open<A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Bool>>(
    _ a: A, _ b: B
  ) -> Condition { P.build_Disjunction(lhs: a, rhs: b) }
  return open(a, b)
}

private func not(_ a: Condition) -> Condition {
  func open<A: StandardPredicateExpression<Bool>>(_ a: A) -> Condition { P.build_Negation(a) }
  return open(a)
}

private func conditional(_ a: Condition, _ b: Condition, _ c: Condition) -> Condition {
  func open<
    A: StandardPredicateExpression<Bool>, B: StandardPredicateExpression<Bool>,
    C: StandardPredicateExpression<Bool>
  >(_ a: A, _ b: B, _ c: C) -> Condition { P.build_Conditional(a, b, c) }
  return open(a, b, c)
}
