public import Foundation

/// Functions that expansions of `#Predicate` and `#Expression` call where Foundation has none.
///
/// Foundation's nodes cannot contain a captured model, because it is neither `Codable` nor `Sendable`. These functions
/// compare models by their identifiers, and read the properties of captured models when the predicate is created.
/// Where Foundation has a node, the result is that node. Programs do not call them.
public enum ModelPredicateNodes {
  /// A captured value.
  public typealias Captured<Output> = PredicateExpressions.Value<Output>

  /// The identifier of a model.
  public typealias Identifier<Root: PredicateExpression> = PredicateExpressions.KeyPath<Root, PersistentIdentifier>
  where Root.Output: PersistentModel

  /// The identifier of an optional model.
  public typealias OptionalIdentifier<Root: PredicateExpression, Model: PersistentModel> =
    PredicateExpressions.OptionalFlatMap<
      Root, Model, Identifier<PredicateExpressions.Variable<Model>>, PersistentIdentifier
    > where Root.Output == Model?

  /// An optional as an optional of an optional, in which nil stays nil.
  public typealias OptionalOfOptional<Root: PredicateExpression, Wrapped> = PredicateExpressions.OptionalFlatMap<
    Root, Wrapped, PredicateExpressions.ForceCast<PredicateExpressions.Variable<Wrapped>, Wrapped?>, Wrapped?
  > where Root.Output == Wrapped?

  static func identifier<Root: PredicateExpression>(_ root: Root) -> Identifier<Root> {
    PredicateExpressions.build_KeyPath(root: root, keyPath: \.persistentModelID)
  }

  // MARK: expressions that do not use the model

  /// The node of an expression that does not use the model.
  ///
  /// - Parameters:
  ///   - node: The expression as a tree.
  ///   - value: The same expression. It is evaluated only if no predicate can contain its tree.
  public static func captured<Node: StandardPredicateExpression>(
    _ node: Node, value: @autoclosure () -> Node.Output
  ) -> Node { node }

  /// The value of an expression with a captured model.
  @_disfavoredOverload public static func captured<Node: PredicateExpression>(
    _ node: Node, value: Node.Output
  ) -> Captured<Node.Output> { PredicateExpressions.build_Arg(value) }

  /// The node of an expression that can stop the program: it is evaluated with the predicate.
  public static func captured<Node: StandardPredicateExpression>(
    _ node: Node, trapping: @autoclosure () -> Node.Output
  ) -> Node { node }

  /// The two sides of a comparison of an optional with an expression that is not optional. A cast makes it optional.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: StandardPredicateExpression>(
    _ node: Node, captured: Other, value: @autoclosure () -> Other.Output
  ) -> (node: Node, captured: PredicateExpressions.ForceCast<Other, Node.Output>)
  where Node.Output == Other.Output? { (node, PredicateExpressions.ForceCast(captured)) }

  /// The two sides of a comparison of an optional with an expression that is not optional and can stop the program.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: StandardPredicateExpression>(
    _ node: Node, captured: Other, trapping: @autoclosure () -> Other.Output
  ) -> (node: Node, captured: PredicateExpressions.ForceCast<Other, Node.Output>)
  where Node.Output == Other.Output? { (node, PredicateExpressions.ForceCast(captured)) }

  /// An expression that can stop the program and that no predicate can contain.
  @available(
    *, unavailable,
    message:
      "this value would be read when the predicate is created and could stop the program; assign it to a constant before"
  )
  @_disfavoredOverload public static func captured<Node: PredicateExpression, Value>(
    _ node: Node, trapping: Value
  ) -> Captured<Value> { PredicateExpressions.build_Arg(trapping) }

  /// The node of arithmetic with numbers that does not use the model.
  public static func arithmetic<Left: PredicateExpression, Right: PredicateExpression>(
    lhs: Left, rhs: Right, op: PredicateExpressions.ArithmeticOperator, value: @autoclosure () -> Left.Output
  ) -> PredicateExpressions.Arithmetic<Left, Right> where Left.Output == Right.Output, Left.Output: Numeric {
    PredicateExpressions.build_Arithmetic(lhs: lhs, rhs: rhs, op: op)
  }

  /// The value of arithmetic that Foundation has no node for: with texts, or with a date and an interval.
  @_disfavoredOverload public static func arithmetic<Left: PredicateExpression, Right: PredicateExpression, Output>(
    lhs: Left, rhs: Right, op: PredicateExpressions.ArithmeticOperator, value: Output
  ) -> Captured<Output> { PredicateExpressions.build_Arg(value) }

  // MARK: constants

  /// The node of a constant whose type is written. Its literals get that type.
  public static func constant<Node: PredicateExpression>(_ node: Node, of type: Node.Output.Type) -> Node { node }

  /// The node of a constant whose type is the optional of that of its value. A cast makes it optional.
  @_disfavoredOverload public static func constant<Node: PredicateExpression>(
    _ node: Node, of type: Node.Output?.Type
  ) -> PredicateExpressions.ForceCast<Node, Node.Output?> { PredicateExpressions.ForceCast(node) }

  // MARK: == and !=

  /// The two sides of a comparison without captured values.
  public static func sides<Node: PredicateExpression, Other: PredicateExpression>(
    _ node: Node, _ other: Other
  ) -> (node: Node, other: Other) where Node.Output == Other.Output { (node, other) }

  /// The two sides of a comparison of an optional with a value that is none. A cast makes it optional.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: PredicateExpression>(
    _ node: Node, _ other: Other
  ) -> (node: Node, other: PredicateExpressions.ForceCast<Other, Node.Output>) where Node.Output == Other.Output? {
    (node, PredicateExpressions.ForceCast(other))
  }

  /// The two sides of a comparison of a value with an optional. A cast makes it optional.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: PredicateExpression>(
    _ node: Node, _ other: Other
  ) -> (node: PredicateExpressions.ForceCast<Node, Other.Output>, other: Other) where Other.Output == Node.Output? {
    (PredicateExpressions.ForceCast(node), other)
  }

  /// The two sides of a comparison with a captured value, which gets the type of the other side.
  public static func sides<Node: PredicateExpression>(
    _ node: Node, value: Node.Output
  ) -> (node: Node, captured: Captured<Node.Output>) { (node, PredicateExpressions.build_Arg(value)) }

  /// The two sides of a comparison with an expression that does not use the model.
  ///
  /// - Parameters:
  ///   - node: The side that uses the model.
  ///   - captured: The other side as a tree.
  ///   - value: The other side.
  public static func sides<Node: PredicateExpression, Other: StandardPredicateExpression>(
    _ node: Node, captured: Other, value: @autoclosure () -> Other.Output
  ) -> (node: Node, captured: Other) where Node.Output == Other.Output { (node, captured) }

  /// The two sides of a comparison of an optional with an expression that is none, or with a property of a captured
  /// model.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: PredicateExpression>(
    _ node: Node, captured: Other, value: Node.Output
  ) -> (node: Node, captured: Captured<Node.Output>) { sides(node, value: value) }

  /// The two sides of a comparison with an expression that can stop the program.
  public static func sides<Node: PredicateExpression, Other: StandardPredicateExpression>(
    _ node: Node, captured: Other, trapping: @autoclosure () -> Other.Output
  ) -> (node: Node, captured: Other) where Node.Output == Other.Output { (node, captured) }

  /// An expression that can stop the program and that no predicate can contain.
  @available(
    *, unavailable,
    message:
      "this value would be read when the predicate is created and could stop the program; assign it to a constant before"
  )
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: PredicateExpression, Value>(
    _ node: Node, captured: Other, trapping: Value
  ) -> (node: Node, captured: Captured<Value>) { (node, PredicateExpressions.build_Arg(trapping)) }

  /// The two sides of a comparison with a captured optional. A cast makes the other side optional.
  @_disfavoredOverload public static func sides<Node: PredicateExpression>(
    _ node: Node, value: Node.Output?
  ) -> (node: PredicateExpressions.ForceCast<Node, Node.Output?>, captured: Captured<Node.Output?>) {
    (PredicateExpressions.ForceCast(node), PredicateExpressions.build_Arg(value))
  }

  /// The two sides of a comparison with an optional expression that does not use the model.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: PredicateExpression>(
    _ node: Node, captured: Other, value: Node.Output?
  ) -> (node: PredicateExpressions.ForceCast<Node, Node.Output?>, captured: Captured<Node.Output?>) {
    sides(node, value: value)
  }

  /// The two sides of a comparison with an optional expression that can stop the program.
  @_disfavoredOverload public static func sides<Node: PredicateExpression, Other: StandardPredicateExpression>(
    _ node: Node, captured: Other, trapping: @autoclosure () -> Other.Output
  ) -> (node: PredicateExpressions.ForceCast<Node, Other.Output>, captured: Other) where Other.Output == Node.Output? {
    (PredicateExpressions.ForceCast(node), captured)
  }

  /// The identifiers of two models.
  public static func sides<Node: PredicateExpression, Model: PersistentModel>(
    _ node: Node, value: Model
  ) -> (node: Identifier<Node>, captured: Captured<PersistentIdentifier>) where Node.Output == Model {
    (identifier(node), PredicateExpressions.build_Arg(value.persistentModelID))
  }

  /// The identifiers of two optional models.
  public static func sides<Node: PredicateExpression, Model: PersistentModel>(
    _ node: Node, value: Model?
  ) -> (node: OptionalIdentifier<Node, Model>, captured: Captured<PersistentIdentifier?>) where Node.Output == Model? {
    (
      PredicateExpressions.build_flatMap(node) { identifier($0) },
      PredicateExpressions.build_Arg(value?.persistentModelID)
    )
  }

  /// The identifiers of two models, of which an expression gives the second.
  public static func sides<Node: PredicateExpression, Other: PredicateExpression, Model: PersistentModel>(
    _ node: Node, captured: Other, value: Model
  ) -> (node: Identifier<Node>, captured: Captured<PersistentIdentifier>) where Node.Output == Model {
    sides(node, value: value)
  }

  /// The identifiers of two optional models, of which an expression gives the second.
  public static func sides<Node: PredicateExpression, Other: PredicateExpression, Model: PersistentModel>(
    _ node: Node, captured: Other, value: Model?
  ) -> (node: OptionalIdentifier<Node, Model>, captured: Captured<PersistentIdentifier?>) where Node.Output == Model? {
    sides(node, value: value)
  }

  /// The identifiers of a model and of an optional one. A cast makes the first optional.
  public static func sides<Node: PredicateExpression, Model: PersistentModel>(
    _ node: Node, value: Model?
  ) -> (
    node: PredicateExpressions.ForceCast<Identifier<Node>, PersistentIdentifier?>,
    captured: Captured<PersistentIdentifier?>
  ) where Node.Output == Model {
    (PredicateExpressions.ForceCast(identifier(node)), PredicateExpressions.build_Arg(value?.persistentModelID))
  }

  /// The identifiers of a model and of an optional one that an expression gives.
  public static func sides<Node: PredicateExpression, Other: PredicateExpression, Model: PersistentModel>(
    _ node: Node, captured: Other, value: Model?
  ) -> (
    node: PredicateExpressions.ForceCast<Identifier<Node>, PersistentIdentifier?>,
    captured: Captured<PersistentIdentifier?>
  ) where Node.Output == Model { sides(node, value: value) }

  // MARK: ??

  /// A captured optional in front of `??`.
  public static func coalesced<Wrapped>(_ value: Wrapped?) -> Captured<Wrapped?> {
    PredicateExpressions.build_Arg(value)
  }

  /// A captured optional in front of `??` if an optional is expected of the whole.
  ///
  /// Without this function, Swift would convert the value to an optional of an optional, in which nil is a value.
  public static func coalesced<Wrapped>(_ value: Wrapped?) -> Captured<Wrapped??> {
    PredicateExpressions.build_Arg(value.map { .some($0) })
  }

  /// An optional expression that does not use the model, in front of `??`.
  public static func coalesced<Node: StandardPredicateExpression, Wrapped>(
    _ node: Node, value: @autoclosure () -> Wrapped?
  ) -> Node where Node.Output == Wrapped? { node }

  /// The value of an expression with a captured model, in front of `??`.
  @_disfavoredOverload public static func coalesced<Node: PredicateExpression, Wrapped>(
    _ node: Node, value: Wrapped?
  ) -> Captured<Wrapped?> where Node.Output == Wrapped? { PredicateExpressions.build_Arg(value) }

  /// The value of an optional expression in front of `??` if an optional is expected of the whole.
  public static func coalesced<Node: PredicateExpression, Wrapped>(
    _ node: Node, value: Wrapped?
  ) -> Captured<Wrapped??> where Node.Output == Wrapped? { coalesced(value) }

  /// An optional expression that can stop the program, in front of `??`.
  public static func coalesced<Node: StandardPredicateExpression, Wrapped>(
    _ node: Node, trapping: @autoclosure () -> Wrapped?
  ) -> Node where Node.Output == Wrapped? { node }

  /// An optional expression that can stop the program in front of `??` if an optional is expected of the whole.
  public static func coalesced<Node: StandardPredicateExpression, Wrapped>(
    _ node: Node, trapping: @autoclosure () -> Wrapped?
  ) -> OptionalOfOptional<Node, Wrapped> where Node.Output == Wrapped? {
    PredicateExpressions.OptionalFlatMap(node) { PredicateExpressions.ForceCast($0) }
  }

  // MARK: ~=

  /// A range in front of `~=`.
  public static func range<Node: PredicateExpression>(_ node: Node) -> Node where Node.Output: RangeExpression { node }

  /// Another value in front of `~=`.
  @available(*, unavailable, message: "'~=' needs a range on its left side in a predicate; compare values with '=='")
  @_disfavoredOverload public static func range<Node: PredicateExpression>(_ node: Node) -> Node { node }

  // MARK: if let

  /// A captured optional that is unwrapped.
  public static func optional<Node: StandardPredicateExpression>(_ node: Node) -> Node { node }

  /// A captured optional model that is unwrapped. No predicate can contain it.
  @available(
    *, unavailable,
    message: "a captured model cannot be unwrapped in a predicate; unwrap it before, or compare it as an optional"
  )
  public static func optional<Node: PredicateExpression, Model: PersistentModel>(
    _ node: Node
  ) -> PredicateExpressions.NilLiteral<Model> where Node.Output == Model? { PredicateExpressions.NilLiteral() }

  /// The value of the body of `if let … else …`.
  public static func body<Node: PredicateExpression>(_ node: Node) -> Node { node }

  /// An optional value of the body of `if let … else …`.
  ///
  /// Foundation's tree for it has the value of `else` also where the optional has a value and the body is nil.
  @available(
    *, unavailable,
    message: "the value of the body of 'if let' must not be optional in a predicate; add a default with '??'"
  )
  public static func body<Node: PredicateExpression, Wrapped>(_ node: Node) -> Node where Node.Output == Wrapped? {
    node
  }
}

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
