/// The SQL of one database, where databases differ.
///
/// The translation of predicates and the statements of tables ask the dialect. They ask when a statement is made, not
/// when it runs, because statements are cached. Everything else in their text is standard SQL. Each store defines its
/// tables by itself.
///
/// A function that returns nil says that the database has no answer that equals Swift's. The context then evaluates that
/// part of the predicate in memory, and `explain` reports it.
package protocol SQLDialect: Sendable {
  /// The text of a statement. ``rendered(_:)`` is the implementation for databases that write names or parameters in
  /// another way than SQLite.
  func text(of fragment: SQLFragment) -> String

  /// A quoted name.
  func name(_ name: String) -> String

  /// A parameter, numbered from 1.
  func parameter(_ number: Int) -> String

  /// A term of ORDER BY. NULL comes first, and last in reverse order.
  func sortTerm(_ value: SQLFragment, isReverse: Bool) -> SQLFragment

  /// The clause for a page of the rows, behind ORDER BY.
  ///
  /// - Parameter limit: the parameter with the number of rows; -1 for all.
  func page(limit: SQLFragment, offset: SQLFragment) -> SQLFragment

  /// A condition that is always true or always false.
  func condition(_ value: Bool) -> SQLFragment

  /// A condition over a Boolean column, in a form that an index of the column can answer.
  func isEqual(_ column: SQLFragment, to value: Bool) -> SQLFragment

  /// The equality of two values where NULL equals NULL.
  func isSame(_ lhs: SQLFragment, _ rhs: SQLFragment, isNegated: Bool) -> SQLFragment

  /// A call of a function with Swift's result.
  func call(_ function: SwiftFunction, _ arguments: [SQLFragment]) -> SQLFragment?

  /// The smallest or the largest of the values of a group.
  ///
  /// - Parameter mayBeNaN: true if some of the values may be NaN, which gives way to every number.
  func extreme(_ value: SQLFragment, _ scalar: ScalarKind, isLargest: Bool, mayBeNaN: Bool) -> SQLFragment?

  /// A captured value as the database stores values of a kind. The argument has SQLite's form.
  func stored(_ value: SQLValue, _ scalar: ScalarKind) -> SQLValue

  /// The parameter with a captured value, together with its type if the database does not know it from the value.
  func typed(_ parameter: SQLFragment, _ scalar: ScalarKind) -> SQLFragment

  /// The text of a `UUID`: upper case, with dashes.
  func text(ofUUID value: SQLFragment) -> SQLFragment

  /// Tests whether captured rows contain the values of a row.
  ///
  /// - Throws: ``Untranslatable`` if the database cannot decide it.
  func isElement(_ columns: [CapturedColumn]) throws -> SQLFragment

  /// Tests whether a list of row numbers contains a key.
  ///
  /// - Parameter list: the parameter with the whole list.
  func isKey(_ key: SQLFragment, in list: SQLFragment) -> SQLFragment

  /// The keys of a list as a table with the columns `key` and `place`. Places begin with 0.
  func places(ofKeys list: SQLFragment) -> SQLFragment

  /// Tests whether an array attribute has an element.
  ///
  /// - Parameter condition: returns the condition for an element, given the expression of its value.
  func hasElement(
    inArray array: SQLFragment, where condition: (_ element: SQLFragment) throws -> SQLFragment
  ) rethrows -> SQLFragment?
}

extension SQLDialect {
  /// Replaces the names and the parameters of a fragment by those of the database.
  ///
  /// Fragments have names in double quotes and texts in single quotes. Outside of quotes, `?` stands for the values in
  /// their order, and `?3` for the third parameter.
  package func rendered(_ fragment: SQLFragment) -> String {
    var text = ""
    var count = 0
    var rest = fragment.text.utf8[...]
    while let start = rest.firstIndex(where: { $0 == Self.quote || $0 == Self.apostrophe || $0 == Self.question }) {
      text += Substring(rest[..<start])
      let mark = rest[start]
      rest = rest[rest.index(after: start)...]
      switch mark {
      case Self.quote: text += name(Self.unquoted(&rest, mark))
      case Self.apostrophe:
        text += SQLFragment.quoted(Self.unquoted(&rest, mark), "'")
      default:
        let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        rest = rest[digits.endIndex...]
        if digits.isEmpty { count += 1 }
        text += parameter(Int(Substring(digits)) ?? count)
      }
    }
    return text + Substring(rest)
  }

  private static var quote: UInt8 { UInt8(ascii: "\"") }
  private static var apostrophe: UInt8 { UInt8(ascii: "'") }
  private static var question: UInt8 { UInt8(ascii: "?") }

  /// Takes a text up to its closing quote. Two quotes in succession stand for one.
  private static func unquoted(_ rest: inout Substring.UTF8View, _ quote: UInt8) -> String {
    var text = ""
    while let end = rest.firstIndex(of: quote) {
      text += Substring(rest[..<end])
      rest = rest[rest.index(after: end)...]
      guard rest.first == quote else { break }
      text.unicodeScalars.append(UnicodeScalar(quote))
      rest = rest.dropFirst()
    }
    return text
  }
}

/// A value of each row that is compared with a column of captured values.
package struct CapturedColumn {
  package let sql: SQLFragment
  package let scalar: ScalarKind
  /// The captured values in SQLite's form, without nil and NaN. All columns have the same number.
  package let values: [SQLValue]
}

/// A function that a translated predicate calls. Its result equals that of the Swift expression, and is NULL if an argument
/// is NULL.
package struct SwiftFunction: Equatable, Sendable {
  /// The name of the function in SQLite.
  package let name: SQLFragment

  package init(_ name: SQLFragment) { self.name = name }

  // Text.
  package static let contains = Self("swift_contains")
  package static let starts = Self("swift_starts")
  static let characterCount = Self("swift_count")
  static let firstCharacter = Self("swift_first")
  static let lastCharacter = Self("swift_last")
  package static let lowercased = Self("swift_lower")
  package static let uppercased = Self("swift_upper")
  /// The text in Normalization Form C: equal texts have equal bytes then.
  package static let normalized = Self("swift_nfc")
  static let localizedContains = Self("swift_localized_contains")
  /// The arguments are two texts and the raw value of a ``LocalizedText``.
  static let localizedCompare = Self("swift_compare")
  /// The sort key of a text. The second argument is the raw value of a ``TextOrder``.
  package static let textKey = Self("swift_text_key")

  // Numbers, bytes and arrays.
  /// The sort key of a `Decimal`.
  package static let decimalKey = Self("decimal_key")
  static let negatedReal = Self("real_negate")
  package static let byteCount = Self("length")
  package static let hexadecimal = Self("hex")
  static let elementCount = Self("json_array_length")

  // Aggregate functions.
  /// The sum of signed integers. It fails if it leaves 64 bits.
  package static let shortSum = Self("sum")
  /// The exact sum and the exact mean of numbers with a fraction, rounded once.
  package static let realSum = Self("real_sum")
  package static let realMean = Self("real_mean")
  package static let decimalSum = Self("decimal_sum")

  /// An operator over two integers and the width of their type. It fails if Swift would trap.
  static func integer(_ operation: IntegerOperation) -> Self { Self(.init(stringLiteral: "int_\(operation)")) }
  /// An operator over two numbers with a fraction, with IEEE 754's results.
  static func real(_ operation: IntegerOperation) -> Self { Self(.init(stringLiteral: "real_\(operation)")) }
}

/// The SQL of SQLite, with the functions of ``PredicateFunctions``.
package struct SQLiteDialect: SQLDialect {
  package init() {}
  package func text(of fragment: SQLFragment) -> String { fragment.text }

  package func name(_ name: String) -> String { SQLFragment.quoted(name) }

  package func parameter(_ number: Int) -> String { "?\(number)" }

  package func sortTerm(_ value: SQLFragment, isReverse: Bool) -> SQLFragment { isReverse ? "\(value) DESC" : value }

  package func page(limit: SQLFragment, offset: SQLFragment) -> SQLFragment { " LIMIT \(limit) OFFSET \(offset)" }

  package func condition(_ value: Bool) -> SQLFragment { value ? "1" : "0" }

  package func isEqual(_ column: SQLFragment, to value: Bool) -> SQLFragment { "\(column) = \(condition(value))" }

  package func isSame(_ lhs: SQLFragment, _ rhs: SQLFragment, isNegated: Bool) -> SQLFragment {
    "\(lhs) \(isNegated ? "IS NOT" : "IS") \(rhs)"
  }

  package func call(_ function: SwiftFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
    "\(function.name)(\(arguments.joined(separator: ", ")))"
  }

  package func extreme(_ value: SQLFragment, _ scalar: ScalarKind, isLargest: Bool, mayBeNaN: Bool) -> SQLFragment? {
    // The texts of decimal numbers have another order.
    if scalar == .decimal { return nil }
    // SQLite stores NaN as text, which sorts after every number.
    if isLargest, mayBeNaN { return "coalesce(max(nullif(\(value), \(literal: "NaN"))), max(\(value)))" }
    return isLargest ? "max(\(value))" : "min(\(value))"
  }

  package func stored(_ value: SQLValue, _ scalar: ScalarKind) -> SQLValue { value }

  package func typed(_ parameter: SQLFragment, _ scalar: ScalarKind) -> SQLFragment { parameter }

  package func text(ofUUID value: SQLFragment) -> SQLFragment { value }

  /// The rows are passed as one JSON array, of arrays if there are several columns. JSON has no NaN, no infinity and no
  /// bytes. Numbers with a fraction are passed as integers with the same bits, and bytes in hexadecimal.
  package func isElement(_ columns: [CapturedColumn]) throws -> SQLFragment {
    let lists = try columns.map { try $0.values.map(Self.jsonValue) }
    let isSingle = columns.count == 1
    let rows = isSingle ? lists[0] : lists[0].indices.map { row in .list(lists.map { $0[row] }) }
    let subjects = columns.map { column -> SQLFragment in
      column.scalar.isBytes ? "\(SwiftFunction.hexadecimal.name)(\(column.sql))" : column.sql
    }
    let elements = columns.enumerated().map { number, column -> SQLFragment in
      let element: SQLFragment = isSingle ? "value" : "json_extract(value, \(literal: "$[\(number)]"))"
      return column.scalar.isNumberThatMayBeNaN ? "real_of(\(element))" : element
    }
    let subject = isSingle ? subjects[0] : "(\(subjects.joined(separator: ", ")))"
    return "\(subject) IN (SELECT \(elements.joined(separator: ", ")) FROM json_each(\(value: .list(rows))))"
  }

  private static func jsonValue(_ value: SQLValue) throws -> SQLValue {
    switch value {
    case .real(let number): return .integer(Int64(bitPattern: number.bitPattern))
    case .blob(let bytes): return .text(Hexadecimal.text(bytes))
    case .text(let text) where text.utf8.contains(0):
      // SQLite's JSON ends a string there.
      throw Untranslatable("a captured text with U+0000 in it is compared in memory")
    default: return value
    }
  }

  package func isKey(_ key: SQLFragment, in list: SQLFragment) -> SQLFragment {
    "\(key) IN (SELECT \"value\" FROM json_each(\(list)))"
  }

  package func places(ofKeys list: SQLFragment) -> SQLFragment {
    // With a limit, the list is parsed once, and not for each row of a joined table.
    "(SELECT \"value\" AS \"key\", \"key\" AS place FROM json_each(\(list)) LIMIT -1)"
  }

  package func hasElement(
    inArray array: SQLFragment, where condition: (_ element: SQLFragment) throws -> SQLFragment
  ) rethrows -> SQLFragment? {
    "EXISTS (SELECT 1 FROM json_each(json_plain(\(array))) WHERE \(try condition("value")))"
  }
}
