/// The SQL of a database, as far as databases differ.
///
/// The translation of predicates and the statements of a store use the standard syntax and ask the dialect for the rest.
/// They make fragments: text with names in double quotes, and with `?`, or `?` and a number, for each parameter.
/// ``text(of:)`` gives a fragment the names and parameters of the database. A statement is made once and kept, so a
/// dialect costs nothing per row.
///
/// A condition that a database cannot test as Swift does has no translation: the dialect throws ``Untranslatable``, and
/// the context filters in memory.
protocol SQLDialect: Sendable {
  /// A name in quotes.
  func name(_ name: String) -> String
  /// A parameter by its number, from 1.
  func parameter(_ number: Int) -> String
  /// The name of a function. ``PredicateFunctions`` lists the functions that SQLite does not have.
  ///
  /// - Throws: ``Untranslatable`` if the database does not have the function.
  func function(_ name: String) throws -> String
  /// The text of a fragment. The protocol has an implementation.
  ///
  /// - Throws: the errors of ``function(_:)``.
  func text(of fragment: SQLFragment) throws -> String

  // MARK: conditions

  /// A condition that is always true or always false.
  func constant(_ value: Bool) -> SQLFragment
  /// The condition that a column of type `Bool` has a value.
  func test(_ column: SQLFragment, is value: Bool) -> SQLFragment
  /// Compares two values where NULL equals NULL.
  func equality(_ lhs: SQLFragment, _ rhs: SQLFragment, isNegated: Bool) -> SQLFragment
  /// The condition that a value is in a list, which is one parameter.
  ///
  /// - Parameter mayBeNaN: true if the values are floating-point numbers.
  func membership(of value: SQLFragment, in list: SQLFragment, mayBeNaN: Bool) -> SQLFragment

  // MARK: queries

  /// A term of ORDER BY. NULL comes first, and last in reverse order.
  func sortTerm(_ value: SQLFragment, isReverse: Bool) -> SQLFragment
  /// The clause for a part of the rows, which follows ORDER BY.
  ///
  /// - Parameter limit: -1 for all rows.
  func page(limit: SQLFragment, offset: SQLFragment) -> SQLFragment

  // MARK: tables

  /// The type of a column.
  func columnType(_ affinity: ColumnType.Affinity) -> SQLFragment
  /// The options after the columns of a table.
  ///
  /// - Parameter hasRowNumber: false for tables of pairs, whose primary key has two columns.
  func tableOptions(hasRowNumber: Bool) -> SQLFragment
}

extension SQLDialect {
  func membership(of value: SQLFragment, in list: SQLFragment) -> SQLFragment {
    membership(of: value, in: list, mayBeNaN: false)
  }

  func text(of fragment: SQLFragment) throws -> String {
    var text = ""
    var count = 0
    var rest = fragment.text[...]
    while let first = rest.first {
      switch first {
      case "\"": text += name(Self.takeQuoted(&rest, "\""))
      case "'": text += "'" + Self.takeQuoted(&rest, "'").replacing("'", with: "''") + "'"
      case "?":
        rest.removeFirst()
        count += 1
        text += parameter(Int(Self.take(&rest) { $0.isNumber }) ?? count)
      case "a"..."z":
        let word = Self.take(&rest) { $0.isLetter || $0.isNumber || $0 == "_" }
        text += rest.first == "(" ? try function(word) : word
      case "A"..."Z": text += Self.take(&rest) { $0.isLetter || $0.isNumber || $0 == "_" }
      default:
        text.append(first)
        rest.removeFirst()
      }
    }
    return text
  }

  private static func take(_ text: inout Substring, while isWanted: (Character) -> Bool) -> String {
    let taken = text.prefix(while: isWanted)
    text = text[taken.endIndex...]
    return String(taken)
  }

  /// Takes a text in quotes, in which a doubled quote stands for one.
  private static func takeQuoted(_ text: inout Substring, _ quote: Character) -> String {
    var taken = ""
    text.removeFirst()
    while let next = text.popFirst() {
      if next == quote {
        guard text.first == quote else { break }
        text.removeFirst()
      }
      taken.append(next)
    }
    return taken
  }
}

/// The SQL of SQLite, in which fragments are written.
struct SQLiteDialect: SQLDialect {
  func name(_ name: String) -> String { SQLFragment.quoted(name) }
  func parameter(_ number: Int) -> String { "?\(number)" }
  func function(_ name: String) -> String { name }
  func text(of fragment: SQLFragment) -> String { fragment.text }

  func constant(_ value: Bool) -> SQLFragment { value ? "1" : "0" }

  func test(_ column: SQLFragment, is value: Bool) -> SQLFragment { value ? "\(column) = 1" : "\(column) = 0" }

  func equality(_ lhs: SQLFragment, _ rhs: SQLFragment, isNegated: Bool) -> SQLFragment {
    isNegated ? "\(lhs) IS NOT \(rhs)" : "\(lhs) IS \(rhs)"
  }

  func membership(of value: SQLFragment, in list: SQLFragment, mayBeNaN: Bool) -> SQLFragment {
    let element: SQLFragment = mayBeNaN ? "real_of(value)" : "value"
    return "\(value) IN (SELECT \(element) FROM json_each(\(list)))"
  }

  func sortTerm(_ value: SQLFragment, isReverse: Bool) -> SQLFragment { isReverse ? "\(value) DESC" : value }

  func page(limit: SQLFragment, offset: SQLFragment) -> SQLFragment { " LIMIT \(limit) OFFSET \(offset)" }

  func columnType(_ affinity: ColumnType.Affinity) -> SQLFragment {
    switch affinity {
    case .integer: "INTEGER"
    case .text: "TEXT"
    case .blob: "BLOB"
    case .any: "ANY"
    }
  }

  func tableOptions(hasRowNumber: Bool) -> SQLFragment { hasRowNumber ? " STRICT" : " STRICT, WITHOUT ROWID" }
}
