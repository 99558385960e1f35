/// A piece of SQL: text in which every value is a parameter and every name is quoted.
///
/// All SQL in this library is composed of fragments. The literal parts of an interpolation are SQL; names and values
/// require a label.
///
///     let fragment: SQLFragment = "\(name: "destination") = \(value: .text("Oslo"))"
///     // "destination" = ?
package struct SQLFragment: Sendable, Equatable, ExpressibleByStringInterpolation {
  package private(set) var text: String
  package private(set) var values: [SQLValue]
  /// The positions of values captured by a predicate, if the translation tracks them.
  package private(set) var captured: [Int] = []

  package init(stringLiteral text: String) {
    self.text = text
    self.values = []
  }

  /// Creates a statement from text that is already in the database's syntax.
  package init(verbatim text: String, _ values: [SQLValue]) {
    self.text = text
    self.values = values
  }

  package init(stringInterpolation: StringInterpolation) {
    self.text = stringInterpolation.text
    self.values = stringInterpolation.values
    self.captured = stringInterpolation.captured
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    package var text = ""
    package var values: [SQLValue] = []
    package var captured: [Int] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 12)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    package mutating func appendInterpolation(_ fragment: SQLFragment) {
      text += fragment.text
      for position in fragment.captured { captured.append(values.count + position) }
      values += fragment.values
    }

    /// A table, column or index name, quoted.
    package mutating func appendInterpolation(name: String) {
      guard !name.utf8.contains(UInt8(ascii: "\"")) else {
        text += SQLFragment.quoted(name)
        return
      }
      text += "\""
      text += name
      text += "\""
    }

    /// A qualified column of a table or alias.
    package mutating func appendInterpolation(column name: String, of table: String) {
      appendInterpolation(name: table)
      text += "."
      appendInterpolation(name: name)
    }

    /// A parameter.
    package mutating func appendInterpolation(value: SQLValue) {
      text += "?"
      values.append(value)
    }

    /// A parameter whose value was captured by a predicate.
    package mutating func appendInterpolation(captured value: SQLValue) {
      captured.append(values.count)
      appendInterpolation(value: value)
    }

    /// A text literal in a definition, where SQLite accepts no parameters.
    package mutating func appendInterpolation(literal text: String) {
      self.text += SQLFragment.quoted(text, "'")
    }

    /// An integer that is part of the text, such as a column position.
    package mutating func appendInterpolation(number: Int) { text += String(number) }
  }

  /// Encloses a string in delimiters and doubles each delimiter that it contains.
  ///
  /// - Parameter delimiter: A double quote for a name, an apostrophe for a string literal.
  package static func quoted(_ text: String, _ delimiter: UnicodeScalar = "\"") -> String {
    var quoted = String(delimiter)
    // A delimiter followed by a combining mark is a different Character, but still ends the string for a database.
    for scalar in text.unicodeScalars {
      if scalar == delimiter { quoted.unicodeScalars.append(delimiter) }
      quoted.unicodeScalars.append(scalar)
    }
    quoted.unicodeScalars.append(delimiter)
    return quoted
  }

  package static func += (lhs: inout SQLFragment, rhs: SQLFragment) {
    lhs.text += rhs.text
    for position in rhs.captured { lhs.captured.append(lhs.values.count + position) }
    lhs.values += rhs.values
  }
}

extension Sequence<SQLFragment> {
  /// Concatenates the fragments with `separator` between them.
  package func joined(separator: SQLFragment) -> SQLFragment {
    var result: SQLFragment = ""
    for (index, fragment) in enumerated() {
      if index > 0 { result += separator }
      result += fragment
    }
    return result
  }
}

/// A value in a SQLite storage class.
package enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// A captured collection, bound as a JSON array and read with `json_each`.
  case list([SQLValue])

  /// Row keys as a single parameter.
  package static func keys(_ keys: [Int64]) -> SQLValue { .list(keys.map { .integer($0) }) }
}
