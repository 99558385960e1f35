/// A fragment of Swift with typed interpolations.
///
/// Bare strings cannot be interpolated: names are escaped, literals are quoted, and user text must be marked as
/// carried.
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

  /// The Swift text, not yet indented for its destination.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  var count: Int { bytes.count }

  /// True if the first line is not empty.
  var startsWithText: Bool { bytes.first.map { $0 != Text.newline } ?? false }

  private static let callWidth = 84

  /// Creates a call. If it does not fit on a single line, each argument is on a separate line.
  ///
  /// - Parameter isFilled: True to put several arguments on each line, for arguments that only pass parameters on.
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

    /// Appends a fragment. Lines after the first align with the line that contains it.
    package mutating func appendInterpolation(_ code: Code) { text.append(aligned: code) }

    package mutating func appendInterpolation(_ type: TypeRef) { text.append(type.text) }

    package mutating func appendInterpolation(_ number: Int) { text.append(String(number)) }

    /// Appends an identifier, in backticks if it is a keyword.
    package mutating func appendInterpolation(name: String) {
      text.append(SwiftKeyword.escaped(name))
    }

    /// Appends an argument label.
    package mutating func appendInterpolation(label: String) {
      text.append(SwiftKeyword.label(label))
    }

    /// Appends a parameter name.
    package mutating func appendInterpolation(parameter: String) {
      text.append(SwiftKeyword.parameter(parameter))
    }

    /// Appends a string literal.
    package mutating func appendInterpolation(literal: String) {
      text.append(StringLiteral.quoted(literal))
    }

    /// Appends a multiline string literal that shows the text unescaped.
    package mutating func appendInterpolation(block: String) {
      text.append(StringLiteral.block(block))
    }

    /// Appends each fragment on a separate line.
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

    /// Appends fragments separated by commas.
    package mutating func appendInterpolation(list: [Code]) {
      for (index, code) in list.enumerated() {
        if index > 0 { text.write(", ") }
        text.append(aligned: code)
      }
    }

    /// Appends Swift written by the schema's author: an expression, type or conformance.
    package mutating func appendInterpolation(carried: String) { text.append(carried) }
  }
}
