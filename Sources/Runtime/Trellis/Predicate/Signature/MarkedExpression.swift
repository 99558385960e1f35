import Foundation

/// A predicate with marked values, to see what becomes of them.
struct MarkedExpression {
  let expression: any StandardPredicateExpression<Bool>
  /// The mark of each parameter; nil where its trait says all about it.
  private let marks: [SQLValue?]

  init<T: PersistentModel>(_ predicate: Predicate<T>, _ layout: ExpressionLayout) {
    var marks: [SQLValue?] = []
    func marked<E: StandardPredicateExpression<Bool>>(
      _ expression: E
    ) -> any StandardPredicateExpression<Bool> {
      var copy = expression
      withUnsafeMutablePointer(to: &copy) { copy in
        let place = UnsafeMutableRawPointer(copy)
        for (number, parameter) in layout.parameters.enumerated() {
          marks.append(Self.mark(parameter.type, number, at: place + parameter.offset))
        }
      }
      return copy
    }
    expression = marked(predicate.expression)
    self.marks = marks
  }

  private static func mark<P: CapturedParameter>(
    _: P.Type, _ number: Int, at place: UnsafeMutableRawPointer
  ) -> SQLValue? {
    guard let mark = P.mark(number, at: place) else { return nil }
    place.assumingMemoryBound(to: P.self).pointee = mark
    return mark.parameter
  }

  /// What the parameters of a translation stand for; nil when one of the values is not among them.
  func parameters(_ values: [SQLValue]) -> [PredicateStatement.Parameter]? {
    var missing = Set(marks.indices.filter { marks[$0] != nil })
    let parameters = values.map { value -> PredicateStatement.Parameter in
      guard let number = marks.firstIndex(of: value) else { return .fixed(value) }
      missing.remove(number)
      return .captured(number)
    }
    return missing.isEmpty ? parameters : nil
  }
}
