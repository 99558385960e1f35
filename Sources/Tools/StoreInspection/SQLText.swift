/// An SQL fragment with typed interpolation: names are quoted, values become literals, and other text cannot be
/// inserted. The store that runs the fragment determines how names and literals are written.
package struct SQLText: ExpressibleByStringInterpolation, Sendable {
  package enum Piece: Sendable {
    case sql(StaticString)
    case table(String)
    /// A column name.
    case name(String)
    case literal(String)
    case number(Int64)
  }

  package fileprivate(set) var pieces: [Piece]

  package init(stringLiteral value: StaticString) { pieces = [.sql(value)] }
  package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: StaticString) { pieces.append(.sql(literal)) }
    package mutating func appendInterpolation(_ fragment: SQLText) { pieces += fragment.pieces }
    package mutating func appendInterpolation(table: String) { pieces.append(.table(table)) }
    package mutating func appendInterpolation(name: String) { pieces.append(.name(name)) }
    package mutating func appendInterpolation(literal: String) { pieces.append(.literal(literal)) }
    package mutating func appendInterpolation(number: Int64) { pieces.append(.number(number)) }

    package mutating func appendInterpolation(_ list: [SQLText], by separator: StaticString) {
      for (index, fragment) in list.enumerated() {
        if index > 0 { pieces.append(.sql(separator)) }
        pieces += fragment.pieces
      }
    }
  }
}
