import Foundation

/// What a node of a predicate's tree stands for in SQL.
package enum SQLTerm {
  /// A captured value, or anything computed from captured values alone.
  case constant(ConstantTerm)
  /// One value of each row.
  case scalar(ScalarTerm)
  /// A row: the one being tested, or one that a to-one relationship leads to.
  case model(ModelTerm)
  /// The rows of a to-many relationship.
  case list(ListTerm)

  var isConstant: Bool { if case .constant = self { true } else { false } }

  /// The value that is NULL for nil: the row's number for a row; nil for captured values and lists.
  var value: ScalarTerm? {
    switch self {
    case .scalar(let scalar): scalar
    case .model(let model): model.identity
    case .constant, .list: nil
    }
  }

  /// The same kind of term with another value.
  func replacing(_ value: ScalarTerm) -> SQLTerm {
    guard case .model(var model) = self else { return .scalar(value) }
    if value.sql != model.key { model.alias = nil }
    (model.key, model.isOptional, model.nilSource) = (value.sql, value.isOptional, value.nilSource)
    return .model(model)
  }
}

package struct ScalarTerm {
  /// How tightly the text holds together.
  enum Binding: Int { case or, and, comparison, atom }

  package var sql: SQLFragment
  package var scalar: ScalarKind
  var binding = Binding.atom
  /// Whether nil is a value of the Swift type.
  var isOptional = false
  /// The unwrapped optional whose NULL makes the whole text NULL.
  var nilSource: PredicateExpressions.VariableID?
  var origin = Origin.expression
  /// Whether text may not be NFC, or a number not a number.
  package var isIrregular = false
  /// For a struct with separate columns: the row it is in, and its columns.
  var flattened: (model: ModelTerm, column: ColumnLayout)?
  /// For an array attribute, which is stored as JSON: the kind of its elements.
  var elements: ScalarKind?

  enum Origin {
    case expression
    /// A column of a table in scope, as it is.
    case column
    /// A unique column of the row a reference leads to.
    case behind(Reference)
  }

  struct Reference {
    var key: SQLFragment
    var isOptional: Bool
    var entity: EntityLayout
    var column: String
  }

  /// The value of an expression that is computed from this value.
  func computed(_ sql: SQLFragment, _ binding: Binding = .atom) -> ScalarTerm {
    var result = self
    (result.sql, result.binding, result.origin) = (sql, binding, .expression)
    return result
  }

  /// The text with parentheses unless it holds together at least as tightly as `binding`.
  func held(_ binding: Binding) -> SQLFragment {
    self.binding.rawValue >= binding.rawValue ? sql : "(\(sql))"
  }

  static func condition(_ sql: SQLFragment, _ binding: Binding = .comparison) -> ScalarTerm {
    ScalarTerm(sql: sql, scalar: .boolean, binding: binding)
  }
}

extension ArraySlice<SQLFragment> {
  /// Joins the operands of an operator. Databases limit the depth of an expression, so many operands become groups in
  /// parentheses: a tree of logarithmic depth.
  func balanced(_ separator: SQLFragment) -> SQLFragment {
    guard count > 16 else { return joined(separator: separator) }
    let middle = startIndex + count / 2
    return "(\(self[..<middle].balanced(separator)))\(separator)(\(self[middle...].balanced(separator)))"
  }
}

package struct ModelTerm {
  package var entity: EntityLayout
  /// The row's number; NULL when there is no row.
  package var key: SQLFragment
  /// The name of the row's table where it is in scope.
  package var alias: String?
  package var isOptional = false
  var nilSource: PredicateExpressions.VariableID?

  /// The kind of the row's number: tables number their rows alike.
  package var identifier: ScalarKind { .identifier(root: entity.rootName) }

  /// The row's number as a value.
  var identity: ScalarTerm {
    ScalarTerm(sql: key, scalar: identifier, isOptional: isOptional, nilSource: nilSource)
  }
}

package struct ListTerm {
  var entity: EntityLayout
  var alias: String
  /// The tables and how they are joined.
  var from: SQLFragment
  /// What ties the rows to their owner, and the filters so far.
  var conditions: [SQLFragment]

  var body: SQLFragment {
    "FROM \(from) WHERE \(conditions.joined(separator: " AND "))"
  }
}

extension ScalarKind {
  /// The kind of the elements of an array attribute, opaque if SQL does not compare them as Swift does; nil for a type that
  /// is not stored as a JSON array.
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

/// A captured value, kept as it is until it is known what it meets.
package struct ConstantTerm {
  let value: Any
  let type: any Any.Type
  /// Whether the value is the `nil` of the source text.
  var isLiteral = false
  /// True for a captured value as it is, which may become a parameter of a statement that other predicates share.
  var isCaptured = false

  /// The value with its optionals taken off; nil when one of them is nil.
  var unwrapped: Any? { ScalarKind.isStandard(type) ? value : Self.unwrap(value) }

  package static func unwrap(_ value: Any) -> Any? {
    guard let optional = value as? any OptionalValue else { return value }
    return optional.wrappedValue.flatMap(unwrap)
  }

  /// The encoded value as a parameter.
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
  /// A captured value as a column of this kind keeps it.
  package func encode(_ value: Any, _ storeIdentifier: String?) throws -> SQLValue {
    switch self {
    case .identifier(let root):
      if let captured = value as? PersistentIdentifier {
        let value = CapturedIdentifiers.current(captured)
        // A row of another table or store, or one not saved yet, is no row here.
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
    Untranslatable("a value stored in a form of its own is compared in memory")
  }

  private func encodeStandard(_ value: Any) -> SQLValue? {
    // The types of most captured collections: a cast to a type takes less time than one to a protocol.
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
