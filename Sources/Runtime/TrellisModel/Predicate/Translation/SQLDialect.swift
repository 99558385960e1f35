/// The SQL syntax that differs between databases.
///
/// Predicate translation and table statements use the dialect when a statement is created, not when it runs, because
/// statements are cached. The remaining text is standard SQL. Each store defines the tables itself.
///
/// A function returns nil if the database cannot reproduce Swift's result. The context then evaluates that
/// subexpression in memory, and `explain` reports it.
package protocol SQLDialect: Sendable {
  /// Returns a statement's text. Databases with names or parameters that differ from SQLite's implement it with
  /// ``rendered(_:)``.
  func text(of fragment: SQLFragment) -> String

  /// Returns a quoted name.
  func name(_ name: String) -> String

  /// Returns a parameter, numbered from 1.
  func parameter(_ number: Int) -> String

  /// Returns an ORDER BY term. NULL sorts first, and last in reverse order.
  func sortTerm(_ value: SQLFragment, isReverse: Bool) -> SQLFragment

  /// Returns the paging clause, which follows ORDER BY.
  ///
  /// - Parameter limit: The parameter with the maximum row count; -1 for all rows.
  func page(limit: SQLFragment, offset: SQLFragment) -> SQLFragment

  /// Returns a condition that is always true or always false.
  func condition(_ value: Bool) -> SQLFragment

  /// Returns a condition for a Boolean column, in a form that can use the column's index.
  func isEqual(_ column: SQLFragment, to value: Bool) -> SQLFragment

  /// Returns a test for equality in which NULL equals NULL.
  func isSame(_ lhs: SQLFragment, _ rhs: SQLFragment, isNegated: Bool) -> SQLFragment

  /// Returns a call to a function that has the same result as in Swift.
  func call(_ function: SwiftFunction, _ arguments: [SQLFragment]) -> SQLFragment?

  /// Returns the smallest or largest value in a group.
  ///
  /// - Parameter mayBeNaN: True if some values may be NaN. Any number takes precedence over NaN.
  func extreme(_ value: SQLFragment, _ scalar: ScalarKind, isLargest: Bool, mayBeNaN: Bool) -> SQLFragment?

  /// Returns a captured value in the database's stored form for a kind. The argument has SQLite's form.
  func stored(_ value: SQLValue, _ scalar: ScalarKind) -> SQLValue

  /// Returns a captured value's parameter, with the type if the database cannot infer it from the value.
  func typed(_ parameter: SQLFragment, _ scalar: ScalarKind) -> SQLFragment

  /// Returns a `UUID` as text: upper case, with dashes.
  func text(ofUUID value: SQLFragment) -> SQLFragment

  /// Tests whether captured rows contain a row's values.
  ///
  /// - Throws: ``Untranslatable`` if the database cannot perform the test.
  func isElement(_ columns: [CapturedColumn]) throws -> SQLFragment

  /// Tests whether a list of row numbers contains a key.
  ///
  /// - Parameter list: The parameter with the whole list.
  func isKey(_ key: SQLFragment, in list: SQLFragment) -> SQLFragment

  /// Returns a list's keys as a table with the columns `key` and `place`. Places begin with 0.
  func places(ofKeys list: SQLFragment) -> SQLFragment

  /// Tests whether an array attribute has an element.
  ///
  /// - Parameter condition: Returns the condition for an element, given the value expression.
  func hasElement(
    inArray array: SQLFragment, where condition: (_ element: SQLFragment) throws -> SQLFragment
  ) rethrows -> SQLFragment?
}

extension SQLDialect {
  /// Replaces a fragment's names and parameters with the database's spelling.
  ///
  /// Fragments contain names in double quotes and string literals in single quotes. Outside quotes, `?` represents the
  /// values in order, and `?3` the third parameter.
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

  /// Consumes the characters up to the closing quote. Two consecutive quotes represent one quote.
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

/// A value in each row that is compared with a column of captured values.
package struct CapturedColumn {
  package let sql: SQLFragment
  package let scalar: ScalarKind
  /// The captured values in SQLite's form, excluding nil and NaN. All columns have the same value count.
  package let values: [SQLValue]
}

/// A function that a translated predicate calls. Its result equals the Swift expression's result, and is NULL if an
/// argument is NULL.
package struct SwiftFunction: Equatable, Sendable {
  /// The SQLite function name.
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
  /// The text in normalization form C, in which equal strings have equal bytes.
  package static let normalized = Self("swift_nfc")
  static let localizedContains = Self("swift_localized_contains")
  /// The arguments are two strings and a ``LocalizedText`` raw value.
  static let localizedCompare = Self("swift_compare")
  /// The sort key for text. The second argument is a ``TextOrder`` raw value.
  package static let textKey = Self("swift_text_key")

  // Numbers, bytes and arrays.
  /// The sort key of a `Decimal`.
  package static let decimalKey = Self("decimal_key")
  static let negatedReal = Self("real_negate")
  package static let byteCount = Self("length")
  package static let hexadecimal = Self("hex")
  static let elementCount = Self("json_array_length")

  // Aggregate functions.
  /// The sum of signed integers. It fails if the sum exceeds 64 bits.
  package static let shortSum = Self("sum")
  /// The exact sum and mean of fractional numbers, rounded once.
  package static let realSum = Self("real_sum")
  package static let realMean = Self("real_mean")
  package static let decimalSum = Self("decimal_sum")

  /// An operator on two integers and the type's width. It fails if Swift would trap.
  static func integer(_ operation: IntegerOperation) -> Self { Self(.init(stringLiteral: "int_\(operation)")) }
  /// An operator on two fractional numbers, with IEEE 754 results.
  static func real(_ operation: IntegerOperation) -> Self { Self(.init(stringLiteral: "real_\(operation)")) }
}

/// SQLite's SQL, with the functions in ``PredicateFunctions``.
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
    // Decimal text does not sort in numeric order.
    if scalar == .decimal { return nil }
    // SQLite stores NaN as text, which sorts after every number.
    if isLargest, mayBeNaN { return "coalesce(max(nullif(\(value), \(literal: "NaN"))), max(\(value)))" }
    return isLargest ? "max(\(value))" : "min(\(value))"
  }

  package func stored(_ value: SQLValue, _ scalar: ScalarKind) -> SQLValue { value }

  package func typed(_ parameter: SQLFragment, _ scalar: ScalarKind) -> SQLFragment { parameter }

  package func text(ofUUID value: SQLFragment) -> SQLFragment { value }

  /// The rows are passed as a JSON array, which contains arrays if there are several columns. JSON cannot represent
  /// NaN, infinity or bytes. Fractional numbers are therefore passed as integers with the same bits, and bytes in
  /// hexadecimal.
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
      // SQLite's JSON ends a string at U+0000.
      throw Untranslatable("a captured string that contains U+0000 is compared in memory")
    default: return value
    }
  }

  package func isKey(_ key: SQLFragment, in list: SQLFragment) -> SQLFragment {
    "\(key) IN (SELECT \"value\" FROM json_each(\(list)))"
  }

  package func places(ofKeys list: SQLFragment) -> SQLFragment {
    // The limit makes SQLite parse the list once instead of once for each row in a joined table.
    "(SELECT \"value\" AS \"key\", \"key\" AS place FROM json_each(\(list)) LIMIT -1)"
  }

  package func hasElement(
    inArray array: SQLFragment, where condition: (_ element: SQLFragment) throws -> SQLFragment
  ) rethrows -> SQLFragment? {
    "EXISTS (SELECT 1 FROM json_each(json_plain(\(array))) WHERE \(try condition("value")))"
  }
}
