/// A fragment of SQL with typed interpolation: names are quoted, values become literals, and other text cannot be
/// inserted.
struct SQLText: ExpressibleByStringInterpolation {
  let text: String

  init(stringLiteral value: StaticString) { text = "\(value)" }
  init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: StaticString) { text += "\(literal)" }
    mutating func appendInterpolation(_ fragment: SQLText) { text += fragment.text }

    mutating func appendInterpolation(name: String) {
      text += "\"" + name.replacing("\"", with: "\"\"") + "\""
    }

    mutating func appendInterpolation(literal: String) {
      text += "'" + literal.replacing("'", with: "''") + "'"
    }

    mutating func appendInterpolation(number: Int64) { text += "\(number)" }

    mutating func appendInterpolation(_ list: [SQLText], by separator: StaticString) {
      text += list.map(\.text).joined(separator: "\(separator)")
    }
  }
}
