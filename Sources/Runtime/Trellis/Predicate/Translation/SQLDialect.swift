/// The SQL of one database, where databases differ.
///
/// The translation of predicates, the statements of tables and the definitions of tables ask the dialect. They ask when a
/// statement is made, not when it runs, because statements are cached. Everything else in their text is standard SQL.
///
/// A function that returns nil says that the database has no answer that equals Swift's. The context then evaluates that
/// part of the predicate in memory, and `explain` reports it.
protocol SQLDialect: Sendable {
  /// The text of a statement. ``rendered(_:)`` is the implementation for databases that write names or parameters in
  /// another way than SQLite.
  func text(of fragment: SQLFragment) -> String

  /// A quoted name.
  func name(_ name: String) -> String

  /// A parameter, numbered from 1.
  func parameter(_ number: Int) -> String

  /// The type of a column.
  func type(of affinity: ColumnType.Affinity) -> SQLFragment

  /// The options behind the columns of a new table.
  ///
  /// - Parameter hasRowKey: true if one integer column is the primary key.
  func tableOptions(hasRowKey: Bool) -> SQLFragment

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

  /// The elements of a captured collection as a query with one column, for `IN`.
  ///
  /// - Parameter list: the parameter with the whole collection.
  func elements(of list: SQLFragment, areNumbersWithFraction: Bool) -> SQLFragment?

  /// The row numbers in a list as a query with one column, for `IN`.
  ///
  /// - Parameter list: the parameter with the whole list.
  func keys(in list: SQLFragment) -> SQLFragment

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
  func rendered(_ fragment: SQLFragment) -> String {
    var text = ""
    var count = 0
    var rest = fragment.text[...]
    while let character = rest.popFirst() {
      switch character {
      case "\"": text += name(Self.unquoted(&rest, "\""))
      case "'":
        text +=
          "'"
          + Self.unquoted(&rest, "'").split(separator: "'", omittingEmptySubsequences: false)
          .joined(separator: "''") + "'"
      case "?":
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        rest = rest[digits.endIndex...]
        count += 1
        text += parameter(Int(digits) ?? count)
      default: text.append(character)
      }
    }
    return text
  }

  /// Takes a text up to its closing quote. Two quotes in succession stand for one.
  private static func unquoted(_ rest: inout Substring, _ quote: Character) -> String {
    var text = ""
    while let character = rest.popFirst() {
      if character == quote {
        guard rest.first == quote else { break }
        rest.removeFirst()
      }
      text.append(character)
    }
    return text
  }
}

/// A function that a translated predicate calls. Its result equals that of the Swift expression, and is NULL if an argument
/// is NULL.
struct SwiftFunction: Equatable, Sendable {
  /// The name of the function in SQLite.
  let name: SQLFragment

  init(_ name: SQLFragment) { self.name = name }

  // Text.
  static let contains = Self("swift_contains")
  static let starts = Self("swift_starts")
  static let less = Self("swift_less")
  static let characterCount = Self("swift_count")
  static let firstCharacter = Self("swift_first")
  static let lastCharacter = Self("swift_last")
  static let lowercased = Self("swift_lower")
  static let uppercased = Self("swift_upper")
  /// The text in Normalization Form C: equal texts have equal bytes then.
  static let normalized = Self("swift_nfc")
  static let localizedContains = Self("swift_localized_contains")
  /// The arguments are two texts and the raw value of a ``LocalizedText``.
  static let localizedCompare = Self("swift_compare")
  /// The sort key of a text. The second argument is the raw value of a ``TextOrder``.
  static let textKey = Self("swift_text_key")

  // Numbers, bytes and arrays.
  /// The sort key of a `Decimal`.
  static let decimalKey = Self("decimal_key")
  static let negatedReal = Self("real_negate")
  static let byteCount = Self("length")
  static let hexadecimal = Self("hex")
  static let elementCount = Self("json_array_length")

  // Aggregate functions.
  /// The sum of integers in 128 bits.
  static let integerSum = Self("integer_sum")
  /// The exact sum and the exact mean of numbers with a fraction, rounded once.
  static let realSum = Self("real_sum")
  static let realMean = Self("real_mean")
  static let decimalSum = Self("decimal_sum")
  static let decimalMinimum = Self("decimal_min")
  static let decimalMaximum = Self("decimal_max")
  /// The largest number of a column that may have NaN; NaN if it has nothing else.
  static let maximumOfNumbers = Self("max")

  /// An operator over two integers and the width of their type. It fails if Swift would trap.
  static func integer(_ operation: SQLFragment) -> Self { Self("int_\(operation)") }
  /// An operator over two numbers with a fraction, with IEEE 754's results.
  static func real(_ operation: SQLFragment) -> Self { Self("real_\(operation)") }
}

/// The SQL of SQLite, with the functions of ``PredicateFunctions``.
struct SQLiteDialect: SQLDialect {
  func text(of fragment: SQLFragment) -> String { fragment.text }

  func name(_ name: String) -> String { SQLFragment.quoted(name) }

  func parameter(_ number: Int) -> String { "?\(number)" }

  func type(of affinity: ColumnType.Affinity) -> SQLFragment {
    switch affinity {
    case .integer: "INTEGER"
    case .text: "TEXT"
    case .blob: "BLOB"
    case .any: "ANY"
    }
  }

  func tableOptions(hasRowKey: Bool) -> SQLFragment { hasRowKey ? " STRICT" : " STRICT, WITHOUT ROWID" }

  func sortTerm(_ value: SQLFragment, isReverse: Bool) -> SQLFragment { isReverse ? "\(value) DESC" : value }

  func page(limit: SQLFragment, offset: SQLFragment) -> SQLFragment { " LIMIT \(limit) OFFSET \(offset)" }

  func condition(_ value: Bool) -> SQLFragment { value ? "1" : "0" }

  func isEqual(_ column: SQLFragment, to value: Bool) -> SQLFragment { "\(column) = \(condition(value))" }

  func isSame(_ lhs: SQLFragment, _ rhs: SQLFragment, isNegated: Bool) -> SQLFragment {
    "\(lhs) \(isNegated ? "IS NOT" : "IS") \(rhs)"
  }

  func call(_ function: SwiftFunction, _ arguments: [SQLFragment]) -> SQLFragment? {
    let list = arguments.joined(separator: ", ")
    guard function == .maximumOfNumbers else { return "\(function.name)(\(list))" }
    // SQLite stores NaN as text, which sorts after every number.
    return "coalesce(max(nullif(\(list), \(literal: "NaN"))), max(\(list)))"
  }

  func elements(of list: SQLFragment, areNumbersWithFraction: Bool) -> SQLFragment? {
    // JSON has no NaN and infinity, so numbers with a fraction are passed as the integers with their bits.
    "SELECT \(areNumbersWithFraction ? "real_of(value)" : "value") FROM json_each(\(list))"
  }

  func keys(in list: SQLFragment) -> SQLFragment { "SELECT \"value\" FROM json_each(\(list))" }

  func hasElement(
    inArray array: SQLFragment, where condition: (_ element: SQLFragment) throws -> SQLFragment
  ) rethrows -> SQLFragment? {
    "EXISTS (SELECT 1 FROM json_each(json_plain(\(array))) WHERE \(try condition("value")))"
  }
}
