import Foundation
import Synchronization

/// The statement for all predicates of one form in one store.
///
/// Made by translating such a predicate with marked values: a parameter that comes out marked is bound
/// to that value from then on. Where a value does something else than becoming a parameter, the
/// predicates are translated one by one.
struct PredicateStatement: Sendable {
  /// What the statement is for.
  struct Purpose: Sendable, Equatable {
    enum Kind: Sendable { case rows, keys, count }
    /// The entity of a store; see ``EntityPlan/number``.
    var plan: Int
    var kind: Kind
    var isPaged: Bool
  }

  enum Parameter: Sendable {
    case fixed(SQLValue)
    /// The number of a captured value.
    case captured(Int)
    case limit, offset
  }

  struct Text: Sendable {
    let sql: String
    let parameters: [Parameter]
    /// Names the text among all in use; connections keep a statement under it.
    let number: Int
  }

  let purpose: Purpose
  /// What the marks of the store were; with others, the text is another one.
  let generation: Int
  /// Nil where there is none that fits all predicates.
  let text: Text?

  private static let numbers = Atomic<Int>(0)
  static func nextNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }
}

extension PredicateForm {
  private static var limit: Int { 12 }

  /// A statement; nil where none was made yet, and where there is none for all predicates.
  func known(
    _ purpose: PredicateStatement.Purpose, _ generation: Int
  ) -> PredicateStatement.Text? {
    statements.withLock { statements in
      for known in statements where known.purpose == purpose && known.generation == generation {
        return known.text
      }
      return nil
    }
  }

  /// A statement; made where there is none yet.
  func statement(
    for purpose: PredicateStatement.Purpose, _ generation: Int,
    make: () -> PredicateStatement.Text?
  ) -> PredicateStatement.Text? {
    let known = statements.withLock { statements in
      statements.first { $0.purpose == purpose && $0.generation == generation }
    }
    if let known { return known.text }
    let made = PredicateStatement(purpose: purpose, generation: generation, text: make())
    statements.withLock { statements in
      statements.removeAll { $0.purpose == purpose }
      if statements.count >= Self.limit { statements.removeFirst() }
      statements.append(made)
    }
    return made.text
  }
}
