import Foundation

extension SharedQuestion {
  fileprivate func purpose(
    _ plan: EntityPlan, _ kind: PredicateStatement.Purpose.Kind
  ) -> PredicateStatement.Purpose {
    .init(plan: plan.number, kind: kind, isPaged: kind != .count && isPaged)
  }
}

/// Fetches answered by a statement others have used before.
extension DefaultStore {
  /// - Returns: nil where the predicate has to be translated.
  func count(_ question: SharedQuestion) throws -> Int? {
    var count = 0
    guard try ask(question, .count, { count = Int($1.integer(0)) }) else { return nil }
    let rest = max(0, count - Int(question.offset))
    return question.limit < 0 ? rest : min(Int(question.limit), rest)
  }

  /// - Returns: nil where the predicate has to be translated.
  func identifiers(_ question: SharedQuestion) throws -> [PersistentIdentifier]? {
    guard question.limit != 0 else { return [] }
    var identifiers: [PersistentIdentifier] = []
    let isAnswered = try ask(question, .keys) { plan, statement in
      repeat {
        identifiers.append(PersistentIdentifier(token: plan.token, row: statement.integer(0)))
      } while try statement.step()
    }
    return isAnswered ? identifiers : nil
  }

  /// - Returns: false where the predicate has to be translated.
  func stream(
    _ question: SharedQuestion, _ row: (inout StatementRow) throws -> Void
  ) throws -> Bool {
    guard question.limit != 0 else { return true }
    return try ask(question, .rows) { plan, statement in
      try Connection.visit(statement, plan, row)
    }
  }

  private func ask(
    _ question: SharedQuestion, _ kind: PredicateStatement.Purpose.Kind,
    _ body: (EntityPlan, Statement) throws -> Void
  ) throws -> Bool {
    let plan = try plans.plan(for: question.definition)
    let purpose = question.purpose(plan, kind)
    return try pool.read(for: kind == .count ? .count : .fetch) { connection in
      if kind == .rows { try connection.expectLookups() }
      return try connection.start(marks, dependsOnMarks: true) { generation in
        guard let text = question.form.known(purpose, generation) else { return nil }
        return try connection.take(text) { try question.bind(text, to: $0) }
      } body: { try body(plan, $0) }
    }
  }
}
