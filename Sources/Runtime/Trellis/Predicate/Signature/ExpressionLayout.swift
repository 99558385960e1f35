@_spi(Reflection) import Swift
import Foundation
import Synchronization

/// Where key paths, operators, variables and captured values lie in the expressions of one type.
///
/// The type of an expression spells out everything else, so two expressions whose values here are
/// alike are the same predicate. Read from memory, for a fraction of what it takes to look at the
/// nodes one by one.
final class ExpressionLayout: @unchecked Sendable {  // metatypes and offsets; `forms` has its lock
  /// Offsets of key paths, in the order of the fields, and so on.
  private(set) var keyPaths: [Int] = []
  private(set) var operators: [Int] = []
  private(set) var variables: [Int] = []
  private(set) var parameters: [(offset: Int, type: any CapturedParameter.Type)] = []
  private(set) var choices: [(offset: Int, type: any CapturedChoice.Type)] = []
  /// The predicates of this type that were met, see ``PredicateForm``.
  let forms = Mutex<[PredicateForm]>([])

  /// How many words say everything but the key paths and what parameters are bound to.
  var wordCount: Int {
    operators.count + variables.count + parameters.count + choices.count * ChoiceWords.count
  }

  /// Nil for expressions with parts that are not known, or values of types that are no parameters.
  private init?(_ type: any PredicateExpression.Type) {
    guard add(type, at: 0) else { return nil }
  }

  private func add(_ type: any PredicateExpression.Type, at start: Int) -> Bool {
    if let leaf = type as? any CapturedValue.Type { return add(capturedBy: leaf, at: start) }
    guard type is any SQLNode.Type else { return false }
    var isKnown = true
    let all = _forEachField(of: type) { _, offset, field, kind in
      isKnown = add(field: field, isClass: kind == .class, at: start + offset)
      return isKnown
    }
    return isKnown && all
  }

  private func add(field: any Any.Type, isClass: Bool, at offset: Int) -> Bool {
    switch field {
    case let node as any PredicateExpression.Type: return add(node, at: offset)
    case is PredicateExpressions.VariableID.Type where Self.numbersVariables:
      variables.append(offset)
    case is PredicateExpressions.ComparisonOperator.Type,
      is PredicateExpressions.ArithmeticOperator.Type:
      operators.append(offset)
    case is AnyKeyPath.Type where isClass: keyPaths.append(offset)
    default: return false
    }
    return true
  }

  /// Whether a variable is known by one word.
  private static var numbersVariables: Bool {
    MemoryLayout<PredicateExpressions.VariableID>.size == MemoryLayout<UInt>.size
  }

  private func add(capturedBy leaf: any CapturedValue.Type, at start: Int) -> Bool {
    // The value is all that the node consists of.
    if let type = leaf.capturedType as? any CapturedParameter.Type {
      parameters.append((start, type))
    } else if let type = leaf.capturedType as? any CapturedChoice.Type {
      choices.append((start, type))
    } else if let type = RawChoices.of(leaf.capturedType) {
      choices.append((start, type))
    } else {
      return false
    }
    return true
  }

  // MARK: the layouts in use

  /// By the type of the expression; `.some(nil)` for one that has none.
  private static let layouts = Mutex<[ObjectIdentifier: ExpressionLayout?]>([:])
  /// Programs have a limited number of predicates, but generated types have none.
  private static let limit = 4_096

  static func of(_ type: any PredicateExpression.Type) -> ExpressionLayout? {
    let key = ObjectIdentifier(type)
    if let known = layouts.withLock({ $0[key] }) { return known }
    let layout = ExpressionLayout(type)
    layouts.withLock { layouts in
      if layouts.count < limit { layouts[key] = .some(layout) }
    }
    return layout
  }
}

/// The node of a captured value.
protocol CapturedValue {
  static var capturedType: any Any.Type { get }
}

extension PredicateExpressions.Value: CapturedValue {
  static var capturedType: any Any.Type { Output.self }
}
