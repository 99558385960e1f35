import Foundation

/// Statements that fetches with the same form of predicate share.
extension FetchQuery {
  /// What a shared statement would be for; nil where the text depends on more than the predicate.
  func purpose(_ kind: PredicateStatement.Purpose.Kind) -> PredicateStatement.Purpose? {
    guard form != nil, scope == nil, filters.isEmpty, !isNarrowing else { return nil }
    guard kind != .count else { return .init(plan: plan.number, kind: kind, isPaged: false) }
    guard descriptor.sortBy.isEmpty else { return nil }
    return .init(plan: plan.number, kind: kind, isPaged: isPaged)
  }

  /// The statement; nil where the predicate is translated on its own.
  func shared(
    _ purpose: PredicateStatement.Purpose, _ generation: Int
  ) -> PredicateStatement.Text? {
    form?.statement(for: purpose, generation) { text(purpose) }
  }

  private func text(_ purpose: PredicateStatement.Purpose) -> PredicateStatement.Text? {
    guard let form, let predicate = descriptor.predicate else { return nil }
    let marked = MarkedExpression(predicate, form.layout)
    // What cannot be translated at all says so when it is tried on its own.
    guard let filter = try? translator.filter(marked, of: predicate) else { return nil }
    let fragment: SQLFragment? =
      switch purpose.kind {
      case .rows: try? fragment(selecting: plan.selection, where: filter)
      case .keys: try? fragment(selecting: plan.key, where: filter)
      case .count: try? counting(where: filter)
      }
    guard let fragment, var parameters = marked.parameters(fragment.values) else { return nil }
    // The page is the last thing in the text.
    if purpose.isPaged { parameters.replaceSubrange((parameters.count - 2)..., with: [.limit, .offset]) }
    return .init(
      sql: fragment.text, parameters: parameters, number: PredicateStatement.nextNumber())
  }

  /// Binds the captured values of this fetch.
  func bind(_ text: PredicateStatement.Text, to statement: Statement) throws {
    // Without its values a statement would answer something else.
    guard let form, let predicate = descriptor.predicate else {
      throw DataStoreError.preferInMemoryFilter
    }
    try predicate.withExpression { _, place in
      let question = SharedQuestion(
        definition: plan.entity.definition, form: form, place: place, isPaged: isPaged,
        limit: limit, offset: Int64(offset))
      try question.bind(text, to: statement)
    }
  }
}
