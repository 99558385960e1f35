/// A fragment of Swift with typed holes.
///
/// There is no interpolation for a bare `String`: a name is escaped, a literal is quoted, and text
/// that comes from a user says so where it is put in.
package struct Code: Equatable, Sendable, ExpressibleByStringInterpolation {
  let bytes: [UInt8]
  let hasLineBreak: Bool

  package init(stringLiteral value: StaticString) {
    var text = Text()
    text.write(value)
    self.init(text)
  }

  package init(stringInterpolation: StringInterpolation) {
    self.init(stringInterpolation.text)
  }

  /// The Swift text, its lines not yet indented for the place they end up in.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  var count: Int { bytes.count }

  /// Whether there is anything on the first line.
  var startsWithText: Bool { bytes.first.map { $0 != Text.newline } ?? false }

  private static let callWidth = 84

  /// A call, with one argument per line if it does not fit on one line.
  ///
  /// - Parameter isFilled: whether several arguments share a line: arguments that only pass parameters on.
  package init(call callee: Code, _ arguments: [Code], isFilled: Bool = false) {
    let width = arguments.reduce(callee.count + 2) { $0 + $1.count + 2 }
    if width <= Self.callWidth {
      self = "\(callee)(\(list: arguments))"
      return
    }
    var text = Text()
    var column = 0
    for (index, argument) in arguments.enumerated() {
      if index > 0 {
        text.write(",")
        if isFilled, column + argument.count <= Self.callWidth {
          text.write(" ")
        } else {
          text.endLine()
          column = 0
        }
      }
      text.append(aligned: argument)
      column += argument.count + 2
    }
    let lines = Code(text)
    self = "\(callee)(\n  \(lines)\n)"
  }

  private init(_ text: Text) {
    bytes = text.bytes
    hasLineBreak = text.hasLineBreak
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = Text()

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserve(literalCapacity + interpolationCount * 24)
    }

    package mutating func appendLiteral(_ literal: StaticString) { text.write(literal) }

    /// A fragment; its further lines line up with the line it is put into.
    package mutating func appendInterpolation(_ code: Code) { text.append(aligned: code) }

    package mutating func appendInterpolation(_ type: TypeRef) { text.append(type.text) }

    package mutating func appendInterpolation(_ number: Int) { text.append(String(number)) }

    /// An identifier, in back-ticks where it is a keyword.
    package mutating func appendInterpolation(name: String) {
      text.append(SwiftKeyword.escaped(name))
    }

    /// The label of an argument.
    package mutating func appendInterpolation(label: String) {
      text.append(SwiftKeyword.label(label))
    }

    /// The name of a parameter.
    package mutating func appendInterpolation(parameter: String) {
      text.append(SwiftKeyword.parameter(parameter))
    }

    /// A string literal.
    package mutating func appendInterpolation(literal: String) {
      text.append(StringLiteral.quoted(literal))
    }

    /// A string literal of several lines that shows the text as it is.
    package mutating func appendInterpolation(block: String) {
      text.append(StringLiteral.block(block))
    }

    /// One fragment per line.
    package mutating func appendInterpolation(lines: [Code]) {
      let indentation = text.indentation
      for (index, code) in lines.enumerated() {
        if index > 0 {
          text.endLine()
          if code.startsWithText { text.append(spaces: indentation) }
        }
        text.append(code, indentedBy: indentation)
      }
    }

    /// Fragments with commas between them.
    package mutating func appendInterpolation(list: [Code]) {
      for (index, code) in list.enumerated() {
        if index > 0 { text.write(", ") }
        text.append(aligned: code)
      }
    }

    /// Swift written by the author of a schema: an expression, a type, a conformance.
    package mutating func appendInterpolation(carried: String) { text.append(carried) }
  }
}
