import Foundation

/// A predicate node's SQL representation.
package enum SQLTerm {
  /// A captured value, or a value computed only from captured values.
  case constant(ConstantTerm)
  /// A value in each row.
  case scalar(ScalarTerm)
  /// A row: the row being tested, or the destination of a to-one relationship.
  case model(ModelTerm)
  /// A to-many relationship's rows.
  case list(ListTerm)

  var isConstant: Bool { if case .constant = self { true } else { false } }

  /// The value that is NULL for nil: for a row, the row number. Nil for captured values and lists.
  var value: ScalarTerm? {
    switch self {
    case .scalar(let scalar): scalar
    case .model(let model): model.identity
    case .constant, .list: nil
    }
  }

  /// Returns the same kind of term with a different value.
  func replacing(_ value: ScalarTerm) -> SQLTerm {
    guard case .model(var model) = self else { return .scalar(value) }
    if value.sql != model.key { model.alias = nil }
    (model.key, model.isOptional, model.nilSource) = (value.sql, value.isOptional, value.nilSource)
    return .model(model)
  }
}

package struct ScalarTerm {
  /// The outermost operator's precedence.
  enum Binding: Int { case or, and, comparison, atom }

  package var sql: SQLFragment
  package var scalar: ScalarKind
  var binding = Binding.atom
  /// True if the Swift value can be nil.
  var isOptional = false
  /// The unwrapped optional that, if NULL, makes the whole expression NULL.
  var nilSource: PredicateExpressions.VariableID?
  var origin = Origin.expression
  /// True if text may be in a form other than NFC, or a number may be NaN.
  package var isIrregular = false
  /// A flattened struct's row and columns.
  var flattened: (model: ModelTerm, column: ColumnLayout)?
  /// The element kind of an array attribute, which is stored as JSON.
  var elements: ScalarKind?

  enum Origin {
    case expression
    /// An unmodified column of a table in scope.
    case column
    /// A unique column in a referenced row.
    case behind(Reference)
  }

  struct Reference {
    var key: SQLFragment
    var isOptional: Bool
    var entity: EntityLayout
    var column: String
  }

  /// Returns the value of an expression computed from this value.
  func computed(_ sql: SQLFragment, _ binding: Binding = .atom) -> ScalarTerm {
    var result = self
    (result.sql, result.binding, result.origin) = (sql, binding, .expression)
    return result
  }

  /// Returns the SQL, in parentheses unless the precedence is at least `binding`.
  func held(_ binding: Binding) -> SQLFragment {
    self.binding.rawValue >= binding.rawValue ? sql : "(\(sql))"
  }

  static func condition(_ sql: SQLFragment, _ binding: Binding = .comparison) -> ScalarTerm {
    ScalarTerm(sql: sql, scalar: .boolean, binding: binding)
  }
}

extension ArraySlice<SQLFragment> {
  /// Joins an operator's operands. Databases limit expression depth, so many operands are grouped in parentheses as a
  /// tree with logarithmic depth.
  func balanced(_ separator: SQLFragment) -> SQLFragment {
    guard count > 16 else { return joined(separator: separator) }
    let middle = startIndex + count / 2
    return "(\(self[..<middle].balanced(separator)))\(separator)(\(self[middle...].balanced(separator)))"
  }
}

package struct ModelTerm {
  package var entity: EntityLayout
  /// The row number; NULL if there is no row.
  package var key: SQLFragment
  /// The alias of the row's table if it is in scope.
  package var alias: String?
  package var isOptional = false
  var nilSource: PredicateExpressions.VariableID?

  /// The row number's kind. Row numbers in different tables can be equal.
  package var identifier: ScalarKind { .identifier(root: entity.rootName) }

  /// The row number as a value.
  var identity: ScalarTerm {
    ScalarTerm(sql: key, scalar: identifier, isOptional: isOptional, nilSource: nilSource)
  }
}

package struct ListTerm {
  var entity: EntityLayout
  var alias: String
  /// The joined tables.
  var from: SQLFragment
  /// The condition that links the rows to the owner, followed by filters.
  var conditions: [SQLFragment]

  var body: SQLFragment {
    "FROM \(from) WHERE \(conditions.joined(separator: " AND "))"
  }
}

extension ScalarKind {
  /// Returns an array attribute's element kind, opaque if SQL does not compare elements as Swift does; nil for a type
  /// that is not stored as a JSON array.
  static func elements(of type: any Any.Type) -> ScalarKind? {
    guard let element = (wrappedType(of: type) as? any JSONArrayType.Type)?.elementType else { return nil }
    switch isStandard(element) ? of(element) : nil {
    case let scalar? where scalar == .text || scalar == .boolean: return scalar
    case .integer? where element is any FixedWidthInteger.Type: return .integer
    default: return .opaque
    }
  }
}

private protocol JSONArrayType {
  static var elementType: any Any.Type { get }
}

extension Array: JSONArrayType {
  fileprivate static var elementType: any Any.Type { Element.self }
}

extension Set: JSONArrayType {
  fileprivate static var elementType: any Any.Type { Element.self }
}

// MARK: Constants

/// A captured value. It is not encoded until the value with which it is compared is known.
package struct ConstantTerm {
  let value: Any
  let type: any Any.Type
  /// True if the value is a `nil` literal in the source.
  var isLiteral = false
  /// True for an unmodified captured value, which may become a parameter in a shared statement.
  var isCaptured = false

  /// The fully unwrapped value; nil if any optional is nil.
  var unwrapped: Any? { ScalarKind.isStandard(type) ? value : Self.unwrap(value) }

  package static func unwrap(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalValue else { return value }
    return optional.wrappedValue.flatMap(unwrap)
  }

  /// Returns the encoded value as a parameter.
  func fragment(_ encoded: SQLValue, _ scalar: ScalarKind, _ translation: Translation) -> SQLFragment {
    let isReplaced =
      encoded == .noRow && scalar.isIdentifier || encoded == .nan && scalar.isNumberThatMayBeNaN
    let stored = translation.dialect.stored(encoded, scalar)
    return translation.dialect.typed(
      isCaptured && !isReplaced ? "\(captured: stored)" : "\(value: stored)", scalar)
  }

  static func unsupported(_ type: any Any.Type) -> Untranslatable {
    Untranslatable("values of type \(type) are compared in memory")
  }
}

extension ScalarKind {
  /// Returns a captured value in this kind's column form.
  package func encode(_ value: Any, _ storeIdentifier: String?) throws -> SQLValue {
    switch self {
    case .identifier(let root):
      if let captured = value as? PersistentIdentifier {
        let value = CapturedIdentifiers.current(captured)
        // A row that is unsaved or in a different table or store matches no row here.
        guard let row = value.row, !value.isTemporary, root == nil || value.entityName == root,
          storeIdentifier == nil || value.storeIdentifier == storeIdentifier
        else { return .noRow }
        return .integer(row)
      }
    case .textKey(let order):
      if let value = value as? CollatedText, value.order == order { return .blob(value.key) }
    case .opaque: throw Self.unreadable
    default: if let stored = encodeStandard(value) { return stored }
    }
    if let raw = value as? any RawRepresentable {
      return try encode(Self.rawValue(raw), storeIdentifier)
    }
    throw ConstantTerm.unsupported(Swift.type(of: value))
  }

  package static var unreadable: Untranslatable {
    Untranslatable("a value with a custom stored form is compared in memory")
  }

  private func encodeStandard(_ value: Any) -> SQLValue? {
    // These are the most frequent types in captured collections. A cast to a concrete type is faster than a cast to a
    // protocol.
    if case .text = self, let text = value as? String { return .text(TextRules.normalized(text)) }
    if case .integer = self, let integer = value as? Int { return .integer(Int64(integer)) }
    guard let value = value as? any StandardValue else { return nil }
    let other = Swift.type(of: value).scalar
    guard self == other || (isText && other.isText) || (isInteger && other.isInteger) else { return nil }
    let stored = value.sqlValue
    if isText, case .text(let text) = stored { return .text(TextRules.normalized(text)) }
    return stored
  }

  private static func rawValue<R: RawRepresentable>(_ value: R) -> Any { value.rawValue }
}
