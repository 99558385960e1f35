public import Foundation

/// Membership in captured values and lists.
extension ModelPredicateNodes {
  /// The node of `contains` with a captured value.
  public static func contains<Node: PredicateExpression>(_ node: Node) -> Node { node }

  /// Whether an array literal contains a value. For Foundation's function, texts of one character are characters.
  @_disfavoredOverload public static func contains<Element: PredicateExpression>(
    literals: [Element.Output], _ element: Element
  ) -> PredicateExpressions.SequenceContains<Captured<[Element.Output]>, Element> where Element.Output: Equatable {
    PredicateExpressions.build_contains(PredicateExpressions.build_Arg(literals), element)
  }

  /// Whether an array literal of models contains one, compared by identifier.
  public static func contains<Element: PredicateExpression>(
    literals: [Element.Output], _ element: Element
  ) -> PredicateExpressions.SequenceContains<Captured<[PersistentIdentifier]>, Identifier<Element>>
  where Element.Output: PersistentModel {
    PredicateExpressions.build_contains(
      PredicateExpressions.build_Arg(literals.map(\.persistentModelID)), identifier(element))
  }

  /// Whether an array literal of models contains an optional one, compared by identifier.
  public static func contains<Element: PredicateExpression, Model: PersistentModel>(
    literals: [Element.Output], _ element: Element
  ) -> PredicateExpressions.SequenceContains<Captured<[PersistentIdentifier?]>, OptionalIdentifier<Element, Model>>
  where Element.Output == Model? {
    PredicateExpressions.build_contains(
      PredicateExpressions.build_Arg(literals.map { $0?.persistentModelID }),
      PredicateExpressions.build_flatMap(element) { identifier($0) })
  }

  /// Whether models contain a captured one, compared by identifier.
  public static func contains<Models: PredicateExpression, Model: PersistentModel>(
    _ node: PredicateExpressions.SequenceContains<Models, Captured<Model>>
  )
    -> PredicateExpressions.SequenceContainsWhere<
      Models,
      PredicateExpressions.Equal<Identifier<PredicateExpressions.Variable<Model>>, Captured<PersistentIdentifier>>
    > where Models.Output: Sequence, Models.Output.Element == Model
  {
    let id = PredicateExpressions.build_Arg(node.element.value.persistentModelID)
    return PredicateExpressions.build_contains(node.sequence) {
      PredicateExpressions.build_Equal(lhs: identifier($0), rhs: id)
    }
  }

  /// Whether captured models contain one, compared by identifier.
  public static func contains<Models: Sequence, Element: PredicateExpression>(
    _ node: PredicateExpressions.SequenceContains<Captured<Models>, Element>
  ) -> PredicateExpressions.SequenceContains<Captured<[PersistentIdentifier]>, Identifier<Element>>
  where Models.Element: PersistentModel, Element.Output == Models.Element {
    PredicateExpressions.build_contains(
      PredicateExpressions.build_Arg(node.sequence.value.map(\.persistentModelID)), identifier(node.element))
  }

  /// Whether a captured slice contains a value. No predicate can contain a slice.
  public static func contains<Value: Equatable, Element: PredicateExpression>(
    _ node: PredicateExpressions.SequenceContains<Captured<ArraySlice<Value>>, Element>
  ) -> PredicateExpressions.SequenceContains<Captured<[Value]>, Element> where Element.Output == Value {
    PredicateExpressions.build_contains(PredicateExpressions.build_Arg(Array(node.sequence.value)), node.element)
  }

  /// Whether captured optional models contain an optional one, compared by identifier.
  public static func contains<Models: Sequence, Element: PredicateExpression, Model: PersistentModel>(
    _ node: PredicateExpressions.SequenceContains<Captured<Models>, Element>
  ) -> PredicateExpressions.SequenceContains<Captured<[PersistentIdentifier?]>, OptionalIdentifier<Element, Model>>
  where Models.Element == Model?, Element.Output == Model? {
    contains(literals: Array(node.sequence.value), node.element)
  }
}
