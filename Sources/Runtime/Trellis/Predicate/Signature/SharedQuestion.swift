/// A fetch whose predicate has a form, without its types: what a shared statement has to know of it.
struct SharedQuestion {
  let definition: ModelDefinition
  let form: PredicateForm
  /// The expression; valid as long as the question is.
  let place: UnsafeRawPointer
  let isPaged: Bool
  /// The most rows; -1 for all.
  let limit: Int64
  let offset: Int64

  /// Binds the captured values.
  func bind(_ text: PredicateStatement.Text, to statement: Statement) throws {
    let captured = form.layout.parameters
    var position: Int32 = 0
    for parameter in text.parameters {
      position += 1
      switch parameter {
      case .captured(let number):
        let (start, type) = captured[number]
        try type.bind(place + start, to: statement, position)
      case .fixed(let value): try statement.bind(value, at: position)
      case .limit: statement.bind(limit, at: position)
      case .offset: statement.bind(offset, at: position)
      }
    }
  }
}
