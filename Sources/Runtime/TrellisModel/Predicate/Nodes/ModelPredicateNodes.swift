public import Foundation

/// Functions that expansions of `#Predicate` and `#Expression` call where Foundation provides none.
///
/// Foundation's nodes cannot contain a captured model, because it is neither `Codable` nor `Sendable`. These functions
/// compare models by identifier and read the properties of captured models when the predicate is created. If Foundation
/// provides a node, the result is that node. Your code does not call them directly.
public enum ModelPredicateNodes {
  /// A captured value.
  public typealias Captured<Output> = PredicateExpressions.Value<Output>

  /// A model's identifier.
  public typealias Identifier<Root: PredicateExpression> = PredicateExpressions.KeyPath<Root, PersistentIdentifier>
  where Root.Output: PersistentModel

  /// An optional model's identifier.
  public typealias OptionalIdentifier<Root: PredicateExpression, Model: PersistentModel> =
    PredicateExpressions.OptionalFlatMap<
      Root, Model, Identifier<PredicateExpressions.Variable<Model>>, PersistentIdentifier
    > where Root.Output == Model?

  /// An optional wrapped in a second optional, in which nil remains nil.
  public typealias OptionalOfOptional<Root: PredicateExpression, Wrapped> = PredicateExpressions.OptionalFlatMap<
    Root, Wrapped, PredicateExpressions.ForceCast<PredicateExpressions.Variable<Wrapped>, Wrapped?>, Wrapped?
  > where Root.Output == Wrapped?

  static func identifier<Root: PredicateExpression>(_ root: Root) -> Identifier<Root> {
    PredicateExpressions.build_KeyPath(root: root, keyPath: \.persistentModelID)
  }

  // MARK: expressions that do not use the model

  /// Returns the node of an expression that does not use the model.
  ///
  /// - Parameters:
  ///   - node: The expression as a tree.
  ///   - value: The same expression. It is evaluated only if no predicate can contain the tree.
  public static func captured<Node: StandardPredicateExpression>(
    _ node: Node, value: @autoclosure () -> Node.Output
  ) -> Node { node }

  /// Returns the value of an expression with a captured model.
  @_disfavoredOverload public static func captured<Node: PredicateExpression>(
    _ node: Node, value: Node.Output
  ) -> Captured<Node.Output> { PredicateExpressions.build_Arg(value) }

  /// Returns the node of an expression that can trap. It is evaluated with the predicate.
  public static func captured<Node: StandardPredicateExpression>(
    _ node: Node, trapping: @autoclosure () -> Node.Output
  ) -> Node { node }

  /// Returns the sides of a comparison between an optional and a non-optional expression. A cast makes the latter
  /// optional.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: StandardPredicateExpression>(
    _ node: Node, captured: Other, value: @autoclosure () -> Other.Output
  ) -> (node: Node, captured: PredicateExpressions.ForceCast<Other, Node.Output>)
  where Node.Output == Other.Output? { (node, PredicateExpressions.ForceCast(captured)) }

  /// Returns the sides of a comparison between an optional and a non-optional expression that can trap.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: StandardPredicateExpression>(
    _ node: Node, captured: Other, trapping: @autoclosure () -> Other.Output
  ) -> (node: Node, captured: PredicateExpressions.ForceCast<Other, Node.Output>)
  where Node.Output == Other.Output? { (node, PredicateExpressions.ForceCast(captured)) }

  /// Rejects an expression that can trap and that no predicate can contain.
  @available(
    *, unavailable,
    message:
      "this value would be read when the predicate is created and could stop the program; assign it to a constant first"
  )
  @_disfavoredOverload public static func captured<Node: PredicateExpression, Value>(
    _ node: Node, trapping: Value
  ) -> Captured<Value> { PredicateExpressions.build_Arg(trapping) }

  /// Returns the node of numeric arithmetic that does not use the model.
  public static func arithmetic<Left: PredicateExpression, Right: PredicateExpression>(
    lhs: Left, rhs: Right, op: PredicateExpressions.ArithmeticOperator, value: @autoclosure () -> Left.Output
  ) -> PredicateExpressions.Arithmetic<Left, Right> where Left.Output == Right.Output, Left.Output: Numeric {
    PredicateExpressions.build_Arithmetic(lhs: lhs, rhs: rhs, op: op)
  }

  /// Returns the value of arithmetic for which Foundation provides no node: with strings, or with a date and an
  /// interval.
  @_disfavoredOverload public static func arithmetic<Left: PredicateExpression, Right: PredicateExpression, Output>(
    lhs: Left, rhs: Right, op: PredicateExpressions.ArithmeticOperator, value: Output
  ) -> Captured<Output> { PredicateExpressions.build_Arg(value) }

  // MARK: constants

  /// Returns the node of a constant with a declared type. Its literals have that type.
  public static func constant<Node: PredicateExpression>(_ node: Node, of type: Node.Output.Type) -> Node { node }

  /// Returns the node of a constant that is declared as an optional, although the value is not. A cast makes it
  /// optional.
  @_disfavoredOverload public static func constant<Node: PredicateExpression>(
    _ node: Node, of type: Node.Output?.Type
  ) -> PredicateExpressions.ForceCast<Node, Node.Output?> { PredicateExpressions.ForceCast(node) }

  // MARK: == and !=

  /// Returns the sides of a comparison that has no captured values.
  public static func sides<Node: PredicateExpression, Other: PredicateExpression>(
    _ node: Node, _ other: Other
  ) -> (node: Node, other: Other) where Node.Output == Other.Output { (node, other) }

  /// Returns the sides of a comparison between an optional and a non-optional value. A cast makes the latter optional.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: PredicateExpression>(
    _ node: Node, _ other: Other
  ) -> (node: Node, other: PredicateExpressions.ForceCast<Other, Node.Output>) where Node.Output == Other.Output? {
    (node, PredicateExpressions.ForceCast(other))
  }

  /// Returns the sides of a comparison between a non-optional value and an optional. A cast makes the former optional.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: PredicateExpression>(
    _ node: Node, _ other: Other
  ) -> (node: PredicateExpressions.ForceCast<Node, Other.Output>, other: Other) where Other.Output == Node.Output? {
    (PredicateExpressions.ForceCast(node), other)
  }

  /// Returns the sides of a comparison with a captured value, which has the other side's type.
  public static func sides<Node: PredicateExpression>(
    _ node: Node, value: Node.Output
  ) -> (node: Node, captured: Captured<Node.Output>) { (node, PredicateExpressions.build_Arg(value)) }

  /// Returns the sides of a comparison with an expression that does not use the model.
  ///
  /// - Parameters:
  ///   - node: The side that uses the model.
  ///   - captured: The second side as a tree.
  ///   - value: The second side.
  public static func sides<Node: PredicateExpression, Other: StandardPredicateExpression>(
    _ node: Node, captured: Other, value: @autoclosure () -> Other.Output
  ) -> (node: Node, captured: Other) where Node.Output == Other.Output { (node, captured) }

  /// Returns the sides of a comparison between an optional and a non-optional expression, or a property of a captured
  /// model.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: PredicateExpression>(
    _ node: Node, captured: Other, value: Node.Output
  ) -> (node: Node, captured: Captured<Node.Output>) { sides(node, value: value) }

  /// Returns the sides of a comparison with an expression that can trap.
  public static func sides<Node: PredicateExpression, Other: StandardPredicateExpression>(
    _ node: Node, captured: Other, trapping: @autoclosure () -> Other.Output
  ) -> (node: Node, captured: Other) where Node.Output == Other.Output { (node, captured) }

  /// Rejects an expression that can trap and that no predicate can contain.
  @available(
    *, unavailable,
    message:
      "this value would be read when the predicate is created and could stop the program; assign it to a constant first"
  )
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: PredicateExpression, Value>(
    _ node: Node, captured: Other, trapping: Value
  ) -> (node: Node, captured: Captured<Value>) { (node, PredicateExpressions.build_Arg(trapping)) }

  /// Returns the sides of a comparison with a captured optional. A cast makes the first side optional.
  @_disfavoredOverload public static func sides<Node: PredicateExpression>(
    _ node: Node, value: Node.Output?
  ) -> (node: PredicateExpressions.ForceCast<Node, Node.Output?>, captured: Captured<Node.Output?>) {
    (PredicateExpressions.ForceCast(node), PredicateExpressions.build_Arg(value))
  }

  /// Returns the sides of a comparison with an optional expression that does not use the model.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: PredicateExpression>(
    _ node: Node, captured: Other, value: Node.Output?
  ) -> (node: PredicateExpressions.ForceCast<Node, Node.Output?>, captured: Captured<Node.Output?>) {
    sides(node, value: value)
  }

  /// Returns the sides of a comparison with an optional expression that can trap.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: StandardPredicateExpression>(
    _ node: Node, captured: Other, trapping: @autoclosure () -> Other.Output
  ) -> (node: PredicateExpressions.ForceCast<Node, Other.Output>, captured: Other) where Other.Output == Node.Output? {
    (PredicateExpressions.ForceCast(node), captured)
  }

  /// Returns the identifiers of two models.
  public static func sides<Node: PredicateExpression, Model: PersistentModel>(
    _ node: Node, value: Model
  ) -> (node: Identifier<Node>, captured: Captured<PersistentIdentifier>) where Node.Output == Model {
    (identifier(node), PredicateExpressions.build_Arg(value.persistentModelID))
  }

  /// Returns the identifiers of two optional models.
  public static func sides<Node: PredicateExpression, Model: PersistentModel>(
    _ node: Node, value: Model?
  ) -> (node: OptionalIdentifier<Node, Model>, captured: Captured<PersistentIdentifier?>) where Node.Output == Model? {
    (
      PredicateExpressions.build_flatMap(node) { identifier($0) },
      PredicateExpressions.build_Arg(value?.persistentModelID)
    )
  }

  /// Returns the identifiers of two models; the second model is an expression's result.
  public static func sides<Node: PredicateExpression, Other: PredicateExpression, Model: PersistentModel>(
    _ node: Node, captured: Other, value: Model
  ) -> (node: Identifier<Node>, captured: Captured<PersistentIdentifier>) where Node.Output == Model {
    sides(node, value: value)
  }

  /// Returns the identifiers of two optional models; the second model is an expression's result.
  public static func sides<Node: PredicateExpression, Other: PredicateExpression, Model: PersistentModel>(
    _ node: Node, captured: Other, value: Model?
  ) -> (node: OptionalIdentifier<Node, Model>, captured: Captured<PersistentIdentifier?>) where Node.Output == Model? {
    sides(node, value: value)
  }

  /// Returns the identifiers of a model and an optional model. A cast makes the first optional.
  public static func sides<Node: PredicateExpression, Model: PersistentModel>(
    _ node: Node, value: Model?
  ) -> (
    node: PredicateExpressions.ForceCast<Identifier<Node>, PersistentIdentifier?>,
    captured: Captured<PersistentIdentifier?>
  ) where Node.Output == Model {
    (PredicateExpressions.ForceCast(identifier(node)), PredicateExpressions.build_Arg(value?.persistentModelID))
  }

  /// Returns the identifiers of a model and an optional model that is the result of an expression.
  public static func sides<Node: PredicateExpression, Other: PredicateExpression, Model: PersistentModel>(
    _ node: Node, captured: Other, value: Model?
  ) -> (
    node: PredicateExpressions.ForceCast<Identifier<Node>, PersistentIdentifier?>,
    captured: Captured<PersistentIdentifier?>
  ) where Node.Output == Model { sides(node, value: value) }

  // MARK: ??

  /// Returns a captured optional to the left of `??`.
  public static func coalesced<Wrapped>(_ value: Wrapped?) -> Captured<Wrapped?> {
    PredicateExpressions.build_Arg(value)
  }

  /// Returns a captured optional to the left of `??` if the result is expected to be optional.
  ///
  /// Otherwise, Swift would convert the value to a nested optional, in which nil is a value.
  public static func coalesced<Wrapped>(_ value: Wrapped?) -> Captured<Wrapped??> {
    PredicateExpressions.build_Arg(value.map { .some($0) })
  }

  /// Returns an optional expression that does not use the model, to the left of `??`.
  public static func coalesced<Node: StandardPredicateExpression, Wrapped>(
    _ node: Node, value: @autoclosure () -> Wrapped?
  ) -> Node where Node.Output == Wrapped? { node }

  /// Returns the value of an expression with a captured model, to the left of `??`.
  @_disfavoredOverload public static func coalesced<Node: PredicateExpression, Wrapped>(
    _ node: Node, value: Wrapped?
  ) -> Captured<Wrapped?> where Node.Output == Wrapped? { PredicateExpressions.build_Arg(value) }

  /// Returns the value of an optional expression to the left of `??` if the result is expected to be optional.
  public static func coalesced<Node: PredicateExpression, Wrapped>(
    _ node: Node, value: Wrapped?
  ) -> Captured<Wrapped??> where Node.Output == Wrapped? { coalesced(value) }

  /// Returns an optional expression that can trap, to the left of `??`.
  public static func coalesced<Node: StandardPredicateExpression, Wrapped>(
    _ node: Node, trapping: @autoclosure () -> Wrapped?
  ) -> Node where Node.Output == Wrapped? { node }

  /// Returns an optional expression that can trap, to the left of `??`, if the result is expected to be optional.
  public static func coalesced<Node: StandardPredicateExpression, Wrapped>(
    _ node: Node, trapping: @autoclosure () -> Wrapped?
  ) -> OptionalOfOptional<Node, Wrapped> where Node.Output == Wrapped? {
    PredicateExpressions.OptionalFlatMap(node) { PredicateExpressions.ForceCast($0) }
  }

  // MARK: ~=

  /// Returns a range to the left of `~=`.
  public static func range<Node: PredicateExpression>(_ node: Node) -> Node where Node.Output: RangeExpression { node }

  /// Rejects any other value to the left of `~=`.
  @available(*, unavailable, message: "'~=' needs a range on its left side in a predicate; compare values with '=='")
  @_disfavoredOverload public static func range<Node: PredicateExpression>(_ node: Node) -> Node { node }

  // MARK: if let

  /// Returns a captured optional to unwrap.
  public static func optional<Node: StandardPredicateExpression>(_ node: Node) -> Node { node }

  /// Rejects a captured optional model, which no predicate can contain.
  @available(
    *, unavailable,
    message: "a captured model cannot be unwrapped in a predicate; unwrap it beforehand, or compare it as an optional"
  )
  public static func optional<Node: PredicateExpression, Model: PersistentModel>(
    _ node: Node
  ) -> PredicateExpressions.NilLiteral<Model> where Node.Output == Model? { PredicateExpressions.NilLiteral() }

  /// Returns the body value in `if let … else …`.
  public static func body<Node: PredicateExpression>(_ node: Node) -> Node { node }

  /// Rejects an optional body value in `if let … else …`.
  ///
  /// In Foundation's tree, the result would be the value of `else` even if the optional has a value and the body is
  /// nil.
  @available(
    *, unavailable,
    message: "in a predicate, the body of 'if let' must not have an optional value; add a default with '??'"
  )
  public static func body<Node: PredicateExpression, Wrapped>(_ node: Node) -> Node where Node.Output == Wrapped? {
    node
  }
}

/// Membership in captured values and lists.
extension ModelPredicateNodes {
  /// Returns the node of `contains` with a captured value.
  public static func contains<Node: PredicateExpression>(_ node: Node) -> Node { node }

  /// Tests whether an array literal contains a value. Foundation's function would treat single-character strings as
  /// characters.
  @_disfavoredOverload public static func contains<Element: PredicateExpression>(
    literals: [Element.Output], _ element: Element
  ) -> PredicateExpressions.SequenceContains<Captured<[Element.Output]>, Element> where Element.Output: Equatable {
    PredicateExpressions.build_contains(PredicateExpressions.build_Arg(literals), element)
  }

  /// Tests whether an array literal of models contains a model, by identifier.
  public static func contains<Element: PredicateExpression>(
    literals: [Element.Output], _ element: Element
  ) -> PredicateExpressions.SequenceContains<Captured<[PersistentIdentifier]>, Identifier<Element>>
  where Element.Output: PersistentModel {
    PredicateExpressions.build_contains(
      PredicateExpressions.build_Arg(literals.map(\.persistentModelID)), identifier(element))
  }

  /// Tests whether an array literal of models contains an optional model, by identifier.
  public static func contains<Element: PredicateExpression, Model: PersistentModel>(
    literals: [Element.Output], _ element: Element
  ) -> PredicateExpressions.SequenceContains<Captured<[PersistentIdentifier?]>, OptionalIdentifier<Element, Model>>
  where Element.Output == Model? {
    PredicateExpressions.build_contains(
      PredicateExpressions.build_Arg(literals.map { $0?.persistentModelID }),
      PredicateExpressions.build_flatMap(element) { identifier($0) })
  }

  /// Tests whether models contain a captured model, by identifier.
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

  /// Tests whether captured models contain a model, by identifier.
  public static func contains<Models: Sequence, Element: PredicateExpression>(
    _ node: PredicateExpressions.SequenceContains<Captured<Models>, Element>
  ) -> PredicateExpressions.SequenceContains<Captured<[PersistentIdentifier]>, Identifier<Element>>
  where Models.Element: PersistentModel, Element.Output == Models.Element {
    PredicateExpressions.build_contains(
      PredicateExpressions.build_Arg(node.sequence.value.map(\.persistentModelID)), identifier(node.element))
  }

  /// Tests whether a captured slice contains a value. Predicates cannot contain slices.
  public static func contains<Value: Equatable, Element: PredicateExpression>(
    _ node: PredicateExpressions.SequenceContains<Captured<ArraySlice<Value>>, Element>
  ) -> PredicateExpressions.SequenceContains<Captured<[Value]>, Element> where Element.Output == Value {
    PredicateExpressions.build_contains(PredicateExpressions.build_Arg(Array(node.sequence.value)), node.element)
  }

  /// Tests whether captured optional models contain an optional model, by identifier.
  public static func contains<Models: Sequence, Element: PredicateExpression, Model: PersistentModel>(
    _ node: PredicateExpressions.SequenceContains<Captured<Models>, Element>
  ) -> PredicateExpressions.SequenceContains<Captured<[PersistentIdentifier?]>, OptionalIdentifier<Element, Model>>
  where Models.Element == Model?, Element.Output == Model? {
    contains(literals: Array(node.sequence.value), node.element)
  }
}
